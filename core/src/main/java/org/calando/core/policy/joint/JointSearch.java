package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Correction;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Words;
import org.calando.core.policy.joint.JointModel.Forecast;

/**
 * Finds the setting that keeps a promise with the fewest watts. Of one decision; not thread safe.
 *
 * @param model predicts work, latency and power
 * @param stale predicts stale reads; empty where they are unknown: reads are then strong
 * @param correction of stale reads, by canary reads
 * @param staySeconds how long a write now stays at a replica, by the model: lags are longer where
 *     it does so for longer
 * @param promise what is to be kept
 * @param limits what is left free
 */
record JointSearch(
    JointModel model,
    Optional<StaleForecast> stale,
    Correction correction,
    double staySeconds,
    Promise promise,
    JointLimits limits) {
  /** Shares of reads that ask one replica more are multiples of it, so that they do not jitter. */
  private static final double SHARES = 32;

  /** Of shares of reads. */
  private static final double ROUNDING = 1e-9;

  /** Lags that are longer by this have no end. */
  private static final double LONGEST = 1e6;

  /** A setting of all knobs, with its forecast. */
  record Found(int gear, int clock, ReadChoice reads, double stale, Forecast forecast) {
    double watts() {
      return forecast.watts();
    }
  }

  /**
   * What is to be chosen from.
   *
   * @param fewest replicas that reads ask at least, where as many may be asked
   * @param most replicas that they may ask, 1 or more: no promise of fresh reads is worth those
   *     that nobody answers
   * @param slowest index of the slowest clock
   */
  record Within(int fewest, int most, int slowest) {}

  /** All that a gear would allow if all of its nodes served. */
  Within all(int gear) {
    return new Within(1, Math.max(1, mostRead(gear)), model.cluster().clocksKHz().size() - 1);
  }

  /** The same at so many times the load. */
  JointSearch at(double factor) {
    return factor == 1
        ? this
        : new JointSearch(model.at(factor), stale, correction, staySeconds, promise, limits);
  }

  /** Replicas that answer in a gear once as many have failed as may; below 1 if none. */
  private int mostRead(int gear) {
    return model.cluster().copies(gear) - survive();
  }

  private int survive() {
    return promise.count(Promised.SURVIVE).orElse(0);
  }

  /** Why a gear is not allowed, whatever the load; empty if it is. */
  Optional<String> forbids(int gear) {
    JointCluster cluster = model.cluster();
    int copies = cluster.copies(gear);
    int wanted = promise.count(Promised.COPIES).orElse(1);
    if (copies < wanted) {
      return Optional.of(
          "gear %d would leave %s, %d are promised"
              .formatted(gear, Words.number(copies) + (copies == 1 ? " copy" : " copies"), wanted));
    }
    if (mostRead(gear) >= cluster.writeReplicas()) {
      return Optional.empty();
    }
    String writes = Words.replicas(cluster.writeReplicas());
    return Optional.of(
        survive() > 0
            ? "gear %d would not survive %d failed for writes at %s"
                .formatted(gear, survive(), writes)
            : "gear %d would refuse writes, which need %s".formatted(gear, writes));
  }

  /** The lowest gear that is allowed; the highest, if none is. */
  int lowestGear() {
    int gear = 1;
    while (gear < model.cluster().highest() && forbids(gear).isPresent()) {
      gear++;
    }
    return gear;
  }

  /**
   * The setting of the fewest watts in a gear that keeps the promise.
   *
   * @param free part of each limit that is to be free
   * @return empty if no setting does
   */
  Optional<Found> cheapest(int gear, double free, Within within) {
    Found best = null;
    if (forbids(gear).isPresent()) {
      return Optional.empty();
    }
    // From the slowest on, the cheapest if it keeps the promise: what reads of one replica draw
    // bounds the others, whose staleness is not asked for then. Of two alike, the faster one.
    for (int clock = within.slowest(); clock >= 0; clock--) {
      Forecast least = model.of(gear, clock, ReadChoice.of(1));
      if (!keeps(least, free) || (best != null && least.watts() > best.watts())) {
        continue;
      }
      Found found = at(gear, clock, free, within);
      if (keeps(found.forecast(), free)
          && isFresh(found, free)
          && (best == null || found.watts() <= best.watts())) {
        best = found;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The weakest reads at a gear and clock whose staleness keeps the promise, whatever they take;
   * the most that may be asked, where these are fewer.
   */
  Found at(int gear, int clock, double free, Within within) {
    ReadChoice reads = weakest(gear, clock, free, within);
    return found(
        gear, clock, reads.replicas() < within.most() ? reads : ReadChoice.of(within.most()));
  }

  /** Whether no more reads are stale than is promised, and none for longer. */
  boolean isFresh(Found found, double free) {
    return found.stale() <= staleLimit() * (1 - free) + ROUNDING
        && isTimely(found.gear(), found.clock(), found.reads(), free);
  }

  /** Share of reads that may be stale: any, where only by how much time they may be is promised. */
  private double staleLimit() {
    return promise.limit(Promised.STALE).orElse(mayBeLate() ? 1 : 0);
  }

  /** Whether it is promised within which time a write is read, and reads may go to replicas. */
  private boolean mayBeLate() {
    return model.cluster().placing() == Placing.MASTER && promise.limit(Promised.FRESH).isPresent();
  }

  /** Whether reads find each write within the promised time. */
  private boolean isTimely(int gear, int clock, ReadChoice reads, double free) {
    return !mayBeLate()
        || reads.replicas() >= model.cluster().strong(gear)
        || latestSeconds(gear, clock) <= promise.limit(Promised.FRESH).orElse(0) * (1 - free);
  }

  /** How late a replica is at most. */
  private double latestSeconds(int gear, int clock) {
    return lagFactor(gear, clock, ReadChoice.of(1))
        * stale.map(StaleForecast::latestSeconds).orElse(Double.POSITIVE_INFINITY);
  }

  /** A setting with its forecast. */
  Found found(int gear, int clock, ReadChoice reads) {
    double lags = lagFactor(gear, clock, reads);
    double rate = rate(gear, reads.replicas(), lags);
    double above = reads.shareAbove() == 0 ? rate : rate(gear, reads.replicas() + 1, lags);
    double stale = rate + reads.shareAbove() * (above - rate);
    return new Found(gear, clock, reads, stale, model.of(gear, clock, reads));
  }

  private ReadChoice weakest(int gear, int clock, double free, Within within) {
    int first = Math.max(1, Math.min(within.fewest(), within.most()));
    int strong = Math.max(first, model.cluster().strong(gear));
    boolean mayBeStale = promise.limit(Promised.STALE).isPresent() || mayBeLate();
    if (stale.isEmpty() || !mayBeStale || !isTimely(gear, clock, ReadChoice.of(first), free)) {
      return ReadChoice.of(strong);
    }
    double allowed = staleLimit() * (1 - free);
    for (int read = first; read < strong; read++) {
      double rate = rate(gear, read, lagFactor(gear, clock, ReadChoice.of(read)));
      if (rate <= allowed) {
        return mixed(read, first, below(gear, clock, read, first), rate, allowed);
      }
    }
    return mixed(strong, first, below(gear, clock, strong, first), 0, allowed);
  }

  /**
   * The rate of one replica fewer, under the work of these: lags of a mix are no longer. Reads at
   * the master are no work of replicas, so there they are at most those of the weaker part.
   */
  private double below(int gear, int clock, int read, int first) {
    int under = model.cluster().placing() == Placing.MASTER ? read - 1 : read;
    return read == first ? 1 : rate(gear, read - 1, lagFactor(gear, clock, ReadChoice.of(under)));
  }

  /** One replica fewer for as many of the reads as the limit leaves. */
  private static ReadChoice mixed(int read, int first, double below, double rate, double allowed) {
    if (read == first || below <= rate) {
      return ReadChoice.of(read);
    }
    double share = Math.ceil((below - allowed) / (below - rate) * SHARES) / SHARES;
    return share < 1 ? new ReadChoice(read - 1, Math.max(0, share)) : ReadChoice.of(read);
  }

  /** The corrected share of stale reads of so many replicas. */
  double rate(int gear, int read, double lagFactor) {
    if (read >= model.cluster().strong(gear)) {
      return 0;
    }
    return stale
        .map(each -> each.rate(gear, read, model.writesPerSecond() * lagFactor))
        .map(correction::corrected)
        .orElse(1.0);
  }

  /** How much longer lags are than now: never shorter, as links do not know the load. */
  double lagFactor(int gear, int clock, ReadChoice reads) {
    double stay = model.of(gear, clock, reads).staySeconds();
    return staySeconds > 0 ? Math.max(1, Math.min(LONGEST, stay / staySeconds)) : 1;
  }

  /** Whether a forecast keeps to what is promised of time, and to what nodes can do. */
  boolean keeps(Forecast forecast, double free) {
    return breaks(forecast, free).isEmpty();
  }

  /** What of a forecast breaks the promise, or would overload nodes; empty if nothing does. */
  Optional<String> breaks(Forecast forecast, double free) {
    if (!(forecast.busyShare() <= limits.busyShare() * (1 - (free - limits.margin())))) {
      return Optional.of("keep nodes busy for " + Words.percent(forecast.busyShare()));
    }
    double limit = promise.limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    return forecast.p99Seconds() <= limit * (1 - free)
        ? Optional.empty()
        : Optional.of(
            "have 99 %% of the reads within %s ms, %s ms are promised"
                .formatted(Words.number(1000 * forecast.p99Seconds()), Words.number(1000 * limit)));
  }

  /** Why no setting that is one step cheaper than this one will do, each in words. */
  List<String> binds(Found found, double free) {
    List<String> binds = new ArrayList<>();
    weaker(found, free).ifPresent(binds::add);
    if (found.gear() > 1) {
      int lower = found.gear() - 1;
      forbids(lower)
          .or(
              () ->
                  breaks(at(lower, 0, free, all(lower)).forecast(), free)
                      .map(what -> "gear " + lower + " would " + what))
          .ifPresent(binds::add);
    }
    if (found.clock() + 1 < model.cluster().clocksKHz().size()) {
      int slower = found.clock() + 1;
      breaks(at(found.gear(), slower, free, all(found.gear())).forecast(), free)
          .ifPresent(
              what ->
                  binds.add(
                      Words.number(model.cluster().clocksKHz().get(slower) / 1e6)
                          + " GHz would "
                          + what));
    }
    return binds;
  }

  /** Why reads do not ask less. */
  private Optional<String> weaker(Found found, double free) {
    int fewer = found.reads().replicas() - (found.reads().shareAbove() > 0 ? 0 : 1);
    if (fewer < 1 || !(promise.limit(Promised.STALE).isPresent() || mayBeLate())) {
      return Optional.empty();
    }
    if (stale.isEmpty()) {
      return Optional.of(
          model.cluster().placing() == Placing.MASTER
              ? "how late replicas are is unknown"
              : "how stale fewer replicas are is unknown");
    }
    if (!isTimely(found.gear(), found.clock(), ReadChoice.of(fewer), free)) {
      if (latestSeconds(found.gear(), found.clock()) == Double.POSITIVE_INFINITY) {
        return Optional.of("how late a replica is is unknown");
      }
      return Optional.of(
          "replicas may be %s ms late, %s ms are promised"
              .formatted(
                  Words.number(1000 * latestSeconds(found.gear(), found.clock())),
                  Words.number(1000 * promise.limit(Promised.FRESH).orElse(0))));
    }
    double rate =
        rate(found.gear(), fewer, lagFactor(found.gear(), found.clock(), ReadChoice.of(fewer)));
    return rate > staleLimit() * (1 - free)
        ? Optional.of(
            "%s would be %s stale, %s is promised"
                .formatted(level(fewer), Words.percent(rate), Words.percent(staleLimit())))
        : Optional.empty();
  }

  private String level(int replicas) {
    if (model.cluster().placing() == Placing.MASTER) {
      return "reads at replicas";
    }
    return replicas == 1 ? "ONE" : Words.replicas(replicas);
  }
}
