package org.calando.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.calando.core.staleness.PopularitySketch;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the popularity sketch costs an operation: half reads, half writes, zipfian keys. {@code
 * withoutSketch} is the same loop alone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgs = "-Xmx512m")
public class PopularityBenchmark {
  private static final int PATTERN = 1 << 20;
  private static final double ZIPFIAN_CONSTANT = 0.99;

  @Param("1000000")
  private int keys;

  /** Keys in order of the requests; those of writes inverted. */
  private final int[] pattern = new int[PATTERN];

  private final PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(PATTERN));

  /** A thread's place in the pattern. */
  @State(Scope.Thread)
  public static class Place {
    private int next = (int) (Thread.currentThread().getId() * 7919);
  }

  @Setup(Level.Trial)
  public void fill() {
    Random random = new Random(42);
    double[] cumulative = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1, -ZIPFIAN_CONSTANT);
      cumulative[i] = sum;
    }
    for (int i = 0; i < PATTERN; i++) {
      int rank = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      int key = Math.min(keys - 1, rank < 0 ? -rank - 1 : rank);
      pattern[i] = random.nextBoolean() ? key : ~key;
    }
  }

  /** A window an iteration, so that keys are counted from the second on. */
  @Setup(Level.Iteration)
  public void rotate() {
    if (sketch.rotate().isPresent()) {
      System.out.print("(counting) ");
    }
  }

  /** An operation on one thread. */
  @Benchmark
  public int withSketch(Place place) {
    return operation(place);
  }

  /** An operation on each of two threads. */
  @Benchmark
  @Threads(2)
  public int withSketchByTwo(Place place) {
    return operation(place);
  }

  /** The loop alone. */
  @Benchmark
  public int withoutSketch(Place place) {
    return pattern[place.next++ & (PATTERN - 1)];
  }

  private int operation(Place place) {
    int key = pattern[place.next++ & (PATTERN - 1)];
    if (key >= 0) {
      sketch.read(key);
    } else {
      sketch.write(~key);
    }
    return key;
  }
}
