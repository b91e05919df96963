package org.calando.governor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.CalandoException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.engine.Target;
import org.calando.power.schema.PowerSpec;
import org.calando.study.ClusterMetering;
import org.calando.study.RunMeter;

/**
 * Observes what a cluster draws and what its clients ask of it; sets nothing and puts no load on
 * it. Its methods are for one thread.
 */
final class ClusterObserver implements AutoCloseable {
  private final ClusterMetering metering;
  private final ClientRequests requests;
  private final ClusterAccount account;
  private final long periodNanos;
  private final RunMeter meter;
  private long dueNanos;
  private volatile long knownNanos;
  private volatile boolean counts;
  private volatile boolean asking;
  private volatile boolean late;

  private ClusterObserver(
      ClusterMetering metering,
      RunMeter meter,
      ClientRequests requests,
      ClusterAccount account,
      long periodNanos) {
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
      return new ClusterObserver(metering, open(metering, account), requests, account, periodNanos);
    } catch (RuntimeException | InterruptedException | Error e) {
      requests.close();
      throw e;
    }
  }

  private static RunMeter open(ClusterMetering metering, ClusterAccount account)
      throws InterruptedException {
    return metering.watch(row -> account.row(row, System.nanoTime()));
  }

  /** Asks for requests when that is due. */
  void tick(long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + periodNanos;
      if (asking) {
        // What it answers is of more than this period.
        late = true;
        account.period(Counts.UNKNOWN, nowNanos);
      } else {
        ask();
      }
    }
  }

  private void ask() {
    late = false;
    asking = true;
    var unused =
        requests
            .ask()
            .whenComplete(
                (found, failed) -> {
                  boolean known = failed == null && !late;
                  long now = System.nanoTime();
                  account.period(known ? found : Counts.UNKNOWN, now);
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
