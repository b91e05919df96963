package org.calando.governor.promise;

import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;

/**
 * How a promise stands. Immutable and thread safe.
 *
 * @param promise what is promised
 * @param limit of its figure, in its unit
 * @param fileLimit the same as the governor's file has it, which an operator may tighten
 * @param source what measures it
 * @param figure of the last period; empty if it is not known
 * @param account of the budget's window
 */
public record PromiseState(
    Promised promise,
    double limit,
    double fileLimit,
    String source,
    Optional<PromiseFigure> figure,
    Account account) {
  /**
   * What was in the window up to now. Immutable.
   *
   * @param windowSeconds its length
   * @param keptSeconds in which the promise was kept
   * @param brokenSeconds in which it was not
   * @param spentLow lower end of the budget's share that is spent: 1 is all; empty where there is
   *     no budget, or nothing is known
   * @param spentHigh upper end
   */
  public record Account(
      double windowSeconds,
      double keptSeconds,
      double brokenSeconds,
      OptionalDouble spentLow,
      OptionalDouble spentHigh) {
    /** In which it is not known, such as before the governor began. */
    public double unknownSeconds() {
      return Math.max(0, windowSeconds - keptSeconds - brokenSeconds);
    }

    /** The share of the window in which it is not known, 0 to 1. */
    public double unknownShare() {
      return unknownSeconds() / windowSeconds;
    }
  }

  /** Whether it was kept in the last period; empty if that is not known. */
  public Optional<Boolean> kept() {
    return figure.flatMap(known -> promise.kept(known, limit));
  }
}
