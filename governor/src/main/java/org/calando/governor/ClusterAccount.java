package org.calando.governor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.power.MeterInfo;
import org.calando.power.SampleRow;

/*
 *   meter     a row a node and second  -->  joules of the period  --+
 *                                                                   +-->  accounted, or unknown
 *   requests  counts at its end        -->  requests of the period -+
 *
 * A period counts only if each node's joules and requests are known: joules over the requests of some nodes, or of some
 * seconds, would be no figure of the cluster. Its edges are those of the counts; rows are whole seconds, so a period may
 * have a second of its neighbour's, which the sum does not see.
 */
/** The account of a cluster's joules and requests. Thread safe. */
final class ClusterAccount {
  private final Optional<MeterInfo> meter;
  private final String whyNoMeter;
  private final Map<String, Account> nodes = new LinkedHashMap<>();
  private long begunNanos;
  private boolean begun;
  private double accounted;
  private double unknown;
  private double joules;
  private long requests;
  private OptionalDouble lastPerKop = OptionalDouble.empty();

  /** Of a node. */
  private static final class Account {
    private OptionalDouble watts = OptionalDouble.empty();
    private double joules;
    private double unknownSeconds;
    private double periodJoules;
    private boolean gap;
    private int rows;
    private Optional<Count> last = Optional.empty();
    private OptionalDouble readsPerSecond = OptionalDouble.empty();
    private OptionalDouble writesPerSecond = OptionalDouble.empty();
    private boolean answered;
    private long reads;
    private long writes;
  }

  /**
   * An account that has not begun.
   *
   * @param meter what rows are of; empty if there are none
   * @param whyNoMeter why not
   */
  ClusterAccount(List<String> nodes, Optional<MeterInfo> meter, String whyNoMeter) {
    this.meter = meter;
    this.whyNoMeter = whyNoMeter;
    nodes.forEach(node -> this.nodes.put(node, new Account()));
  }

  /** Takes what a node drew. */
  synchronized void row(SampleRow row) {
    Account node = nodes.get(row.node());
    if (node == null) {
      return;
    }
    boolean known = !row.gap() && Double.isFinite(row.joules());
    node.watts = known ? OptionalDouble.of(row.watts()) : OptionalDouble.empty();
    node.gap |= !known;
    node.rows++;
    if (known) {
      node.joules += row.joules();
      node.periodJoules += row.joules();
    } else {
      node.unknownSeconds++;
    }
  }

  /** Nothing is known of the period under way: the meter is opened anew. */
  synchronized void gap() {
    nodes.values().forEach(node -> node.gap = true);
  }

  /**
   * Ends a period.
   *
   * @param counts by the nodes' names; without those that did not answer
   * @param nanos its end
   */
  synchronized void period(Map<String, Count> counts, long nanos) {
    boolean all = begun && meter.isPresent();
    double periodJoules = 0;
    long periodRequests = 0;
    for (Map.Entry<String, Account> entry : nodes.entrySet()) {
      Account node = entry.getValue();
      long before = node.reads + node.writes;
      boolean answered = answered(node, Optional.ofNullable(counts.get(entry.getKey())));
      all &= answered && node.rows > 0 && !node.gap;
      if (node.rows == 0) {
        // A meter that says nothing more is no node that draws nothing, nor what it drew before.
        node.watts = OptionalDouble.empty();
      }
      periodRequests += node.reads + node.writes - before;
      periodJoules += node.periodJoules;
      node.periodJoules = 0;
      node.gap = false;
      node.rows = 0;
    }
    double seconds = begun ? (nanos - begunNanos) / 1e9 : 0;
    begun = true;
    begunNanos = nanos;
    lastPerKop = OptionalDouble.empty();
    if (all) {
      accounted += seconds;
      joules += periodJoules;
      requests += periodRequests;
      if (periodRequests > 0) {
        lastPerKop = OptionalDouble.of(1000 * periodJoules / periodRequests);
      }
    } else {
      unknown += seconds;
    }
  }

  /** Returns whether it is known what the node answered in the period. */
  private static boolean answered(Account node, Optional<Count> now) {
    Optional<Count> before = node.last;
    node.last = now;
    node.readsPerSecond = OptionalDouble.empty();
    node.writesPerSecond = OptionalDouble.empty();
    if (now.isEmpty() || before.isEmpty() || !follows(now.get(), before.get())) {
      return false;
    }
    long reads = now.get().reads() - before.get().reads();
    long writes = now.get().writes() - before.get().writes();
    double seconds = (now.get().atNanos() - before.get().atNanos()) / 1e9;
    node.answered = true;
    node.reads += reads;
    node.writes += writes;
    node.readsPerSecond = OptionalDouble.of(reads / seconds);
    node.writesPerSecond = OptionalDouble.of(writes / seconds);
    return true;
  }

  private static boolean follows(Count now, Count before) {
    return now.life() == before.life()
        && now.atNanos() - before.atNanos() > 0
        && now.reads() >= before.reads()
        && now.writes() >= before.writes();
  }

  /** What is known. */
  synchronized ClusterFigures figures() {
    return new ClusterFigures(
        meter,
        whyNoMeter,
        accounted,
        unknown,
        joules,
        requests,
        lastPerKop,
        nodes.entrySet().stream().map(each -> node(each.getKey(), each.getValue())).toList());
  }

  private static ClusterFigures.Node node(String name, Account node) {
    return new ClusterFigures.Node(
        name,
        node.watts,
        node.joules,
        node.unknownSeconds,
        node.readsPerSecond,
        node.writesPerSecond,
        node.answered ? OptionalLong.of(node.reads) : OptionalLong.empty(),
        node.answered ? OptionalLong.of(node.writes) : OptionalLong.empty());
  }
}
