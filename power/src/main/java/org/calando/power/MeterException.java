package org.calando.power;

import org.calando.core.FailedWorkException;

/**
 * A reading that could not be had: what failed, where, and what the user can do. Checked, because
 * whoever reads must choose between a gap and giving up; no reading is ever replaced by 0 W.
 */
public final class MeterException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String where;
  private final String remedy;

  /**
   * A failed reading.
   *
   * @param what what failed
   * @param where the node, and the file, address or object identifier that was read
   * @param remedy what the user can do, or an empty string
   */
  public MeterException(String what, String where, String remedy) {
    super(where + ": " + what);
    this.what = what;
    this.where = where;
    this.remedy = remedy;
  }

  /** As the other constructor, with the failure behind it. */
  public MeterException(String what, String where, String remedy, Throwable cause) {
    super(where + ": " + what, cause);
    this.what = what;
    this.where = where;
    this.remedy = remedy;
  }

  /** What failed. */
  public String what() {
    return what;
  }

  /** The node, and the file, address or object identifier that was read. */
  public String where() {
    return where;
  }

  /** What the user can do, or an empty string. */
  public String remedy() {
    return remedy;
  }

  /** The same, for work that cannot go on without the reading. */
  public FailedWorkException toFailedWork() {
    return new FailedWorkException(what, where, remedy, this);
  }
}
