package org.calando.core;

/** The request was fine but the work failed: exit code 1. */
public final class FailedWorkException extends CalandoException {
  private static final long serialVersionUID = 1L;

  /**
   * An error to show to the user.
   *
   * @param what what failed
   * @param where the node, file or address, or an empty string
   * @param remedy what the user can do, or an empty string
   */
  public FailedWorkException(String what, String where, String remedy) {
    super(1, what, where, remedy);
  }

  /** As the other constructor, with the failure behind it. */
  public FailedWorkException(String what, String where, String remedy, Throwable cause) {
    super(1, what, where, remedy, cause);
  }
}
