package org.calando.governor.order;

/** An order that is not taken: nothing was changed. */
public final class RefusedOrderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Why why;
  private final String problem;
  private final String remedy;

  /** What kind of fault it is. */
  public enum Why {
    /** There is no such cluster, knob or promise. */
    NO_SUCH,
    /** It cannot be done now. */
    NOT_NOW,
    /** It is not legal, such as a value that the knob may not take. */
    NOT_LEGAL,
    /** It is not said right. */
    WRONG,
    /** It cannot be noted. */
    UNAVAILABLE
  }

  /**
   * A refusal.
   *
   * @param problem a sentence
   * @param remedy what to do
   */
  public RefusedOrderException(Why why, String problem, String remedy) {
    super(problem);
    this.why = why;
    this.problem = problem;
    this.remedy = remedy;
  }

  /** What kind of fault it is. */
  public Why why() {
    return why;
  }

  /** A sentence. */
  public String problem() {
    return problem;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
