package org.calando.governor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.ClientRequests;
import org.calando.engine.Target;
import org.calando.power.schema.PowerSpec;
import org.calando.study.ClusterMetering;
import org.calando.study.RunMeter;
import org.jspecify.annotations.Nullable;

/**
 * Observes what a cluster draws and what its clients ask of it; sets nothing and puts no load on
 * it. Its methods are for one thread.
 */
final class ClusterObserver implements AutoCloseable {
  /** A meter holds each reading until it is opened anew. */
  private static final long METER_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ClusterMetering metering;
  private final @Nullable ClientRequests requests;
  private final ClusterAccount account;
  private final long periodNanos;
  private RunMeter meter;
  private long meterNanos;
  private long dueNanos;
  private List<String> unrenewed = List.of();
  private volatile boolean asking;

  private ClusterObserver(
      ClusterMetering metering,
      RunMeter meter,
      @Nullable ClientRequests requests,
      ClusterAccount account,
      long periodNanos) {
    this.metering = metering;
    this.meter = meter;
    this.requests = requests;
    this.account = account;
    this.periodNanos = periodNanos;
    this.meterNanos = System.nanoTime();
    this.dueNanos = meterNanos;
  }

  /**
   * Begins to observe; blocks until nodes have been asked.
   *
   * @param periodNanos from one question for requests to the next
   * @throws CalandoException if the cluster cannot be reached, or the meter that the file names
   *     cannot be read
   */
  static ClusterObserver start(Target cluster, PowerSpec power, long periodNanos)
      throws InterruptedException {
    ClusterMetering metering = ClusterMetering.choose(power, cluster, Optional.empty());
    ClusterAccount account =
        new ClusterAccount(
            cluster.nodes().stream().map(Target.Node::name).toList(),
            metering.info(),
            metering.words());
    @Nullable ClientRequests requests =
        cluster.find(ClientRequests.Source.class).map(ClientRequests.Source::requests).orElse(null);
    try {
      return new ClusterObserver(
          metering, metering.open(account::row), requests, account, periodNanos);
    } catch (RuntimeException | InterruptedException | Error e) {
      if (requests != null) {
        requests.close();
      }
      throw e;
    }
  }

  /** Does what is due: asks for requests, or opens the meter anew. */
  void tick(long nowNanos) throws InterruptedException {
    if (nowNanos - meterNanos > METER_NANOS) {
      meterNanos = nowNanos;
      renewMeter();
    }
    if (nowNanos - dueNanos >= 0 && !asking) {
      dueNanos = nowNanos + periodNanos;
      if (requests == null) {
        account.period(Map.of(), nowNanos);
        return;
      }
      asking = true;
      var unused =
          requests
              .ask()
              .whenComplete(
                  (counts, failed) -> {
                    account.period(failed == null ? counts : Map.of(), System.nanoTime());
                    asking = false;
                  });
    }
  }

  /** A meter of which a node cannot be read anew stays as it is, for another hour. */
  private void renewMeter() throws InterruptedException {
    try {
      RunMeter next = metering.open(account::row);
      meter.close();
      meter = next;
    } catch (FailedWorkException e) {
      unrenewed = List.of("the meter was not opened anew: " + e.getMessage());
      return;
    }
    unrenewed = List.of();
    account.gap();
  }

  /** What is known. */
  ClusterFigures figures() {
    return account.figures();
  }

  /** What is amiss, one sentence each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>(unrenewed);
    if (metering.info().isEmpty()) {
      problems.add("no joules: " + metering.words());
    }
    if (requests == null) {
      problems.add("no requests: this engine counts none for the governor yet");
    } else {
      problems.addAll(requests.problems());
    }
    return problems;
  }

  @Override
  public void close() {
    try {
      if (requests != null) {
        requests.close();
      }
    } finally {
      meter.close();
    }
  }
}
