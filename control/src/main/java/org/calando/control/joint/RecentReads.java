package org.calando.control.joint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.calando.core.policy.Signal;
import org.calando.core.policy.joint.ReadLatency;

/**
 * How long clients' reads took in the last few intervals of a load: in no fewer than three, and in
 * as many as it takes for 100 operations to have ended. No more than 1 % of all of theirs took
 * longer than in the slowest of them. Thread safe.
 */
public final class RecentReads {
  private static final int INTERVALS = 3;

  /** What is enough to tell of the slowest hundredth. */
  private static final int ENOUGH = 100;

  private static final int MOST_INTERVALS = 120;

  private final Deque<Part> parts = new ArrayDeque<>();
  private long ended;

  /** For the first interval. */
  public RecentReads() {}

  /**
   * An interval.
   *
   * @param endNanos its end, on the loop's clock
   * @param reads that were answered, 0 or more
   * @param errors operations that failed, 0 or more
   * @param p99Nanos of the reads; below 0 if there were none
   */
  public record Part(long endNanos, long reads, long errors, long p99Nanos) {
    private long ended() {
      return reads + errors;
    }
  }

  /** Takes in an interval that has ended. */
  public synchronized void add(Part part) {
    parts.addLast(part);
    ended += part.ended();
    while (parts.size() > MOST_INTERVALS
        || (parts.size() > INTERVALS && ended - parts.getFirst().ended() >= ENOUGH)) {
      ended -= parts.removeFirst().ended();
    }
  }

  /** What is known; empty before the first interval. */
  public synchronized Optional<Signal<ReadLatency>> seen() {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    long reads = parts.stream().mapToLong(Part::reads).sum();
    long errors = parts.stream().mapToLong(Part::errors).sum();
    long longest = parts.stream().mapToLong(Part::p99Nanos).max().orElse(0);
    return Optional.of(
        new Signal<>(
            new ReadLatency(reads, errors, Math.max(0, longest) / 1e9),
            parts.getLast().endNanos()));
  }
}
