package org.calando.governor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.power.MeterInfo;
import org.calando.power.SampleRow;

/*
 *   meter     a row a node and second  -->  joules of the period  --+
 *                                                                   +-->  accounted, or unknown
 *   requests  counts at its end        -->  requests of the period -+
 *
 * A period counts only if each node's joules and requests are known: joules over the requests of some nodes, or of some
 * seconds, would be no figure of the cluster. Its edges are those of the counts; rows are about a second long, so a period
 * may have a second of its neighbour's, which the sum does not see. A meter whose last row is older than that at a period's
 * end has not covered it, nor the begin of the next. All time since the governor began is accounted or unknown.
 */
/**
 * The account of a cluster's joules and requests, for as long as the governor looks after it,
 * whether or not it is reached. Thread safe.
 */
final class ClusterAccount {
  private static final long LATE_ROW_NANOS = TimeUnit.SECONDS.toNanos(2);

  private Optional<MeterInfo> meter = Optional.empty();
  private String whyNoMeter = "not observed yet";
  private Map<String, Account> nodes = Map.of();
  private final Account whole = new Account();
  private long lateNanos = LATE_ROW_NANOS;
  private long begunNanos;
  private double accounted;
  private double unknown;
  private double joules;
  private long requests;
  private OptionalDouble lastPerKop = OptionalDouble.empty();
  private Map<String, NodePlace> places = Map.of();
  private Map<String, String> roles = Map.of();
  private Set<String> off = Set.of();
  private boolean asked = true;
  private boolean answered;

  /** Of a node. */
  private static final class Account {
    private OptionalDouble watts = OptionalDouble.empty();
    private double joules;
    private boolean drew;
    private double unknownSeconds;
    private double periodJoules;
    private boolean gap;
    private boolean missed;
    private int rows;
    private long rowNanos;
    private Optional<Count> last = Optional.empty();
    private OptionalDouble readsPerSecond = OptionalDouble.empty();
    private OptionalDouble writesPerSecond = OptionalDouble.empty();
    private boolean answered;
    private Optional<Boolean> answers = Optional.empty();
    private long reads;
    private long writes;

    private void opened(long nanos) {
      rowNanos = nanos;
      missed = false;
    }
  }

  /** Time is accounted, or unknown, from now on. */
  ClusterAccount(long nanos) {
    this.begunNanos = nanos;
  }

  /**
   * The cluster is reached, for the first time or again. Sums go on, unless another meter reads
   * than before: its joules are others.
   *
   * @param found what rows are of; empty if there are none
   * @param whyNone why not
   * @param intervalNanos from one row of a node to the next
   */
  synchronized void opened(
      List<String> names,
      Optional<MeterInfo> found,
      String whyNone,
      long intervalNanos,
      long nanos) {
    if (found.isPresent() && meter.isPresent() && !found.equals(meter)) {
      nodes = Map.of();
      accounted = 0;
      unknown = 0;
      joules = 0;
      requests = 0;
    }
    meter = found.or(() -> meter);
    whyNoMeter = whyNone;
    lateNanos = Math.max(LATE_ROW_NANOS, 2 * intervalNanos);
    Map<String, Account> all = new LinkedHashMap<>();
    names.forEach(name -> all.put(name, nodes.getOrDefault(name, new Account())));
    nodes = all;
    nodes.values().forEach(node -> node.opened(nanos));
    gap();
  }

  /** Where nodes are, by the user's file; those of it are known before the cluster is reached. */
  synchronized void placed(Map<String, NodePlace> byName) {
    places = Map.copyOf(byName);
    Map<String, Account> all = new LinkedHashMap<>();
    byName.keySet().forEach(name -> all.put(name, nodes.getOrDefault(name, new Account())));
    nodes = all;
  }

  /** Which nodes are off by order. */
  synchronized void off(Set<String> names) {
    off = Set.copyOf(names);
  }

  /** No node is ever asked. */
  synchronized void unasked() {
    asked = false;
  }

  /** Whether a node has answered since the cluster was lost; true where none is asked. */
  synchronized boolean isAnswered() {
    return answered || !asked;
  }

  /** Nothing is observed, until now. */
  synchronized void lost(long nanos) {
    answered = false;
    double seconds = (nanos - begunNanos) / 1e9;
    unknown += seconds;
    begunNanos = nanos;
    lastPerKop = OptionalDouble.empty();
    for (Account node : nodes.values()) {
      node.unknownSeconds += seconds;
      node.watts = OptionalDouble.empty();
      node.readsPerSecond = OptionalDouble.empty();
      node.writesPerSecond = OptionalDouble.empty();
      node.answers = node.answers.map(before -> false);
    }
  }

  /**
   * Takes what a node drew.
   *
   * @param nanos the end of the row's time, which begins at that of the row before
   */
  synchronized void row(SampleRow row, long nanos) {
    Account node = nodes.get(row.node());
    if (node == null) {
      return;
    }
    boolean read = !row.gap() && Double.isFinite(row.joules());
    // The first joules after an outage are those of the outage too, which is unknown already.
    boolean known = read && !node.missed;
    node.missed = !Double.isFinite(row.joules());
    node.watts = known ? OptionalDouble.of(row.watts()) : OptionalDouble.empty();
    node.gap |= !known;
    node.rows++;
    if (known) {
      node.drew = true;
      node.joules += row.joules();
      node.periodJoules += row.joules();
    } else {
      node.unknownSeconds += (nanos - node.rowNanos) / 1e9;
    }
    node.rowNanos = nanos;
  }

  /** Nothing is known of the period under way: the meter is opened anew. */
  synchronized void gap() {
    nodes.values().forEach(node -> node.gap = true);
  }

  /**
   * As {@link #period}, of an answer that is of more than its period: nodes answer all the same.
   */
  synchronized void late(Counts counts, long nanos) {
    answered |= counts.isAnswered();
    period(Counts.UNKNOWN, nanos);
  }

  /**
   * Ends a period.
   *
   * @param counts at its end
   * @param nanos its end
   */
  synchronized void period(Counts counts, long nanos) {
    answered |= counts.isAnswered();
    boolean summed = counts.writes().isEmpty();
    long before = whole.writes;
    boolean all = (answered(whole, counts.writes()) || summed) && meter.isPresent();
    long periodRequests = whole.writes - before;
    double periodJoules = 0;
    for (Map.Entry<String, Account> entry : nodes.entrySet()) {
      Account node = entry.getValue();
      long reads = node.reads;
      long writes = node.writes;
      boolean answered = answered(node, Optional.ofNullable(counts.nodes().get(entry.getKey())));
      boolean late = nanos - node.rowNanos > lateNanos;
      all &= answered && node.rows > 0 && !late && !node.gap;
      if (node.rows == 0) {
        // A meter that says nothing more is no node that draws nothing, nor what it drew before.
        node.watts = OptionalDouble.empty();
      }
      periodRequests += node.reads - reads + (summed ? node.writes - writes : 0);
      periodJoules += node.periodJoules;
      node.periodJoules = 0;
      node.gap = late;
      node.rows = 0;
    }
    double seconds = (nanos - begunNanos) / 1e9;
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
    node.answers = Optional.of(now.isPresent());
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

  /** What is known, without what knobs save. */
  ClusterFigures figures() {
    return figures(Optional.empty(), Map.of());
  }

  /**
   * What is known.
   *
   * @param saving what knobs save
   * @param nodeRoles what nodes say to be, as far as that is known
   */
  synchronized ClusterFigures figures(Optional<Saving> saving, Map<String, String> nodeRoles) {
    roles = nodeRoles;
    return new ClusterFigures(
        meter,
        whyNoMeter,
        accounted,
        unknown,
        joules,
        requests,
        lastPerKop,
        nodes.entrySet().stream().map(each -> node(each.getKey(), each.getValue())).toList(),
        saving);
  }

  private NodePlace place(String name, Account node) {
    NodePlace.Presence presence =
        off.contains(name)
            ? NodePlace.Presence.OFF
            : !asked
                ? NodePlace.Presence.UNKNOWN
                : node.answers
                    .map(one -> one ? NodePlace.Presence.ON : NodePlace.Presence.SILENT)
                    .orElse(NodePlace.Presence.UNKNOWN);
    return places
        .getOrDefault(name, NodePlace.NOWHERE)
        .with(presence, Optional.ofNullable(roles.get(name)));
  }

  private ClusterFigures.Node node(String name, Account node) {
    return new ClusterFigures.Node(
        name,
        node.watts,
        node.drew ? OptionalDouble.of(node.joules) : OptionalDouble.empty(),
        node.unknownSeconds,
        node.readsPerSecond,
        node.writesPerSecond,
        node.answered ? OptionalLong.of(node.reads) : OptionalLong.empty(),
        node.answered ? OptionalLong.of(node.writes) : OptionalLong.empty(),
        place(name, node));
  }
}
