package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.DoubleStream;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockObservation.Node;

/**
 * What is known of nodes when a joint decision is taken. Immutable and thread safe.
 *
 * @param nodes all of them; none if nothing is known
 * @param isFresh whether what is of a time counts still
 */
record NodesSeen(JointCluster cluster, List<Node> nodes, LongPredicate isFresh) {
  /** Cores that are so busy may have more to do than they did. */
  private static final double SATURATED = 0.95;

  /** Whether a node that serves has yet to get what it missed. */
  boolean owe() {
    return nodes.stream()
        .anyMatch(node -> node.view().servesReads() && node.view().lagBytes().orElse(0) > 0);
  }

  /** A node that is on, and of which nothing fresh tells how busy it is. */
  Optional<String> silent() {
    return nodes.stream()
        .filter(node -> node.view().servesReads() && node.work().filter(this::isKnown).isEmpty())
        .map(Node::name)
        .findFirst();
  }

  private boolean isKnown(ClockObservation.Work work) {
    return isFresh.test(work.atNanos()) && work.busyShare() >= 0;
  }

  /** Mean busy share of the cores that were looked at, at the fastest clock; -1 if unknown. */
  double busyShare() {
    return busy().average().orElse(-1);
  }

  /** The busiest node over the mean; 0 if unknown. */
  double skew() {
    double mean = busyShare();
    return mean > 0 ? busy().max().orElse(0) / mean : 0;
  }

  private DoubleStream busy() {
    return nodes.stream()
        .flatMap(node -> node.work().stream())
        .filter(this::isKnown)
        .mapToDouble(work -> work.busyShare() * work.clockKHz() / cluster.clocksKHz().get(0));
  }

  /** Whether one may have more to do than it did. */
  boolean isSaturated() {
    return nodes.stream()
        .flatMap(node -> node.work().stream())
        .anyMatch(work -> isFresh.test(work.atNanos()) && threadShare(work) > SATURATED);
  }

  /** Of the threads that do a node's work for clients. */
  private double threadShare(ClockObservation.Work work) {
    return work.busyShare() * ((double) cluster.profile().cores() / cluster.threads());
  }

  /**
   * Clocks of all nodes: those that would be too busy at one, and masters, run faster.
   *
   * @param most busy share
   */
  List<Setting<Long>> clocks(long kHz, double most) {
    List<Setting<Long>> settings = new ArrayList<>();
    for (Node node : nodes) {
      long clock = node.highestKHz();
      for (long each : node.clocksKHz()) {
        boolean busy =
            node.work()
                .filter(work -> threadShare(work) * work.clockKHz() > most * each)
                .isPresent();
        clock = each >= kHz && !busy && !isWaitedFor(node) ? each : clock;
      }
      settings.add(new Setting<>(KnobId.CLOCK, node.name(), clock));
    }
    return settings;
  }

  /** Whether a node is the master, or may be: clients wait for it. */
  private boolean isWaitedFor(Node node) {
    return cluster.placing() == Placing.MASTER && node.view().mayBeMaster();
  }
}
