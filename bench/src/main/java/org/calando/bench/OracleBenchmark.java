package org.calando.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.Outcome;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.StalenessOracle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the staleness oracle costs an operation, begin and end: 50 % reads and 50 % writes of
 * scattered zipfian keys, 64 operations always under way, each its own client, one thread.
 *
 * <p>{@code withoutOracle} is the same loop over the same memory, so that the difference is the
 * oracle's. One read in 20 returns the version before the last.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgs = "-Xmx1g")
public class OracleBenchmark {
  private static final int SLOTS = 64;
  private static final int PATTERN = 1 << 20;
  private static final int READ = 1 << 30;
  private static final int STALE = 1 << 29;
  private static final int KEY_MASK = STALE - 1;
  private static final double ZIPFIAN_CONSTANT = 0.99;

  @Param("1000000")
  private int keys;

  @Param("7168")
  private int sideTableEntries;

  @Param("32")
  private int sideTableDepth;

  @Param("640")
  private int perClientEntries;

  /** Operations in order: a key, and whether it is read, and read stale. */
  private final int[] pattern = new int[PATTERN];

  private final int[] underWay = new int[SLOTS];
  private int[] newest = {};
  private StalenessOracle oracle = new StalenessOracle(StalenessOracle.Config.of(1, SLOTS, SLOTS));
  private int next;
  private long nowNanos;

  @Setup(Level.Trial)
  public void fill() {
    Random random = new Random(42);
    double[] cumulative = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1, -ZIPFIAN_CONSTANT);
      cumulative[i] = sum;
    }
    int[] scattered = permutation(keys, random);
    for (int i = 0; i < PATTERN; i++) {
      int rank = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      int key = scattered[Math.min(keys - 1, rank < 0 ? -rank - 1 : rank)];
      int read = random.nextBoolean() ? READ : 0;
      pattern[i] = key | read | (read != 0 && random.nextInt(20) == 0 ? STALE : 0);
    }
    newest = new int[keys];
    Arrays.fill(newest, 1);
    oracle =
        new StalenessOracle(
            new StalenessOracle.Config(
                keys, SLOTS, SLOTS, sideTableEntries, sideTableDepth, perClientEntries));
    oracle.loaded(0, keys);
    for (int slot = 0; slot < SLOTS; slot++) {
      underWay[slot] = (pattern[slot] & KEY_MASK) | READ;
      oracle.beginRead(slot, slot, pattern[slot] & KEY_MASK, 0, true);
    }
  }

  /** Ends the oldest operation and begins the next on its slot. */
  @Benchmark
  public long withOracle() {
    int slot = next & (SLOTS - 1);
    int ended = underWay[slot];
    int key = ended & KEY_MASK;
    nowNanos += 1_000;
    long result;
    if ((ended & READ) != 0) {
      int version = Math.max(1, newest[key] - ((ended & STALE) == 0 ? 0 : 1));
      result = oracle.endRead(slot, Outcome.OK, version);
    } else {
      newest[key]++;
      oracle.endWrite(slot, Outcome.OK, nowNanos);
      result = newest[key];
    }
    int begun = pattern[next++ & (PATTERN - 1)];
    underWay[slot] = begun;
    if ((begun & READ) != 0) {
      oracle.beginRead(slot, slot, begun & KEY_MASK, nowNanos, true);
    } else {
      oracle.beginWrite(slot, slot, begun & KEY_MASK);
    }
    return result;
  }

  /** The same loop alone. */
  @Benchmark
  public long withoutOracle() {
    int slot = next & (SLOTS - 1);
    int ended = underWay[slot];
    int key = ended & KEY_MASK;
    nowNanos += 1_000;
    long result;
    if ((ended & READ) != 0) {
      result = Math.max(1, newest[key] - ((ended & STALE) == 0 ? 0 : 1));
    } else {
      result = ++newest[key];
    }
    underWay[slot] = pattern[next++ & (PATTERN - 1)];
    return result;
  }

  /** Shows that the benchmark did what it says. */
  @TearDown(Level.Trial)
  public void print() {
    Staleness found = oracle.snapshot();
    System.out.printf(
        "%n%d reads, stale rate %.4f, coverage: stale %.3f ryw %.3f monotonic %.3f, %d foreign;"
            + " %d MB%n",
        found.reads(),
        found.staleRate(),
        found.staleCoverage(),
        found.readYourWritesCoverage(),
        found.monotonicReadCoverage(),
        found.foreignReads(),
        oracle.bytes() >> 20);
  }

  private static int[] permutation(int size, Random random) {
    int[] permutation = new int[size];
    for (int i = 0; i < size; i++) {
      int other = random.nextInt(i + 1);
      permutation[i] = permutation[other];
      permutation[other] = i;
    }
    return permutation;
  }
}
