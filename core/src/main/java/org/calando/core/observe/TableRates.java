package org.calando.core.observe;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The requests for one table over all nodes, each node's rate taken over its own interval. Not
 * thread safe.
 */
public final class TableRates {
  private final Map<Object, Map<Count, CountMeter>> nodes = new HashMap<>();

  /** What nodes count for a table. */
  public enum Count {
    /** Reads of one partition, by their coordinator. */
    READS,
    /** Reads of a range of partitions, by their coordinator. */
    SCANS,
    /** Writes, by their coordinator or by each replica: {@link #sum(Set, ToDoubleFunction)}. */
    WRITES
  }

  /**
   * The sum over nodes.
   *
   * @param atNanos how old the oldest of the nodes' rates is
   * @param readsPerSecond reads, of one partition or of a range
   * @param writesPerSecond writes
   */
  public record Sum(long atNanos, double readsPerSecond, double writesPerSecond) {}

  /**
   * Takes an answer of a node.
   *
   * @param node names it, by equality
   * @param kind what it counted
   * @param connection names the connection to the node; another one may be to a restarted node
   * @param atNanos when the count was this
   * @param count since the node started
   */
  public void answered(Object node, Count kind, long connection, long atNanos, long count) {
    answered(node, kind, connection, atNanos, 0, count);
  }

  /**
   * Takes an answer of a node that took a while.
   *
   * @param atNanos when the count was this, within half of what the answer took
   * @param tookNanos 0 or more
   */
  public void answered(
      Object node, Count kind, long connection, long atNanos, long tookNanos, long count) {
    nodes
        .computeIfAbsent(node, id -> new EnumMap<>(Count.class))
        .computeIfAbsent(kind, each -> new CountMeter())
        .answered(connection, atNanos, tookNanos, count);
  }

  /** Forgets nodes that have left the cluster. */
  public void keepOnly(Set<?> present) {
    nodes.keySet().retainAll(present);
  }

  /** Adds up the last rates of nodes that count the writes which they coordinate. */
  public Optional<Sum> sum(Set<?> contributors) {
    return sum(contributors, node -> 1);
  }

  /**
   * Adds up the last rates of nodes.
   *
   * @param contributors the nodes that count now
   * @param ofOneWrite what a write that a node counts is of a client's write, above 0: less than 1
   *     where several nodes count each
   * @return empty while one of them has not told a rate, or if there is none
   */
  public <N> Optional<Sum> sum(Set<N> contributors, ToDoubleFunction<? super N> ofOneWrite) {
    double reads = 0;
    double writes = 0;
    List<Long> times = new ArrayList<>();
    for (N node : contributors) {
      Map<Count, CountMeter> meters = nodes.getOrDefault(node, Map.of());
      for (Count kind : Count.values()) {
        CountMeter meter = meters.get(kind);
        Optional<CountMeter.Rate> rate = meter == null ? Optional.empty() : meter.rate();
        if (rate.isEmpty()) {
          return Optional.empty();
        }
        times.add(rate.get().atNanos());
        if (kind == Count.WRITES) {
          writes += rate.get().perSecond() * ofOneWrite.applyAsDouble(node);
        } else {
          reads += rate.get().perSecond();
        }
      }
    }
    return oldest(times).isEmpty()
        ? Optional.empty()
        : Optional.of(new Sum(oldest(times).get(), reads, writes));
  }

  // The clock has no fixed zero and may be negative: times compare by their difference.
  private static Optional<Long> oldest(List<Long> times) {
    return times.stream().reduce((a, b) -> a - b < 0 ? a : b);
  }
}
