package org.calando.schema;

/** Says why a text is not a value of a type; caught where the type is bound. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String remedy;

  /**
   * A refusal.
   *
   * @param what what is wrong, after the value: {@code is not a duration}
   * @param remedy how to mend it, or an empty string
   */
  public Refusal(String what, String remedy) {
    super(what, null, false, false);
    this.what = what;
    this.remedy = remedy;
  }

  /** What is wrong, after the value. */
  public String what() {
    return what;
  }

  /** How to mend it, or an empty string. */
  public String remedy() {
    return remedy;
  }
}
