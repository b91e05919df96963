package org.calando.store.cassandra;

/** The time of whoever watches a move, and how he is told of it. */
public interface MovePace {
  /** Nanoseconds of a clock that only goes forward. */
  long nanoTime();

  /**
   * Waits between two looks.
   *
   * @throws InterruptedException if the watch is to end; the move goes on without it
   */
  void pause(long nanos) throws InterruptedException;

  /** A step begins: what it does, in words. */
  void begun(String step);

  /** What is under way, in words. */
  void progress(String text);

  /**
   * A node has arrived.
   *
   * @param node its name
   * @param streamedBytes what nodes received in streams that began with the move
   */
  void moved(String node, long streamedBytes);
}
