package org.calando.gears;

import java.util.function.Consumer;

/** Hears how a shift goes on. Called on the thread that shifts. */
public interface ShiftNews extends Consumer<String> {
  /** Says nothing. */
  ShiftNews NONE = line -> {};

  /** A line for people. */
  void tell(String line);

  @Override
  default void accept(String line) {
    tell(line);
  }

  /**
   * What became of a catch-up so far.
   *
   * @param doneBytes copied
   * @param allBytes to be copied in this round
   */
  default void caughtUp(long doneBytes, long allBytes) {}

  /** The totals of the catch-up. */
  default void ended(CatchUpTotals totals) {
    if (totals.transfers() > 0) {
      tell(totals.words());
    }
  }
}
