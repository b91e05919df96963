package org.calando.core.policy.joint;

import java.util.List;
import java.util.Optional;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Correction;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Words;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.JointModel.Forecast;
import org.calando.core.policy.joint.JointState.Learnt;

/** What is known when a joint decision is taken. Immutable and thread safe. */
final class JointView {
  /** So few reads or writes say nothing of the slowest hundredth. */
  private static final long FEWEST = 100;

  /** Reads that may be slower than what is promised of 99 %. */
  private static final double SLOWEST = 0.01;

  private final JointCluster cluster;
  private final Promise promise;
  private final JointLimits limits;
  private final AdaptiveConfig correcting;
  private final Signals signals;
  private final JointState last;
  private final Optional<Observation> reads;
  private final Optional<GearObservation> gears;
  private final Optional<ReadLatency> latency;
  private final NodesSeen nodes;

  /**
   * Of signals.
   *
   * @param last what was decided last
   */
  JointView(
      JointCluster cluster,
      Promise promise,
      JointLimits limits,
      AdaptiveConfig correcting,
      Signals signals,
      JointState last) {
    this.cluster = cluster;
    this.promise = promise;
    this.limits = limits;
    this.correcting = correcting;
    this.signals = signals;
    this.last = last;
    this.reads = fresh(Observation.READS);
    this.gears = fresh(GearObservation.GEARS);
    this.latency = fresh(ReadLatency.SIGNAL);
    this.nodes =
        new NodesSeen(
            cluster,
            fresh(ClockObservation.CLOCKS).map(ClockObservation::nodes).orElse(List.of()),
            this::isFresh);
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

  /** Whether it is known which replicas answer. */
  boolean isObserved() {
    return reads.isPresent();
  }

  /** The gear whose replicas answer: lower than the gear while nodes boot, or have failed. */
  int serving() {
    return reads.map(each -> cluster.serving(gear(), each.liveReplicas())).orElse(gear());
  }

  /**
   * Replicas that a read may ask now: those that answer, and no more than would be left of those
   * that are to, if as many failed as may.
   */
  int mostReplicas() {
    if (cluster.placing() != Placing.REPLICAS) {
      return cluster.strong(cluster.highest());
    }
    int live = reads.map(Observation::liveReplicas).orElse(cluster.copies(gear()));
    int on = live + failedReplicas();
    int survive = promise.count(Promised.SURVIVE).orElse(0);
    return Math.max(1, Math.min(live, on - survive));
  }

  /** What a freshness of so many replicas gives way to; empty if so many may be asked. */
  Optional<String> givesWay(int wanted) {
    int most = mostReplicas();
    if (wanted <= most) {
      return Optional.empty();
    }
    int live = reads.map(Observation::liveReplicas).orElse(cluster.copies(gear()));
    return Optional.of(
        "reads may be staler than promised: %s would not be, %s"
            .formatted(
                Words.replicas(wanted),
                live <= most
                    ? live + " answer"
                    : "no more than %d may be asked as others may fail".formatted(most)));
  }

  /**
   * Replicas that do not answer and are neither off by order nor booting. One whose node is back
   * and that does not answer yet lacks writes, and is as away as before; one that has just answered
   * does not boot, whatever is known of its node yet.
   */
  private int failedReplicas() {
    JointState.Times times = last.times();
    boolean fewer = serving() < last.set().serving();
    // Nodes that boot have not served since the gear was ordered.
    boolean boots = times.servedNanos() >= times.gearNanos() && !fewer;
    boolean failed = cluster.highest() == 1 || failedNodes() > 0 || times.lateNanos() > 0 || !boots;
    return failed ? reads.map(Observation::awayReplicas).orElse(0) : 0;
  }

  private int failedNodes() {
    return gears.map(GearObservation::failedNodes).orElse(0);
  }

  /** Whether a node that is to serve does not, as far as is known. */
  boolean hasFailed() {
    return cluster.highest() == 1
        ? reads.filter(each -> each.awayReplicas() > 0).isPresent()
        : failedNodes() > 0;
  }

  /** Whether a node that serves has yet to get what it missed. */
  boolean owes() {
    return nodes.owe();
  }

  boolean isStrained() {
    return reads.filter(Observation::strained).isPresent();
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
  Optional<String> unknown(JointState state) {
    if (reads.isEmpty()) {
      return Optional.of("the table is not observed");
    }
    Observation o = reads.get();
    if (o.strained()) {
      return Optional.of("most canaries have no answer");
    }
    if (cluster.highest() == 1 && o.awayReplicas() > 0) {
      return Optional.of(Words.replicas(o.awayReplicas()) + " away");
    }
    if (o.rates().filter(rates -> isFresh(rates.atNanos()) && isSound(rates)).isEmpty()) {
      return Optional.of("the rates of reads and writes are unknown");
    }
    if (cluster.highest() > 1 && gears.isEmpty()) {
      return Optional.of("the gear is unknown");
    }
    int failed = failedNodes();
    if (failed > 0) {
      return Optional.of(failed + (failed == 1 ? " node does" : " nodes do") + " not serve");
    }
    if (nodes.busyShare() < 0) {
      return Optional.of("it is unknown how busy the nodes are");
    }
    Optional<String> silent = hasReturned(state) ? Optional.empty() : nodes.silent();
    if (silent.isPresent()) {
      return Optional.of("it is unknown how busy node " + silent.get() + " is");
    }
    boolean told =
        latency.filter(seen -> isEnough(seen) || o.rates().get().readsPerSecond() == 0).isPresent();
    return promise.limit(Promised.READ_P99).isPresent() && !told
        ? Optional.of("it is unknown how long reads take")
        : Optional.empty();
  }

  /** Whether nodes boot, or have just done so: they need not tell yet what they do. */
  private boolean hasReturned(JointState state) {
    return serving() < gear()
        || (state.times().lateNanos() > 0 && state.times().servedNanos() < limits.recoveryNanos());
  }

  private static boolean isEnough(ReadLatency seen) {
    return seen.reads() + seen.errors() >= FEWEST;
  }

  private static boolean isSound(Observation.Rates rates) {
    double sum = rates.readsPerSecond() + rates.writesPerSecond();
    return rates.readsPerSecond() >= 0
        && rates.writesPerSecond() >= 0
        && sum < Double.POSITIVE_INFINITY;
  }

  /** The part of the promise that is seen to be broken, in words. */
  Optional<String> broken() {
    return slowReads().or(this::lateWrites);
  }

  private Optional<String> slowReads() {
    double limit = promise.limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    if (promise.limit(Promised.READ_P99).isEmpty()
        || latency.filter(JointView::isEnough).isEmpty()) {
      return Optional.empty();
    }
    ReadLatency seen = latency.get();
    double failed = (double) seen.errors() / (seen.reads() + seen.errors());
    if (failed > SLOWEST) {
      return Optional.of(Words.percent(failed) + " of the operations failed");
    }
    return seen.p99Seconds() > limit
        ? Optional.of(slower("reads took", seen.p99Seconds(), limit))
        : Optional.empty();
  }

  /** Deferring less takes effect at once. Where that does not do, servers are too few. */
  private Optional<String> lateWrites() {
    double limit = promise.limit(Promised.FRESH).orElse(Double.POSITIVE_INFINITY);
    return fresh(BufferObservation.WRITES)
        .flatMap(BufferObservation::freshness)
        .filter(seen -> isFresh(seen.atNanos()) && seen.count() >= FEWEST)
        .map(seen -> seen.p99Nanos() / 1e9)
        .filter(seconds -> seconds > limit)
        .map(seconds -> slower("writes could be read after", seconds, limit));
  }

  private static String slower(String what, double seconds, double limit) {
    return "99 %% of the %s %s ms, %s ms are promised"
        .formatted(what, Words.number(1000 * seconds), Words.number(1000 * limit));
  }

  /** Replicas that a safe read is to ask: a quorum, if strong ones ask more and may be stale. */
  int wantedSafe() {
    return cluster.fallback(promise).replicas();
  }

  /**
   * What a read asks while nothing is known well. Where most canaries have no answer, more would
   * add to a load that is too much: fewer stay, and more end.
   */
  ReadChoice safeReads(JointState state) {
    ReadChoice safe = ReadChoice.of(Math.min(wantedSafe(), mostReplicas()));
    ReadChoice set = inForce(state);
    return isStrained() && set.replicas() < safe.replicas() ? set : safe;
  }

  /**
   * Takes in what canary reads found, which is told once: replicas that lack writes are left out.
   */
  Learnt told(JointState state) {
    Correction stale = state.learnt().stale();
    return state
        .learnt()
        .with(
            reads
                .filter(o -> state.times().lateNanos() == 0 && o.awayReplicas() == 0)
                .flatMap(Observation::truth)
                .filter(truth -> isFresh(truth.atNanos()))
                .map(truth -> stale.with(truth, correcting))
                .orElse(stale));
  }

  /** Takes in how what is seen differs from what was predicted. */
  Learnt learn(JointState state, long passedNanos) {
    Observation.Rates rates = reads.orElseThrow().rates().orElseThrow();
    Learnt learnt = state.learnt();
    LoadTrend load =
        learnt
            .load()
            .with(
                rates.readsPerSecond() + rates.writesPerSecond(),
                passedNanos / 1e9,
                cluster.profile().bootSeconds());
    Correction stale = learnt.stale().faded(passedNanos, correcting);
    double work = learnt.work();
    double took = learnt.latency();
    // A master and its replicas differ by what they are, which the model knows.
    double skew =
        cluster.placing() == Placing.MASTER
            ? 1
            : Math.max(1, Learning.smoothed(learnt.skew(), nodes.skew(), learnt.skew()));
    // Nodes that leave share the work for a while, and those that return have more of it.
    boolean serves =
        state.times().servedNanos() >= limits.easeNanos()
            && serving() == state.set().serving()
            && !(cluster.placing() == Placing.SERVERS && owes());
    if (serves) {
      JointModel model = model(new Learnt(work, took, skew, stale, load));
      Forecast atFastest = model.of(serving(), 0, inForce(state));
      double seen = Learning.smoothed(work, nodes.busyShare(), atFastest.meanBusyShare());
      work = nodes.isSaturated() ? Math.max(work, seen) : seen;
      boolean rests = state.times().sameNanos() >= limits.easeNanos();
      // What may be no more than a slow second is answered, and not learnt yet.
      boolean lasts = broken().isEmpty() || state.times().brokenNanos() >= limits.easeNanos();
      if (rests && lasts && latency.isPresent() && latency.get().reads() >= FEWEST) {
        double predicted = model.of(serving(), clock(state), inForce(state)).p99Seconds();
        took = Learning.smoothed(took, latency.get().p99Seconds(), predicted);
      }
    }
    return new Learnt(work, took, skew, stale, load);
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
        learnt.skew(),
        writesEach());
  }

  /** Writes that a request carries, as clients defer them. */
  private double writesEach() {
    return fresh(BufferObservation.WRITES)
        .flatMap(BufferObservation::requests)
        .filter(sent -> isFresh(sent.atNanos()) && sent.writesEach() >= 1)
        .map(BufferObservation.Requests::writesEach)
        .orElse(1.0);
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

  /** What reads ask of those that answer; before the first decision what is safe. */
  ReadChoice inForce(JointState state) {
    ReadChoice set = state.set().gear() == 0 ? ReadChoice.of(wantedSafe()) : state.set().reads();
    int most = mostReplicas();
    return set.replicas() < most ? set : ReadChoice.of(most);
  }

  /** Clocks of all nodes. */
  List<Setting<Long>> clocks(long kHz) {
    return nodes.clocks(kHz, limits.busyShare());
  }
}
