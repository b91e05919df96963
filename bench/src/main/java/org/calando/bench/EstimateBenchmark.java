package org.calando.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.calando.core.staleness.ExactStaleness;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.LagStaleness;
import org.calando.core.staleness.LagWindows;
import org.calando.core.staleness.PropagationLags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to estimate the stale rates of many tables, for every number of replicas read: each
 * table with a popularity of its own in 64 bins, 5 replicas, and the lags of one sample for all.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgs = "-Xmx512m")
public class EstimateBenchmark {
  private static final int REPLICAS = 5;
  private static final int BINS = 64;
  private static final double TP_SECONDS = 0.02;

  @Param("1000")
  private int tables;

  @Param("200")
  private int sampledWrites;

  /** Whether it is known how long acknowledgements took. */
  @Param({"true", "false"})
  private boolean acknowledged;

  private KeyPopularity[] popularity = {};
  private double[] writesPerSecond = {};
  private PropagationLags lags = PropagationLags.of(1, new double[][] {{0}});
  private LagWindows windows = LagWindows.of(lags);

  @Setup
  public void fill() {
    Random random = new Random(42);
    popularity = new KeyPopularity[tables];
    writesPerSecond = new double[tables];
    for (int i = 0; i < tables; i++) {
      long keys = 1_000_000L + random.nextInt(1_000_000);
      popularity[i] = KeyPopularity.zipf(keys, 0.5 + 0.7 * random.nextDouble()).inBins(BINS);
      writesPerSecond[i] = Math.pow(10, 5 * random.nextDouble());
    }
    double[][] seconds = new double[sampledWrites][acknowledged ? 2 * REPLICAS : REPLICAS];
    for (double[] write : seconds) {
      Arrays.fill(write, REPLICAS, write.length, Double.NaN);
      for (int replica = 1; replica < REPLICAS; replica++) {
        write[replica] = 0.001 - 0.02 * Math.log(1 - random.nextDouble());
      }
      if (acknowledged) {
        write[write.length - 1] = 0.005 * random.nextDouble();
      }
    }
    lags = PropagationLags.of(REPLICAS, seconds);
    windows = LagWindows.of(lags);
  }

  /** The exact model of all tables. */
  @Benchmark
  public double exact() {
    double sum = 0;
    for (int i = 0; i < tables; i++) {
      ExactStaleness exact =
          ExactStaleness.of(REPLICAS, 1, TP_SECONDS, writesPerSecond[i], popularity[i]);
      for (int read = 1; read <= REPLICAS; read++) {
        sum += exact.rate(read);
      }
    }
    return sum;
  }

  /** The measured lags of all tables. */
  @Benchmark
  public double lags() {
    double sum = 0;
    for (int i = 0; i < tables; i++) {
      LagStaleness measured = LagStaleness.of(windows, writesPerSecond[i], popularity[i]);
      for (int read = 1; read <= REPLICAS; read++) {
        sum += measured.rate(read);
      }
    }
    return sum;
  }

  /** What a new sample of lags costs, once for all tables. */
  @Benchmark
  public LagWindows newLags() {
    return LagWindows.of(lags);
  }
}
