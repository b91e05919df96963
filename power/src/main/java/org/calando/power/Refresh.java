package org.calando.power;

/** A question put to every node at once, whose answers are awaited later. Not thread safe. */
@FunctionalInterface
public interface Refresh {
  /** Nothing was asked: what is read is new at any time. */
  Refresh NONE = () -> {};

  /** Returns when all have answered or the deadline of the question has passed. */
  void await() throws InterruptedException;
}
