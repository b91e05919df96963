package org.calando.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Costs;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Shadow;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;

/** What a monitor may tell over time, good and bad: lags of a window that slides, and so on. */
final class WildObservations {
  private static final long SECOND = 1_000_000_000L;
  private static final int WINDOW = 12;

  private final Random random;
  private final Deque<double[]> window = new ArrayDeque<>();
  private int replicas = 3;
  private boolean acknowledged;
  private long at = -5 * SECOND;
  private Optional<Lags> lags = Optional.empty();
  private Optional<Popularity> popularity = Optional.empty();

  WildObservations(long seed) {
    random = new Random(seed);
  }

  static List<Observation> of(long seed, int count) {
    WildObservations wild = new WildObservations(seed);
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      observations.add(wild.next());
    }
    return observations;
  }

  /** All that an observation says; boxed, so that numbers are equal to the bit. */
  static List<Object> parts(Observation o) {
    List<Object> parts = new ArrayList<>();
    parts.add(o.atNanos());
    parts.add(o.target());
    parts.add(List.of(o.replicas(), o.writeReplicas(), o.liveReplicas()));
    parts.add(o.rates());
    parts.add(o.truth());
    parts.add(o.costs());
    o.lags()
        .ifPresent(
            lags -> {
              PropagationLags sample = lags.sample();
              parts.add("lags of " + sample.replicas() + " at " + lags.atNanos());
              for (int i = 0; i < sample.samples(); i++) {
                for (double lag : sample.row(i)) {
                  parts.add(lag);
                }
              }
            });
    o.popularity()
        .ifPresent(
            popularity -> {
              KeyPopularity byKey = popularity.byKey();
              parts.add("popularity at " + popularity.atNanos());
              for (int bin = 0; bin < byKey.bins(); bin++) {
                parts.add(List.of(byKey.keys(bin), byKey.reads(bin), byKey.writesPerKey(bin)));
              }
            });
    return parts;
  }

  private Observation next() {
    at += oneIn(50) ? random.nextInt(120) * SECOND - 40 * SECOND : SECOND + random.nextInt(1000);
    if (oneIn(60)) {
      replicas = 1 + random.nextInt(7);
      window.clear();
      lags = Optional.empty();
    }
    if (oneIn(2)) {
      lags = lags();
    }
    if (oneIn(10)) {
      popularity = oneIn(5) ? Optional.empty() : Optional.of(popularity());
    } else if (oneIn(10)) {
      double unseen = oneIn(2) ? 0 : random.nextDouble();
      popularity = popularity.map(known -> new Popularity(at, known.byKey(), unseen));
    }
    int live = oneIn(8) ? random.nextInt(replicas + 1) : replicas;
    return new Observation(
        at,
        Table.NAME,
        replicas,
        1 + random.nextInt(replicas),
        live,
        oneIn(3) ? random.nextInt(replicas - live + 1) : 0,
        oneIn(20) ? Optional.empty() : Optional.of(rates()),
        oneIn(20) ? Optional.empty() : lags,
        popularity,
        oneIn(3) ? Optional.empty() : Optional.of(truth()),
        oneIn(3) ? Optional.of(shadow()) : Optional.empty(),
        oneIn(3) ? Optional.of(missed()) : Optional.empty(),
        oneIn(4) ? Optional.of(costs()) : Optional.empty(),
        oneIn(20));
  }

  private Shadow shadow() {
    double bound = amount(2);
    return new Shadow(at, 10 * bound, bound * random.nextDouble(), bound, amount(2));
  }

  private Missed missed() {
    int reads = random.nextInt(300);
    return new Missed(at - random.nextInt(20) * SECOND, reads, random.nextInt(reads + 2));
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private Rates rates() {
    return new Rates(at - random.nextInt(2) * SECOND, amount(5), amount(4), amount(7));
  }

  /** Seldom one that no monitor should tell. */
  private double amount(double logarithm) {
    double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, -0.0, Double.MIN_VALUE, 1e300};
    return oneIn(40)
        ? odd[random.nextInt(odd.length)]
        : Math.exp(random.nextGaussian() * 2 + logarithm);
  }

  private Optional<Lags> lags() {
    int fresh = random.nextInt(4);
    acknowledged = oneIn(20) != acknowledged;
    for (int i = 0; i < fresh; i++) {
      // Later versions tell more of a write: of reads, and how long its acknowledgement took.
      int[] told = {replicas, 2 * replicas - 1, 2 * replicas};
      double[] write = new double[acknowledged ? told[2] : told[random.nextInt(told.length)]];
      if (write.length == 2 * replicas) {
        write[write.length - 1] = random.nextDouble();
      }
      for (int j = 1; j < Math.min(write.length, 2 * replicas - 1); j++) {
        write[j] =
            j >= replicas && oneIn(10)
                ? Double.NaN
                : oneIn(20)
                    ? Double.POSITIVE_INFINITY
                    : oneIn(5) ? 0 : Math.exp(random.nextGaussian() - 4);
      }
      window.add(write);
    }
    while (window.size() > WINDOW || (!window.isEmpty() && oneIn(6))) {
      window.remove();
    }
    return window.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Lags(
                at - random.nextInt(3) * SECOND,
                PropagationLags.of(replicas, window.toArray(double[][]::new))));
  }

  private Popularity popularity() {
    if (oneIn(2)) {
      return new Popularity(at, KeyPopularity.zipf(1 + random.nextInt(100_000), 0.99));
    }
    double[] reads = new double[1 + random.nextInt(5)];
    double[] writes = new double[reads.length];
    Arrays.setAll(reads, i -> 1.0 / reads.length);
    Arrays.setAll(writes, i -> random.nextDouble() * random.nextDouble());
    double[] keys = new double[reads.length];
    Arrays.fill(keys, Double.NaN);
    return new Popularity(at, KeyPopularity.ofBins(keys, reads, writes));
  }

  private Truth truth() {
    long reads = random.nextInt(300);
    return new Truth(
        at - random.nextInt(5) * SECOND,
        reads,
        (long) (reads * random.nextDouble() * random.nextDouble()),
        oneIn(40) ? Double.NaN : reads * random.nextDouble() * random.nextDouble());
  }

  private Costs costs() {
    List<Double> costs = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      costs.add(1 + i * random.nextDouble());
    }
    return new Costs(at, costs);
  }
}
