package org.calando.store.hbase.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.calando.core.policy.buffer.BufferObservation;

/**
 * What became of a session's writes of late: over the last slices of time, each ended by {@link
 * #observe}. Writes are told from any thread; one thread observes.
 */
public final class RecentWrites {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 2;

  private final int slices;
  private final Recorder freshness = new Recorder(LONGEST_NANOS, DIGITS);
  private final Recorder requests = new Recorder(LONGEST_NANOS, DIGITS);
  private final LongAdder called = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final Deque<Slice> recent = new ArrayDeque<>();
  private long sliceNanos;
  private double bytesEach;

  private record Slice(
      long beganNanos, long called, long sent, Histogram freshness, Histogram requests) {}

  /**
   * Nothing is known yet.
   *
   * @param slices that are looked back, 1 or more
   * @param nowNanos on the session's clock
   */
  public RecentWrites(int slices, long nowNanos) {
    this.slices = slices;
    this.sliceNanos = nowNanos;
  }

  /** A write was called. */
  void called(long itsBytes) {
    called.increment();
    bytes.add(itsBytes);
  }

  /** The server has answered all of a request that carried so many writes. */
  void answered(int writes, long nanos) {
    requests.recordValue(clamped(nanos));
    sent.add(writes);
  }

  /** A write is on the server. */
  void visible(long nanos) {
    freshness.recordValue(clamped(nanos));
  }

  private static long clamped(long nanos) {
    return Math.max(0, Math.min(LONGEST_NANOS, nanos));
  }

  /**
   * Ends a slice, and tells what is known of the last ones.
   *
   * @param target whose writes they are
   * @param atRisk writes at risk now
   */
  public BufferObservation observe(long nowNanos, String target, long atRisk) {
    long calls = called.sumThenReset();
    long size = bytes.sumThenReset();
    if (calls > 0) {
      bytesEach = (double) size / calls;
    }
    recent.addLast(
        new Slice(
            sliceNanos,
            calls,
            sent.sumThenReset(),
            freshness.getIntervalHistogram(),
            requests.getIntervalHistogram()));
    sliceNanos = nowNanos;
    while (recent.size() > slices) {
      recent.removeFirst();
    }
    return observation(nowNanos, target, atRisk);
  }

  private BufferObservation observation(long nowNanos, String target, long atRisk) {
    Histogram fresh = new Histogram(LONGEST_NANOS, DIGITS);
    Histogram took = new Histogram(LONGEST_NANOS, DIGITS);
    long calls = 0;
    long carried = 0;
    for (Slice slice : recent) {
      fresh.add(slice.freshness());
      took.add(slice.requests());
      calls += slice.called();
      carried += slice.sent();
    }
    double seconds = (nowNanos - recent.getFirst().beganNanos()) / 1e9;
    double rate = seconds > 0 ? calls / seconds : 0;
    return new BufferObservation(
        nowNanos,
        target,
        bytesEach > 0
            ? Optional.of(new BufferObservation.Writes(nowNanos, rate, bytesEach))
            : Optional.empty(),
        took.getTotalCount() == 0
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Requests(
                    nowNanos,
                    (double) carried / took.getTotalCount(),
                    (double) took.getValueAtPercentile(99))),
        fresh.getTotalCount() == 0
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Freshness(
                    nowNanos, fresh.getTotalCount(), (double) fresh.getValueAtPercentile(99))),
        atRisk);
  }
}
