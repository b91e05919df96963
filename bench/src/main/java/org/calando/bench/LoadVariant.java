package org.calando.bench;

/** A way to perform operations, whose cost is to be compared with that of others. */
interface LoadVariant {
  /** Name in the table of results. */
  String name();

  /**
   * Performs so many operations and waits for their end.
   *
   * @throws IllegalStateException if one of them failed, since the cost would be another's
   */
  void perform(long operations) throws InterruptedException;
}
