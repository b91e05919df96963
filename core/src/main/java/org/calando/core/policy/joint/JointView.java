package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Correction;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Words;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.JointModel.Forecast;
import org.calando.core.policy.joint.JointState.Learnt;

/** What is known when a joint decision is taken. Immutable and thread safe. */
final class JointView {
  /** So few reads say nothing of the slowest hundredth. */
  private static final long FEWEST_READS = 100;

  private final JointCluster cluster;
  private final Promise promise;
  private final JointLimits limits;
  private final AdaptiveConfig correcting;
  private final Signals signals;
  private final Optional<Observation> reads;
  private final Optional<GearObservation> gears;
  private final Optional<ReadLatency> latency;
  private final List<Node> nodes;

  JointView(
      JointCluster cluster,
      Promise promise,
      JointLimits limits,
      AdaptiveConfig correcting,
      Signals signals) {
    this.cluster = cluster;
    this.promise = promise;
    this.limits = limits;
    this.correcting = correcting;
    this.signals = signals;
    this.reads = fresh(Observation.READS);
    this.gears = fresh(GearObservation.GEARS);
    this.latency = fresh(ReadLatency.SIGNAL);
    this.nodes = fresh(ClockObservation.CLOCKS).map(ClockObservation::nodes).orElse(List.of());
  }

  private <T> Optional<T> fresh(SignalId<T> id) {
    Signal<?> signal = signals.byId().get(id);
    return signal != null && isFresh(signal.atNanos()) ? signals.find(id) : Optional.empty();
  }

  private boolean isFresh(long atNanos) {
    long age = signals.atNanos() - atNanos;
    return age >= 0 && age <= limits.maxAgeNanos();
  }

  /** The gear that the cluster is in, or is being shifted to. */
  int gear() {
    return cluster.highest() == 1
        ? 1
        : gears.map(each -> Math.min(each.gear(), cluster.highest())).orElse(cluster.highest());
  }

  /** The gear whose replicas answer: lower than the gear while nodes boot. */
  int serving() {
    return reads
        .map(each -> cluster.serving(gear(), each.liveReplicas() + each.awayReplicas()))
        .orElse(gear());
  }

  String table() {
    return reads.map(Observation::target).orElse(signals.target());
  }

  String cluster() {
    return signals
        .find(GearObservation.GEARS)
        .map(GearObservation::target)
        .orElse(signals.target());
  }

  /** Why nothing may be eased; empty if all is known and well. */
  Optional<String> unknown() {
    if (reads.isEmpty()) {
      return Optional.of("the table is not observed");
    }
    Observation o = reads.get();
    if (o.strained()) {
      return Optional.of("most canaries have no answer");
    }
    if (o.awayReplicas() > 0) {
      return Optional.of(Words.replicas(o.awayReplicas()) + " away");
    }
    if (o.rates().filter(rates -> isFresh(rates.atNanos()) && isSound(rates)).isEmpty()) {
      return Optional.of("the rates of reads and writes are unknown");
    }
    if (cluster.highest() > 1 && gears.isEmpty()) {
      return Optional.of("the gear is unknown");
    }
    int failed = gears.map(GearObservation::failedNodes).orElse(0);
    if (failed > 0) {
      return Optional.of(failed + (failed == 1 ? " node does" : " nodes do") + " not serve");
    }
    if (busyShare() < 0) {
      return Optional.of("it is unknown how busy the nodes are");
    }
    return promise.limit(Promised.READ_P99).isPresent() && latency.isEmpty()
        ? Optional.of("it is unknown how long reads take")
        : Optional.empty();
  }

  private static boolean isSound(Observation.Rates rates) {
    double sum = rates.readsPerSecond() + rates.writesPerSecond();
    return rates.readsPerSecond() >= 0
        && rates.writesPerSecond() >= 0
        && sum < Double.POSITIVE_INFINITY;
  }

  /** The part of the promise that is seen to be broken, in words. */
  Optional<String> broken() {
    double limit = promise.limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    return latency
        .filter(seen -> seen.reads() >= FEWEST_READS && seen.p99Seconds() > limit)
        .map(
            seen ->
                "99 %% of the reads took %s ms, %s ms are promised"
                    .formatted(Words.number(1000 * seen.p99Seconds()), Words.number(1000 * limit)));
  }

  /** Replicas that a safe read asks, as far as they are on: a quorum at most. */
  int safeReplicas() {
    int quorum = cluster.replicas() / 2 + 1;
    int wanted = Math.min(quorum, cluster.strong(cluster.highest()));
    return Math.min(wanted, cluster.copies(serving()));
  }

  /** Mean busy share of the cores that were looked at, at the fastest clock; -1 if unknown. */
  private double busyShare() {
    return busy().average().orElse(-1);
  }

  /** The busiest node over the mean; 0 if unknown. */
  private double skew() {
    double mean = busyShare();
    return mean > 0 ? busy().max().orElse(0) / mean : 0;
  }

  private DoubleStream busy() {
    return nodes.stream()
        .flatMap(node -> node.work().stream())
        .filter(work -> isFresh(work.atNanos()) && work.busyShare() >= 0)
        .mapToDouble(work -> work.busyShare() * work.clockKHz() / cluster.clocksKHz().get(0));
  }

  /** Takes in how what is seen differs from what was predicted. */
  Learnt learn(JointState state, long passedNanos) {
    Observation o = reads.orElseThrow();
    Observation.Rates rates = o.rates().orElseThrow();
    Learnt learnt =
        Learning.load(
            state.learnt(), rates.readsPerSecond() + rates.writesPerSecond(), passedNanos / 1e9);
    Correction stale = learnt.stale();
    if (o.truth().isPresent() && isFresh(o.truth().get().atNanos())) {
      stale = stale.with(o.truth().get(), correcting);
    }
    stale = stale.faded(passedNanos, correcting);
    double work = learnt.work();
    double took = learnt.latency();
    double skew = Math.max(1, Learning.smoothed(learnt.skew(), skew(), learnt.skew()));
    if (state.set().gear() > 0) {
      JointModel model = model(new Learnt(work, took, skew, stale, 0, 0));
      Forecast atFastest = model.of(serving(), 0, inForce(state));
      work = Learning.smoothed(work, busyShare(), atFastest.meanBusyShare());
      boolean rests =
          state.times().sameNanos() >= limits.easeNanos() && serving() == state.set().serving();
      if (rests && latency.isPresent() && latency.get().reads() >= FEWEST_READS) {
        double predicted = model.of(serving(), clock(state), inForce(state)).p99Seconds();
        took = Learning.smoothed(took, latency.get().p99Seconds(), predicted);
      }
    }
    return new Learnt(work, took, skew, stale, learnt.perSecond(), learnt.trend());
  }

  /** Finds settings for the load as it is. */
  JointSearch search(JointState state) {
    JointModel model = model(state.learnt());
    double stay =
        state.set().gear() == 0
            ? 0
            : model.of(serving(), clock(state), inForce(state)).staySeconds();
    return new JointSearch(model, stale(), state.learnt().stale(), stay, promise, limits);
  }

  private JointModel model(Learnt learnt) {
    Observation.Rates rates = reads.orElseThrow().rates().orElseThrow();
    return new JointModel(
        cluster,
        rates.readsPerSecond(),
        rates.writesPerSecond(),
        learnt.work(),
        learnt.latency(),
        learnt.skew());
  }

  private Optional<StaleForecast> stale() {
    return reads
        .filter(o -> o.lags().filter(lags -> isFresh(lags.atNanos())).isPresent())
        .filter(o -> o.lags().orElseThrow().sample().replicas() == cluster.replicas())
        .filter(o -> o.popularity().filter(each -> isFresh(each.atNanos())).isPresent())
        .map(o -> new StaleForecast(cluster, o, serving()));
  }

  private int clock(JointState state) {
    return Math.max(0, cluster.clocksKHz().indexOf(state.set().kHz()));
  }

  /** What reads ask in the gear that serves; before the first decision what is safe. */
  ReadChoice inForce(JointState state) {
    ReadChoice set = state.set().gear() == 0 ? ReadChoice.of(safeReplicas()) : state.set().reads();
    int copies = cluster.copies(serving());
    return set.replicas() < copies ? set : ReadChoice.of(copies);
  }

  /** Clocks of all nodes: those that would be too busy at this one run faster. */
  List<Setting<Long>> clocks(long kHz) {
    List<Setting<Long>> settings = new ArrayList<>();
    for (Node node : nodes) {
      long clock = node.highestKHz();
      for (long each : node.clocksKHz()) {
        boolean busy =
            node.work()
                .filter(work -> work.busyShare() * work.clockKHz() > limits.busyShare() * each)
                .isPresent();
        clock = each >= kHz && !busy ? each : clock;
      }
      settings.add(new Setting<>(KnobId.CLOCK, node.name(), clock));
    }
    return settings;
  }
}
