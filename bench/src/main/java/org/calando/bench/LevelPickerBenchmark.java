package org.calando.bench;

import java.util.concurrent.TimeUnit;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs a read to choose its level: the same level for all, and mixed levels by one thread
 * and by eight that share a picker.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgs = "-Xmx256m")
public class LevelPickerBenchmark {
  private final LevelPicker plain = picker();
  private final LevelPicker mixed = picker();

  private static LevelPicker picker() {
    return new LevelPicker(
        ReadLevels.plain(3),
        SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false));
  }

  @Setup
  public void choose() {
    plain.set(ReadChoice.of(1));
    mixed.set(new ReadChoice(1, 0.3));
  }

  /** One level for all reads. */
  @Benchmark
  public ConsistencyLevel plain() {
    return plain.next();
  }

  /** Two levels, one thread. */
  @Benchmark
  public ConsistencyLevel mixed() {
    return mixed.next();
  }

  /** Two levels, eight threads on one picker. */
  @Benchmark
  @Threads(8)
  public ConsistencyLevel mixedByEight() {
    return mixed.next();
  }
}
