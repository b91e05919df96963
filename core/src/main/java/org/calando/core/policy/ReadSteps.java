package org.calando.core.policy;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.staleness.StaleEstimate;

/**
 * The numbers of replicas that a policy chooses among, fewest first, each with its stale rate: one
 * for each level of its own, and last the safe one, whose reads are never stale. Immutable and
 * thread safe.
 */
final class ReadSteps {
  /** Shares are rounded up to so many parts, so that they do not change with every decision. */
  private static final int PARTS = 1024;

  private final int[] replicas;
  private final double[] rates;

  private ReadSteps(int[] replicas, double[] rates) {
    this.replicas = replicas;
    this.rates = rates;
  }

  /**
   * The steps of a table.
   *
   * <p>Late replicas lack what was written while they were away. How many of them a read asks is
   * hypergeometric; the others are as the estimate says. Once they are back they have what is
   * written since, so that only keys that were not written since are read late. While fewer than
   * all are live, more than those are not asked: the steps end with what the live ones can answer.
   *
   * <p>Where a sample of reads says what is missed of old writes, reads miss that and what lags say
   * of young ones, those of late replicas among them.
   *
   * @param estimate the model's, with late replicas counted apart; its rates were checked
   * @param asSeen the model's of the lags as they were seen
   * @param state what corrects it, and how many replicas are away or came back lately
   */
  static ReadSteps of(
      AdaptiveConfig config,
      Observation o,
      StaleEstimate estimate,
      StaleEstimate asSeen,
      AdaptiveState state) {
    int safe = safeReplicas(config, o);
    ReadLevels levels = new ReadLevels(o.replicas(), config.local());
    int[] replicas = new int[o.replicas() + 1];
    double[] rates = new double[o.replicas() + 1];
    double unwritten = unwrittenSinceReturn(config, o, state);
    double missed = o.awayReplicas() > 0 ? 1 : Figures.missed(o, config);
    int count = 0;
    for (int read = 1; read < safe && read <= o.replicas(); read = levels.asked(read) + 1) {
      int asked = levels.asked(read);
      if (asked < safe && asked <= o.liveReplicas()) {
        replicas[count] = asked;
        double late = unwritten * rate(estimate, state, asked, o.replicas());
        double usual = state.corrected(estimate.rate(asked));
        double known = late + (1 - unwritten) * usual;
        if (missed < 1) {
          // A write was missed by the replicas that were away at once, and no read of more misses
          // it.
          double old = asked <= state.lateReplicas() ? missed : 0;
          known = Math.min(known, old + state.corrected(asSeen.rate(asked)));
        }
        rates[count++] = known;
      }
    }
    if (count == 0 || safe <= o.liveReplicas() || o.liveReplicas() == o.replicas()) {
      replicas[count++] = safe;
    }
    return new ReadSteps(Arrays.copyOf(replicas, count), Arrays.copyOf(rates, count));
  }

  /** Replicas that a safe read asks: N - W + 1 or what is configured, as its level asks them. */
  static int safeReplicas(AdaptiveConfig config, Observation o) {
    int meeting = o.replicas() - o.writeReplicas() + 1;
    int safe = Math.max(config.safeReplicas(), meeting);
    return safe > o.replicas()
        ? o.replicas() + 1
        : new ReadLevels(o.replicas(), config.local()).asked(safe);
  }

  /**
   * Replicas that are read while figures are unknown: safe, but a quorum at most, and no more than
   * orders have left on.
   */
  static int fallbackReplicas(AdaptiveConfig config, Observation o) {
    int safe = safeReplicas(config, o);
    return config.freshFirst()
        ? safe
        : Math.min(
            config.fallback(o.replicas(), safe), Math.max(1, o.replicas() - o.offReplicas()));
  }

  /**
   * The share of reads whose key was not written since late replicas returned, as far as its writes
   * were seen; 1 while one of them is away, and 0 if none is late.
   */
  private static double unwrittenSinceReturn(
      AdaptiveConfig config, Observation o, AdaptiveState state) {
    if (state.lateReplicas() == 0) {
      return 0;
    }
    if (o.awayReplicas() > 0 || o.popularity().isEmpty() || o.rates().isEmpty()) {
      return 1;
    }
    double seconds = (config.recoveryNanos() - state.lateNanos()) / 1e9;
    Popularity popularity = o.popularity().get();
    double seen = (1 - popularity.unseenWrites()) * o.rates().get().writesPerSecond();
    double unwritten = 0;
    for (int bin = 0; bin < popularity.byKey().bins(); bin++) {
      unwritten +=
          popularity.byKey().reads(bin)
              * StrictMath.exp(-seen * popularity.byKey().writesPerKey(bin) * seconds);
    }
    return Math.min(1, unwritten);
  }

  private static double rate(StaleEstimate estimate, AdaptiveState state, int read, int replicas) {
    int late = state.lateReplicas();
    double sum = 0;
    for (int asked = Math.max(0, read - replicas + late); asked <= Math.min(read, late); asked++) {
      double chance =
          choose(late, asked) * choose(replicas - late, read - asked) / choose(replicas, read);
      double rate = asked == read ? 1 : state.corrected(estimate.rate(read - asked));
      sum += chance * rate;
    }
    return Math.min(1, sum);
  }

  /** Ways to choose some of all; a double, for any replication factor. */
  static double choose(int all, int some) {
    double ways = 1;
    for (int i = 1; i <= some; i++) {
      ways = ways * (all - some + i) / i;
    }
    return ways;
  }

  /** Number of steps, 1 or more. */
  int count() {
    return replicas.length;
  }

  /** Replicas read. */
  int replicas(int step) {
    return replicas[step];
  }

  /** Share of stale reads. */
  double rate(int step) {
    return rates[step];
  }

  /**
   * The choice in force, as far as these steps have it: else the next stronger, or the last. Before
   * the first decision it is the last.
   */
  ReadChoice current(AdaptiveState state) {
    if (state.replicas() == 0) {
      return at(count() - 1);
    }
    return fitted(new ReadChoice(state.replicas(), state.shareAbove()));
  }

  /** The one of two that asks more replicas. */
  ReadChoice stronger(ReadChoice one, ReadChoice other) {
    return mean(other) > mean(one) ? fitted(other) : fitted(one);
  }

  /** Share of stale reads of a choice. */
  double rate(ReadChoice choice) {
    ReadChoice fitted = fitted(choice);
    int step = stepOf(fitted);
    double share = fitted.shareAbove();
    return share == 0 ? rates[step] : (1 - share) * rates[step] + share * rates[step + 1];
  }

  /** Replicas asked in the mean. */
  double mean(ReadChoice choice) {
    return between(read -> read, choice);
  }

  /**
   * What reads of a choice are in the mean.
   *
   * @param byReplicas what a read is, by the replicas that it asks
   */
  double between(IntToDoubleFunction byReplicas, ReadChoice choice) {
    ReadChoice fitted = fitted(choice);
    int step = stepOf(fitted);
    double share = fitted.shareAbove();
    double at = byReplicas.applyAsDouble(replicas[step]);
    return share == 0
        ? at
        : (1 - share) * at + share * byReplicas.applyAsDouble(replicas[step + 1]);
  }

  private ReadChoice fitted(ReadChoice choice) {
    int step = stepOf(choice);
    boolean own = replicas[step] == choice.replicas() && step < count() - 1;
    return own ? choice : at(step);
  }

  private int stepOf(ReadChoice choice) {
    int step = 0;
    while (step < count() - 1 && replicas[step] < choice.replicas()) {
      step++;
    }
    return step;
  }

  /** The choice of a step for every read. */
  ReadChoice at(int step) {
    return ReadChoice.of(replicas[step]);
  }

  /**
   * The choice that asks the fewest replicas and keeps to a rate; the last step if none does.
   *
   * @param allowed the rate, 0 .. 1
   * @param mixed whether it may lie between two steps
   */
  ReadChoice cheapest(double allowed, boolean mixed) {
    int step = 0;
    while (step < count() - 1 && rates[step] > allowed) {
      step++;
    }
    if (!mixed || step == 0 || rates[step] > allowed) {
      return at(step);
    }
    // (1 - p) rate(X) + p rate(above) = allowed
    double exact = (rates[step - 1] - allowed) / (rates[step - 1] - rates[step]);
    double share = Math.ceil(exact * PARTS) / PARTS;
    return share >= 1 ? at(step) : new ReadChoice(replicas[step - 1], share);
  }
}
