package org.calando.store.cassandra.promise;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.PromiseFigure;
import org.calando.store.cassandra.NodeLatencies;

/*
 * The counts of all nodes add up, and so the percentile is that of all reads: those of virtual tables are one for each node
 * and table, of which only bounds can be had. A question takes a connection, so they are asked each 10 s; a node that has
 * not answered is not asked again before it has, and while a node is silent nothing is known.
 */
/**
 * The 99th percentile of clients' reads in the last minute, by the histograms that coordinators
 * offer over JMX. Thread safe.
 */
final class ReadHistograms {
  /** What measures reads. */
  static final String SOURCE = "coordinators' histograms over JMX, last minute";

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A figure that is older is none of now. */
  private static final long VALID_NANOS = 3 * PAUSE_NANOS;

  private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final double SHARE = 0.99;
  private static final double MICROS = 1e-6;

  private final List<NodeLatencies> nodes;

  // All guarded by this.
  private final Deque<Sum> sums = new ArrayDeque<>();
  private List<CompletableFuture<long[]>> asked = List.of();
  private final Map<NodeLatencies, CompletableFuture<long[]>> calls = new HashMap<>();
  private long askedNanos;

  /** Counts of each node, in their order. */
  private record Sum(long atNanos, List<long[]> nodes) {}

  /** Asks nobody yet. */
  ReadHistograms(List<NodeLatencies> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** Takes what has been answered, and asks again when it is time; does not wait. */
  synchronized void ask(long nowNanos) {
    if (nodes.isEmpty()) {
      return;
    }
    if (!asked.isEmpty() && asked.stream().allMatch(CompletableFuture::isDone)) {
      take();
      asked = List.of();
    }
    if (!asked.isEmpty() && nowNanos - askedNanos >= GIVEN_UP_NANOS) {
      asked = List.of();
      sums.clear();
    }
    boolean due = askedNanos == 0 || nowNanos - askedNanos >= PAUSE_NANOS;
    if (asked.isEmpty() && due) {
      askedNanos = nowNanos;
      asked = nodes.stream().map(this::begin).toList();
    }
  }

  /** Not one whose last call hangs: that has a thread of its own, for RMI has no deadline. */
  private CompletableFuture<long[]> begin(NodeLatencies node) {
    CompletableFuture<long[]> last = calls.get(node);
    if (last != null && !last.isDone()) {
      return CompletableFuture.failedFuture(new FailedWorkException("hangs", node.toString(), ""));
    }
    CompletableFuture<long[]> call = node.ask();
    calls.put(node, call);
    return call;
  }

  /** How many nodes it asks. */
  int nodes() {
    return nodes.size();
  }

  private void take() {
    if (asked.stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
      // What the others count next is since before that.
      sums.clear();
      return;
    }
    add(askedNanos, asked.stream().map(CompletableFuture::join).toList());
  }

  /** Takes the counts of all nodes, by one question. */
  synchronized void add(long atNanos, List<long[]> counts) {
    sums.addLast(new Sum(atNanos, counts));
    while (sums.size() > 2 && atNanos - sums.getFirst().atNanos() > WINDOW_NANOS) {
      sums.removeFirst();
    }
  }

  /** Empty while it is not known, or nothing was read. */
  synchronized Optional<PromiseFigure> figure(long nowNanos) {
    if (sums.size() < 2 || nowNanos - sums.getLast().atNanos() > VALID_NANOS) {
      return Optional.empty();
    }
    return counted(sums.getFirst().nodes(), sums.getLast().nodes())
        .flatMap(ReadHistograms::percentile);
  }

  /** Empty if a node began to count anew. */
  private static Optional<long[]> counted(List<long[]> before, List<long[]> now) {
    long[] all = new long[now.stream().mapToInt(counts -> counts.length).max().orElse(0)];
    for (int node = 0; node < now.size(); node++) {
      long[] then = before.get(node);
      for (int bucket = 0; bucket < now.get(node).length; bucket++) {
        long more = now.get(node)[bucket] - (bucket < then.length ? then[bucket] : 0);
        if (more < 0) {
          return Optional.empty();
        }
        all[bucket] += more;
      }
    }
    return Optional.of(all);
  }

  /** Between the ends of the bucket that it is in. */
  private static Optional<PromiseFigure> percentile(long[] counts) {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    long rank = (long) Math.ceil(SHARE * total);
    List<Long> ends = ends(counts.length);
    long below = 0;
    for (int bucket = 0; bucket < counts.length && total > 0; bucket++) {
      below += counts[bucket];
      if (below >= rank) {
        double low = bucket == 0 ? 0 : Objects.requireNonNull(ends.get(bucket - 1)) * MICROS;
        double high =
            bucket == counts.length - 1
                ? Double.POSITIVE_INFINITY
                : Objects.requireNonNull(ends.get(bucket)) * MICROS;
        return Optional.of(
            new PromiseFigure(low, high, total, PromiseFigure.Kind.MEASURED, SOURCE));
      }
    }
    return Optional.empty();
  }

  /**
   * Where buckets end, in microseconds: each a fifth after the one before, whole, the last open.
   */
  static List<Long> ends(int buckets) {
    List<Long> ends = new ArrayList<>();
    long end = 1;
    for (int bucket = 0; bucket < buckets - 1; bucket++) {
      ends.add(end);
      end = Math.max(end + 1, Math.round(end * 1.2));
    }
    return ends;
  }
}
