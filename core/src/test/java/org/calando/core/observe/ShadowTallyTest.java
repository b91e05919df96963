package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Observation.Shadow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The estimate beside an oracle that knows every write of a key and when each replica had it. */
class ShadowTallyTest {
  private static final long SEED = 20261123;
  private static final long SECOND = 1_000_000_000L;

  /**
   * Reads of keys that are written as Poisson processes, and reach the replica that is asked late.
   */
  private static final class World {
    private final SplittableRandom random;
    private final double[] reads;
    private final double[] writesPerSecond;
    private final double lagSeconds;
    private final double strongSeconds;
    private long stale;
    private long drawn;

    World(long seed, int keys, double theta, double writes, double lag, double strong) {
      random = new SplittableRandom(seed);
      reads = new double[keys];
      Arrays.setAll(reads, key -> StrictMath.pow(key + 1, -theta));
      double sum = Arrays.stream(reads).sum();
      Arrays.setAll(reads, key -> reads[key] / sum);
      writesPerSecond = new double[keys];
      Arrays.setAll(writesPerSecond, key -> writes * reads[key]);
      lagSeconds = lag;
      strongSeconds = strong;
    }

    private double exponential(double mean) {
      return -StrictMath.log1p(-random.nextDouble()) * mean;
    }

    private int key() {
      double point = random.nextDouble();
      int key = 0;
      while (key < reads.length - 1 && point >= reads[key]) {
        point -= reads[key++];
      }
      return key;
    }

    /** One read: it misses the last write if that is younger than its lag. */
    void read(ShadowTally tally, long at) {
      int key = key();
      double w = Math.max(1e-12, writesPerSecond[key]);
      boolean missed = exponential(1 / w) < exponential(lagSeconds);
      // The strong read meets what is written before it has asked its replicas.
      boolean late = exponential(1 / w) < strongSeconds * (0.5 + random.nextDouble());
      // With a write behind the read both what it missed and what it found are older than that.
      boolean older = missed || late;
      drawn++;
      stale += missed ? 1 : 0;
      tally.add(
          at,
          key,
          late
              ? older ? Verdict.DROPPED_OLDER : Verdict.DROPPED
              : missed ? Verdict.STALE : Verdict.FRESH,
          0.5);
    }

    double truth() {
      return (double) stale / drawn;
    }
  }

  /** Bias against the oracle, and how often the interval holds it, in ten cells. */
  @ParameterizedTest
  @CsvSource({
    "20, 0.99, 80, 0.08, 0.08",
    "20, 0.99, 80, 0.02, 0.08",
    "20, 0.99, 20, 0.08, 0.08",
    "20, 0, 80, 0.08, 0.08",
    "20, 0, 10, 0.2, 0.02",
    "10000, 0.99, 80, 0.08, 0.08",
    "10000, 0.99, 800, 0.02, 0.04",
    "10000, 0, 80, 0.08, 0.08",
    "1, 0, 5, 0.05, 0.05",
    "200, 0.8, 200, 0.04, 0.08",
  })
  void theEstimateIsTheOraclesShareAndItsIntervalHoldsIt(
      int keys, double theta, double writes, double lag, double strong) {
    int repeats = 60;
    double bias = 0;
    double bounded = 0;
    double truth = 0;
    int within = 0;
    for (int repeat = 0; repeat < repeats; repeat++) {
      World world = new World(SEED + repeat, keys, theta, writes, lag, strong);
      ShadowTally tally = new ShadowTally(2048, 300 * SECOND);
      for (int i = 0; i < 375; i++) {
        world.read(tally, i * SECOND / 2);
      }
      Shadow shadow = tally.figures(200 * SECOND).orElseThrow();
      // The share of all reads, of which these are a sample.
      World all = new World(~SEED + repeat, keys, theta, writes, lag, strong);
      for (int i = 0; i < 2000; i++) {
        all.read(new ShadowTally(1, SECOND), 0);
      }
      double share = shadow.reads() == 0 ? 0 : shadow.stale() / shadow.reads();
      bias += (share - all.truth()) / repeats;
      bounded += (shadow.bound() / shadow.reads() - all.truth()) / repeats;
      truth += all.truth() / repeats;
      double expected = all.truth() * shadow.reads();
      within += expected >= lower(shadow.stale()) && expected <= upper(shadow.bound()) ? 1 : 0;
    }
    String cell =
        "seed %d: %d keys, theta %s, %s writes/s: truth %.4f, bias %.4f, of the bound %.4f, held %d of %d"
            .formatted(SEED, keys, theta, writes, truth, bias, bounded, within, repeats);
    // What is short of the truth is told by the bound.
    assertThat(bias).as(cell).isLessThan(0.05 * truth + 0.001);
    assertThat(bounded).as(cell).isGreaterThan(-0.05 * truth - 0.001);
    assertThat(within).as(cell).isGreaterThanOrEqualTo((int) (0.8 * repeats));
  }

  // Wilson and Hilferty, 95 % each.
  private static double lower(double events) {
    double root = events <= 0 ? 0 : 1 - 1 / (9 * events) - 1.645 / (3 * Math.sqrt(events));
    return Math.max(0, events * root * root * root);
  }

  private static double upper(double events) {
    double n = events + 1;
    double root = 1 - 1 / (9 * n) + 1.645 / (3 * Math.sqrt(n));
    return n * root * root * root;
  }

  @Test
  void aKeyThatIsMostlyDroppedCountsAsOftenAsItWasSampled() {
    ShadowTally tally = new ShadowTally(1000, SECOND);
    for (int i = 0; i < 100; i++) {
      tally.add(0, 1, i < 80 ? Verdict.DROPPED_OLDER : i < 90 ? Verdict.STALE : Verdict.FRESH, 0.4);
      tally.add(0, 2, Verdict.FRESH, 0.2);
    }
    Shadow shadow = tally.figures(0).orElseThrow();
    assertThat(shadow.stale() / shadow.reads()).isCloseTo(0.25, within(1e-9));
    assertThat(shadow.predicted() / shadow.reads()).isCloseTo(0.3, within(1e-9));
    assertThat(shadow.reads())
        .isCloseTo(200.0 * 200 / (10000.0 / 20 + 10000.0 / 100), within(1e-6));
  }

  @Test
  void whereTooFewAreDecidedTheBoundIsTold() {
    ShadowTally tally = new ShadowTally(1000, SECOND);
    for (int i = 0; i < 90; i++) {
      tally.add(0, i, i < 30 ? Verdict.DROPPED_OLDER : Verdict.DROPPED, 0.1);
    }
    Shadow shadow = tally.figures(0).orElseThrow();
    assertThat(shadow.stale()).isZero();
    assertThat(shadow.reads()).isCloseTo(90, within(1e-9));
    assertThat(shadow.bound()).isCloseTo(30, within(1e-9));
    assertThat(shadow.predicted()).isCloseTo(9, within(1e-9));
  }

  @Test
  void samplesAreBoundedAndGrowOld() {
    ShadowTally tally = new ShadowTally(2, SECOND);
    assertThat(tally.figures(0)).isEmpty();
    List<Double> reads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tally.add(0, 1, Verdict.FRESH, 0);
      reads.add(tally.figures(0).orElseThrow().predicted());
    }
    assertThat(reads).hasSize(4);
    assertThat(tally.figures(SECOND)).isPresent();
    assertThat(tally.figures(SECOND + 1)).isEmpty();
  }
}
