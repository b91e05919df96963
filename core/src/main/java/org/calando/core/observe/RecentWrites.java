package org.calando.core.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.store.WriteListener;

/*
 * Requests count by the writes that they carry. Where few large ones are among many of one write, as
 * when a buffer has just been tried, a mean over requests would be that of the small ones and the
 * 99th percentile that of the large: each write would seem to take as long as a whole buffer.
 */
/**
 * What became of a session's writes of late: over the last slices of time, each ended by {@link
 * #observe}; of requests also over two minutes. Writes are told from any thread; one thread
 * observes.
 */
public final class RecentWrites implements WriteListener {
  private final int slices;
  private final TimeCounts freshness = new TimeCounts();
  private final TimeCounts requests = new TimeCounts();
  private final LongAdder called = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sent = new LongAdder();

  /** Of each write that was sent, how many were in its request. */
  private final LongAdder together = new LongAdder();

  private final LongAdder answers = new LongAdder();

  // Of the thread that observes.
  private final Deque<Edge> edges = new ArrayDeque<>();
  private final SeenTail tail = new SeenTail();

  /** Slices with requests that are still left out of the tail. */
  private int unsettled;

  private long countedCalls;
  private long countedBytes;
  private double bytesEach;

  /** All that had happened at the end of a slice. */
  private final class Edge {
    private final long atNanos;
    private final long calls = called.sum();
    private final long calledBytes = bytes.sum();
    private final long carried = sent.sum();
    private final long carriedTogether = together.sum();
    private final TimeCounts.Snapshot fresh = freshness.snapshot();
    private final TimeCounts.Snapshot took = requests.snapshot();

    Edge(long nowNanos) {
      atNanos = nowNanos;
    }
  }

  /**
   * Nothing is known yet.
   *
   * @param slices that are looked back, 1 or more
   * @param nowNanos on the session's clock
   */
  public RecentWrites(int slices, long nowNanos) {
    this.slices = slices;
    this.unsettled = slices;
    edges.addLast(new Edge(nowNanos));
  }

  @Override
  public void called(long itsBytes) {
    called.increment();
    bytes.add(itsBytes);
  }

  @Override
  public void answered(int writes, long nanos) {
    requests.record(nanos, writes);
    sent.add(writes);
    together.add((long) writes * writes);
    answers.increment();
  }

  @Override
  public void visible(long nanos) {
    freshness.record(nanos);
  }

  /**
   * Ends a slice, and tells what is known of the last ones.
   *
   * @param target whose writes they are
   * @param atRisk writes at risk now
   */
  public BufferObservation observe(long nowNanos, String target, long atRisk) {
    Edge now = new Edge(nowNanos);
    edges.addLast(now);
    while (edges.size() > slices + 1) {
      edges.removeFirst();
    }
    if (now.calls > countedCalls) {
      bytesEach = (double) (now.calledBytes - countedBytes) / (now.calls - countedCalls);
      countedCalls = now.calls;
      countedBytes = now.calledBytes;
    }
    return observation(edges.getFirst(), now, target, atRisk);
  }

  /** The first requests find connections, regions and code: they tell nothing of later ones. */
  private Optional<BufferObservation.Tail> tail(Edge now) {
    if (unsettled > 0) {
      unsettled -= now.took.total() > 0 ? 1 : 0;
      return Optional.empty();
    }
    return tail.tail(now.atNanos, now.took, answers.sum(), now.carriedTogether);
  }

  private BufferObservation observation(Edge from, Edge now, String target, long atRisk) {
    long nanos = now.atNanos;
    double seconds = (nanos - from.atNanos) / 1e9;
    double rate = seconds > 0 ? (now.calls - from.calls) / seconds : 0;
    TimeCounts.Snapshot took = now.took.since(from.took);
    TimeCounts.Snapshot fresh = now.fresh.since(from.fresh);
    return new BufferObservation(
        nanos,
        target,
        bytesEach > 0
            ? Optional.of(new BufferObservation.Writes(nanos, rate, bytesEach))
            : Optional.empty(),
        took.total() == 0
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Requests(
                    nanos,
                    (double) (now.carriedTogether - from.carriedTogether)
                        / (now.carried - from.carried),
                    (double) took.percentile(99),
                    (double) took.percentile(50))),
        tail(now),
        fresh.total() == 0
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Freshness(
                    nanos, fresh.total(), (double) fresh.percentile(99))),
        atRisk);
  }
}
