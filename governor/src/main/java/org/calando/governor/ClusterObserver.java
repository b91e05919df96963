package org.calando.governor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.power.schema.PowerSpec;
import org.calando.study.ClusterMetering;
import org.calando.study.RunMeter;

/**
 * Observes what a cluster draws and what its clients ask of it; sets nothing and puts no load on
 * it. Its methods are for one thread.
 */
final class ClusterObserver implements AutoCloseable {
  private final Target cluster;
  private final ClusterMetering metering;
  private final ClientRequests requests;
  private final ClusterAccount account;
  private final long periodNanos;
  private final RunMeter meter;
  private Set<String> off;
  private Optional<String> offUnknown = Optional.empty();
  private long dueNanos;
  private volatile long knownNanos;
  private volatile boolean counts;
  private volatile boolean asking;
  private volatile boolean late;

  private ClusterObserver(
      Target cluster,
      Set<String> off,
      ClusterMetering metering,
      RunMeter meter,
      ClientRequests requests,
      ClusterAccount account,
      long periodNanos) {
    this.cluster = cluster;
    this.off = off;
    this.metering = metering;
    this.meter = meter;
    this.requests = requests;
    this.account = account;
    this.periodNanos = periodNanos;
    this.dueNanos = System.nanoTime();
    this.knownNanos = dueNanos;
  }

  /**
   * Begins to observe; blocks until nodes have been asked.
   *
   * @param periodNanos from one question for requests to the next
   * @param account of the cluster, which goes on when this is closed
   * @throws CalandoException if the cluster cannot be reached, or the meter that the file names
   *     cannot be read
   */
  static ClusterObserver start(
      Target cluster, PowerSpec power, long periodNanos, ClusterAccount account)
      throws InterruptedException {
    // Before the meter, which looks for itself: who goes off meanwhile is told of.
    Set<String> off = cluster.off();
    ClusterMetering metering = ClusterMetering.choose(power, cluster, Optional.empty());
    ClientRequests requests =
        cluster
            .find(ClientRequests.Source.class)
            .map(ClientRequests.Source::requests)
            .orElseGet(() -> ClientRequests.unknown("this engine counts none for the governor"));
    try {
      account.opened(
          cluster.nodes().stream().map(Target.Node::name).toList(),
          metering.info(),
          metering.words(),
          power.intervalNanos(),
          System.nanoTime());
      if (!requests.asks()) {
        account.unasked();
      }
      return new ClusterObserver(
          cluster, off, metering, open(metering, account), requests, account, periodNanos);
    } catch (RuntimeException | InterruptedException | Error e) {
      requests.close();
      throw e;
    }
  }

  private static RunMeter open(ClusterMetering metering, ClusterAccount account)
      throws InterruptedException {
    return metering.watch(row -> account.row(row, System.nanoTime()));
  }

  /** Asks for requests when that is due, and tells the meter which nodes are off by order. */
  void tick(long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + periodNanos;
      lookForOff();
      if (asking) {
        // What it answers is of more than this period.
        late = true;
        account.period(Counts.UNKNOWN, nowNanos);
      } else {
        ask();
      }
    }
  }

  /** Those that were off are so until the cluster's files can be read again. */
  private void lookForOff() {
    try {
      off = tell(off, cluster.off(), cluster::nodes, meter);
      account.off(off);
      offUnknown = Optional.empty();
    } catch (CalandoException e) {
      offUnknown = Optional.of("nodes that are off are not known: " + e.problem());
    }
  }

  /**
   * Nodes that go off are no gaps, and those that are on again are off no more, by the processes
   * that they have now.
   */
  static Set<String> tell(
      Set<String> before, Set<String> now, Supplier<List<Target.Node>> nodes, NodePresence meter) {
    now.stream().filter(node -> !before.contains(node)).forEach(meter::mayGoOff);
    if (!now.containsAll(before)) {
      for (Target.Node node : nodes.get()) {
        if (before.contains(node.name()) && !now.contains(node.name())) {
          node.pid().ifPresent(pid -> meter.cameBack(node.name(), pid, node.companions()));
          meter.isOn(node.name());
        }
      }
    }
    return now;
  }

  private void ask() {
    late = false;
    asking = true;
    var unused =
        requests
            .ask()
            .whenComplete(
                (found, failed) -> {
                  long now = System.nanoTime();
                  if (failed != null || late) {
                    account.late(failed == null ? found : Counts.UNKNOWN, now);
                  } else {
                    account.period(found, now);
                  }
                  if (failed == null && found.isAnswered()) {
                    counts = true;
                    knownNanos = now;
                  }
                  asking = false;
                });
  }

  /**
   * Since when no node has answered, where nodes do; 0 for engines whose nodes count no requests.
   */
  long silentNanos(long nowNanos) {
    return counts ? nowNanos - knownNanos : 0;
  }

  /** What is amiss, one sentence each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (metering.info().isEmpty()) {
      problems.add("no joules: " + metering.words());
    }
    offUnknown.ifPresent(problems::add);
    problems.addAll(requests.problems());
    if (late) {
      problems.add("requests: no answer within a period");
    }
    return problems;
  }

  @Override
  public void close() {
    try {
      requests.close();
    } finally {
      meter.close();
    }
  }
}
