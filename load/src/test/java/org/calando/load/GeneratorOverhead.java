package org.calando.load;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Operation;
import org.calando.core.workload.OperationStream;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;

/**
 * Measures what the generator itself costs: CPU time per operation of a session that answers at
 * once, oracle and recorder included, and of its parts. A program, not a test.
 */
final class GeneratorOverhead {
  private static final int OPERATIONS = 3_000_000;
  private static final int ROUNDS = 5;
  private static final Workload WORKLOAD =
      Workload.builder().records(10_000).mix(Mix.readUpdate(0.5, 0.5)).build();

  private GeneratorOverhead() {}

  public static void main(String[] arguments) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      System.out.printf(
          Locale.ROOT,
          "closed %.0f  open %.0f  recorder %.0f  shared by two threads %.0f  stream %.0f  oracle %.0f  clock %.0f ns/op%n",
          load(new Loop.Closed(8)),
          load(new Loop.Open(ArrivalProcess.poisson(1e9), 8, 8)),
          recorder(1),
          recorder(2),
          stream(),
          oracle(),
          clock());
    }
    timer();
  }

  private static double load(Loop loop) throws InterruptedException {
    StalenessOracle oracle =
        new StalenessOracle(StalenessOracle.Config.of(10_000, loop.slots(), loop.clients()));
    oracle.loaded(0, 10_000);
    try (RealTimeScheduler scheduler = new RealTimeScheduler("overhead");
        RealTimeScheduler housekeeping = new RealTimeScheduler("overhead-housekeeping")) {
      LoadSpec spec =
          LoadSpec.builder(WORKLOAD, loop, () -> Levels.both(ConsistencyLevel.ONE))
              .operations(OPERATIONS)
              .build();
      LoadRun run =
          new LoadRun(
              spec,
              new Immediate(loop.slots()),
              oracle,
              new Recorder(interval -> {}),
              scheduler,
              housekeeping);
      long before = processCpuNanos();
      run.start();
      run.await();
      return (processCpuNanos() - before) / (double) OPERATIONS;
    }
  }

  private static double recorder(int threads) throws InterruptedException {
    Recorder recorder = new Recorder(interval -> {});
    Thread[] writers = new Thread[threads];
    long before = processCpuNanos();
    for (int t = 0; t < threads; t++) {
      writers[t] = new Thread(() -> record(recorder), "overhead-recorder-" + t);
      writers[t].start();
    }
    for (Thread writer : writers) {
      writer.join();
    }
    return (processCpuNanos() - before) / (double) OPERATIONS / threads;
  }

  private static void record(Recorder recorder) {
    for (int i = 0; i < OPERATIONS; i++) {
      recorder.success(
          Phase.MEASURED, (i & 1) == 0 ? Measure.READ : Measure.UPDATE, 500_000L + i % 100_000);
    }
  }

  private static void timer() throws InterruptedException {
    Histogram lateness = new Histogram(3);
    try (RealTimeScheduler scheduler = new RealTimeScheduler("overhead-timer")) {
      for (int i = 0; i < 2000; i++) {
        CountDownLatch done = new CountDownLatch(1);
        long time = System.nanoTime() + 1_000_000;
        scheduler.at(
            time,
            () -> {
              lateness.recordValue(System.nanoTime() - time);
              done.countDown();
            });
        done.await();
      }
    }
    System.out.printf(
        Locale.ROOT,
        "timer late by p50 %d  p90 %d  p99 %d us%n",
        lateness.getValueAtPercentile(50) / 1000,
        lateness.getValueAtPercentile(90) / 1000,
        lateness.getValueAtPercentile(99) / 1000);
  }

  private static double stream() {
    OperationStream stream = new OperationStream(WORKLOAD, InsertSequence.of(WORKLOAD), 1, 0);
    Operation operation = new Operation();
    long sum = 0;
    long before = threadCpuNanos();
    for (int i = 0; i < OPERATIONS; i++) {
      stream.next(operation);
      sum += operation.key;
    }
    double perOperation = (threadCpuNanos() - before) / (double) OPERATIONS;
    return sum == 0 ? Double.NaN : perOperation;
  }

  private static double oracle() {
    StalenessOracle oracle = new StalenessOracle(StalenessOracle.Config.of(10_000, 1, 1));
    oracle.loaded(0, 10_000);
    long before = threadCpuNanos();
    for (int i = 0; i < OPERATIONS / 2; i++) {
      long key = i * 7919L % 10_000;
      long version = oracle.beginWrite(0, 0, key);
      oracle.endWrite(0, Outcome.OK, i);
      oracle.beginRead(0, 0, key, i, true);
      oracle.endRead(0, Outcome.OK, version);
    }
    return (threadCpuNanos() - before) / (double) OPERATIONS;
  }

  private static double clock() {
    long sum = 0;
    long before = threadCpuNanos();
    for (int i = 0; i < OPERATIONS; i++) {
      sum += System.nanoTime();
    }
    double perCall = (threadCpuNanos() - before) / (double) OPERATIONS;
    return sum == 0 ? Double.NaN : perCall;
  }

  private static long threadCpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long processCpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Answers every request before it returns, reads with the version last written. */
  private static final class Immediate implements Session {
    private final int slots;
    private final long[] versions = new long[10_000];

    Immediate(int slots) {
      this.slots = slots;
      java.util.Arrays.fill(versions, 1);
    }

    @Override
    public int slots() {
      return slots;
    }

    @Override
    public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
      completion.complete(slot, Outcome.OK, versions[(int) key]);
    }

    @Override
    public void write(
        int slot,
        long key,
        int field,
        int valueBytes,
        long version,
        ConsistencyLevel level,
        Completion completion) {
      versions[(int) key] = version;
      completion.complete(slot, Outcome.OK, NO_VERSION);
    }

    @Override
    public void scan(
        int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
      completion.complete(slot, Outcome.OK, NO_VERSION);
    }

    @Override
    public void close() {}
  }
}
