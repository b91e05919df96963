package org.calando.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.calando.core.policy.Observation.Costs;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleEstimate;

/** Observations for tests, and estimates that are easy to steer. */
final class Observations {
  static final long SECOND = 1_000_000_000L;
  static final String TABLE = "shop.carts";

  private Observations() {}

  /** All figures fresh: 1000 uniform keys, the last replica 20 ms behind. */
  static Observation fresh(long atNanos, int replicas, int writeReplicas, double writesPerSecond) {
    double[] lags = new double[replicas];
    for (int i = writeReplicas; i < replicas; i++) {
      lags[i] = 0.02 * (i - writeReplicas + 1) / (replicas - writeReplicas);
    }
    return new Observation(
        atNanos,
        TABLE,
        replicas,
        writeReplicas,
        replicas,
        0,
        Optional.of(new Rates(atNanos, 1000, writesPerSecond, 1000)),
        Optional.of(new Lags(atNanos, PropagationLags.of(replicas, new double[][] {lags}))),
        Optional.of(new Popularity(atNanos, KeyPopularity.uniform(1000))),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** One whose {@link #steered} rate at one replica is given. */
  static Observation saying(double rate, long atNanos, int replicas, int writeReplicas) {
    return fresh(atNanos, replicas, writeReplicas, rate * 1000);
  }

  /** An estimate by the observation's writes: rate^X, and 0 where reads meet writes. */
  static StaleEstimate steered(Observation o) {
    double one = Math.min(1, o.rates().orElseThrow().writesPerSecond() / 1000);
    int meeting = o.replicas() - o.writeReplicas() + 1;
    return estimate(o.replicas(), read -> read >= meeting ? 0 : Math.pow(one, read));
  }

  static StaleEstimate estimate(int replicas, IntToDoubleFunction rate) {
    return new StaleEstimate() {
      @Override
      public int replicas() {
        return replicas;
      }

      @Override
      public double rate(int read) {
        return rate.applyAsDouble(read);
      }
    };
  }

  static Observation with(Observation o, Truth truth) {
    return rebuilt(o, o.liveReplicas(), o.rates(), o.lags(), o.popularity(), Optional.of(truth));
  }

  static Observation withLive(Observation o, int live) {
    return rebuilt(o, live, o.rates(), o.lags(), o.popularity(), o.truth());
  }

  static Observation with(Observation o, Rates rates) {
    return rebuilt(o, o.liveReplicas(), Optional.of(rates), o.lags(), o.popularity(), o.truth());
  }

  static Observation with(Observation o, Missed missed) {
    return new Observation(
        o.atNanos(),
        o.target(),
        o.replicas(),
        o.writeReplicas(),
        o.liveReplicas(),
        o.offReplicas(),
        o.rates(),
        o.lags(),
        o.popularity(),
        o.truth(),
        o.shadow(),
        Optional.of(missed),
        o.costs(),
        o.strained());
  }

  static Observation with(Observation o, Costs costs) {
    return new Observation(
        o.atNanos(),
        o.target(),
        o.replicas(),
        o.writeReplicas(),
        o.liveReplicas(),
        0,
        o.rates(),
        o.lags(),
        o.popularity(),
        o.truth(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(costs),
        false);
  }

  static Observation rebuilt(
      Observation o,
      int live,
      Optional<Rates> rates,
      Optional<Lags> lags,
      Optional<Popularity> popularity,
      Optional<Truth> truth) {
    return new Observation(
        o.atNanos(),
        o.target(),
        o.replicas(),
        o.writeReplicas(),
        live,
        0,
        rates,
        lags,
        popularity,
        truth,
        Optional.empty(),
        Optional.empty(),
        o.costs(),
        false);
  }

  /** The same with figures that are missing, old, of the future or senseless: each must be seen. */
  static List<Observation> broken(Observation o, long maxAgeNanos) {
    Rates rates = o.rates().orElseThrow();
    Lags lags = o.lags().orElseThrow();
    List<Observation> broken = new ArrayList<>();
    broken.add(rebuilt(o, o.liveReplicas(), Optional.empty(), o.lags(), o.popularity(), o.truth()));
    broken.add(
        rebuilt(o, o.liveReplicas(), o.rates(), Optional.empty(), o.popularity(), o.truth()));
    for (long age : new long[] {maxAgeNanos + 1, -1}) {
      long at = o.atNanos() - age;
      broken.add(with(o, new Rates(at, 100, 100, 100)));
      broken.add(
          rebuilt(
              o,
              o.liveReplicas(),
              o.rates(),
              Optional.of(new Lags(at, lags.sample())),
              o.popularity(),
              o.truth()));
    }
    for (double bad : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      broken.add(with(o, new Rates(o.atNanos(), bad, 100, 100)));
      broken.add(with(o, new Rates(o.atNanos(), 100, bad, 100)));
      broken.add(with(o, new Truth(rates.atNanos(), 10, 1, bad)));
    }
    broken.add(with(o, new Truth(rates.atNanos(), 10, 11, 1)));
    int other = o.replicas() + 1;
    broken.add(
        rebuilt(
            o,
            o.liveReplicas(),
            o.rates(),
            Optional.of(
                new Lags(
                    o.atNanos(), PropagationLags.of(other, new double[][] {new double[other]}))),
            o.popularity(),
            o.truth()));
    broken.add(withLive(o, 0));
    return broken;
  }

  /** Anything that a monitor may tell, good and bad. */
  static Observation wild(Random random, long atNanos, int replicas) {
    int write = 1 + random.nextInt(replicas);
    int live = random.nextInt(8) == 0 ? random.nextInt(replicas + 1) : replicas;
    Observation o = fresh(atNanos, replicas, write, Math.exp(random.nextGaussian() * 3 + 5));
    int samples = 1 + random.nextInt(5);
    double[][] lags = new double[samples][replicas];
    for (double[] lag : lags) {
      for (int i = write; i < replicas; i++) {
        lag[i] =
            random.nextInt(20) == 0
                ? Double.POSITIVE_INFINITY
                : Math.exp(random.nextGaussian() - 4);
      }
    }
    long reads = random.nextInt(300);
    Observation told =
        rebuilt(
            o,
            live,
            o.rates(),
            Optional.of(
                new Lags(atNanos - random.nextInt(3) * SECOND, PropagationLags.of(replicas, lags))),
            o.popularity(),
            random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(
                    new Truth(
                        atNanos - random.nextInt(5) * SECOND,
                        reads,
                        (long) (reads * random.nextDouble() * random.nextDouble()),
                        reads * random.nextDouble() * random.nextDouble())));
    if (random.nextInt(4) == 0) {
      List<Double> costs = new ArrayList<>();
      for (int i = 1; i <= replicas; i++) {
        costs.add(1 + (i - 1) * random.nextDouble());
      }
      told = with(told, new Costs(atNanos, costs));
    }
    if (random.nextInt(10) > 0) {
      return told;
    }
    List<Observation> broken = broken(told, 10 * SECOND);
    return broken.get(random.nextInt(broken.size()));
  }
}
