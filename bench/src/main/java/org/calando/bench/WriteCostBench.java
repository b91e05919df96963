package org.calando.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.WriteBuffering;
import org.calando.report.Statistics;

/*
 * CPU time is that of this process, which is the client alone: servers are others. Each leg is the same number of writes
 * of the same size; the plain client is the official one as an application would use it, a put each or its own buffer of
 * the same size. Its rows are made as ours are, by key, and are as long.
 */
/** What a session costs the client, in CPU time a write, over the plain client of HBase. */
public final class WriteCostBench {
  private static final int UNDER_WAY = 64;
  private static final long BUFFER = 12_000_000;

  /** Blocks that do not count: the JVM compiles meanwhile. */
  private static final int WARM_UP = 4;

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("field0");

  private enum Leg {
    PLAIN_STRONG,
    OURS_STRONG,
    PLAIN_DEFERRED,
    OURS_DEFERRED
  }

  private final HBaseBed bed;
  private final int writes;
  private final Random random;
  private final AtomicLong versions = new AtomicLong(1_000_000_000);
  private final byte[] value = new byte[HBaseBed.VALUE_BYTES];
  private final Map<Leg, List<Double>> micros = new EnumMap<>(Leg.class);

  private WriteCostBench(HBaseBed bed, int writes, long seed) {
    this.bed = bed;
    this.writes = writes;
    this.random = new Random(seed);
    random.nextBytes(value);
    for (Leg leg : Leg.values()) {
      micros.put(leg, new ArrayList<>());
    }
  }

  /** {@code WriteCostBench [BLOCKS=20] [WRITES=40000] [SEED=1]}. */
  public static void main(String[] arguments) throws InterruptedException {
    int blocks = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    int writes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 40_000;
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : 1;
    System.out.println("seed " + seed);
    try (HBaseBed bed = HBaseBed.start(1, "cost")) {
      WriteCostBench bench = new WriteCostBench(bed, writes, seed);
      for (int block = -WARM_UP; block < blocks; block++) {
        bench.block(block >= 0);
      }
      bench.report("strong", Leg.OURS_STRONG, Leg.PLAIN_STRONG);
      bench.report("deferred", Leg.OURS_DEFERRED, Leg.PLAIN_DEFERRED);
    }
  }

  private void block(boolean counts) throws InterruptedException {
    List<Leg> order = new ArrayList<>(List.of(Leg.values()));
    Collections.shuffle(order, random);
    for (Leg leg : order) {
      double each = run(leg);
      if (counts) {
        micros.getOrDefault(leg, List.of()).add(each);
        System.out.printf(Locale.ROOT, "%s %.1f us%n", leg, each);
      }
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private double run(Leg leg) throws InterruptedException {
    System.gc();
    long before = cpuNanos();
    switch (leg) {
      case PLAIN_STRONG -> plainStrong();
      case PLAIN_DEFERRED -> plainDeferred();
      case OURS_STRONG -> ours(WriteBuffering.STRONG);
      case OURS_DEFERRED -> ours(WriteBuffering.deferred(BUFFER).sharedByAll());
    }
    return (cpuNanos() - before) / 1e3 / writes;
  }

  /** Places of writes under way: both clients are driven by the same means. */
  private static BlockingQueue<Integer> slots() {
    BlockingQueue<Integer> free = new ArrayBlockingQueue<>(UNDER_WAY);
    for (int i = 0; i < UNDER_WAY; i++) {
      free.add(i);
    }
    return free;
  }

  private static void awaitAll(BlockingQueue<Integer> free) throws InterruptedException {
    for (int i = 0; i < UNDER_WAY; i++) {
      free.take();
    }
  }

  private void ours(WriteBuffering buffering) throws InterruptedException {
    BlockingQueue<Integer> free = slots();
    AtomicLong failed = new AtomicLong();
    SessionRequest request =
        SessionRequest.of(UNDER_WAY)
            .writes(buffering)
            .failedWrites(write -> failed.incrementAndGet());
    try (Session session = bed.store().open(request)) {
      for (int i = 0; i < writes; i++) {
        session.write(
            free.take(),
            random.nextInt(HBaseBed.KEYS),
            0,
            HBaseBed.VALUE_BYTES,
            versions.incrementAndGet(),
            ConsistencyLevel.ONE,
            (slot, outcome, version) -> {
              failed.addAndGet(outcome == Outcome.OK ? 0 : 1);
              free.add(slot);
            });
      }
      awaitAll(free);
    }
    require(failed.get());
  }

  private Put put() {
    long row = random.nextInt(HBaseBed.KEYS) * 0x9E3779B97F4A7C15L;
    long version = versions.incrementAndGet();
    return new Put(Bytes.toBytes(row), version)
        .addColumn(FAMILY, QUALIFIER, version, value.clone());
  }

  private void plainStrong() throws InterruptedException {
    AsyncTable<?> table = bed.store().connection().getTable(name());
    BlockingQueue<Integer> free = slots();
    AtomicLong failed = new AtomicLong();
    for (int i = 0; i < writes; i++) {
      int slot = free.take();
      var unused =
          table
              .put(put())
              .whenComplete(
                  (done, error) -> {
                    failed.addAndGet(error == null ? 0 : 1);
                    free.add(slot);
                  });
    }
    awaitAll(free);
    require(failed.get());
  }

  private void plainDeferred() throws InterruptedException {
    Semaphore done = new Semaphore(0);
    AtomicLong failed = new AtomicLong();
    try (AsyncBufferedMutator mutator =
        bed.store()
            .connection()
            .getBufferedMutatorBuilder(name())
            .setWriteBufferSize(BUFFER)
            .build()) {
      for (int i = 0; i < writes; i++) {
        var unused =
            mutator
                .mutate(put())
                .whenComplete(
                    (ok, error) -> {
                      failed.addAndGet(error == null ? 0 : 1);
                      done.release();
                    });
      }
      mutator.flush();
      done.acquire(writes);
    }
    require(failed.get());
  }

  private static TableName name() {
    return TableName.valueOf("calando", "cost");
  }

  private static void require(long failed) {
    if (failed > 0) {
      throw new IllegalStateException(failed + " writes failed");
    }
  }

  private void report(String mode, Leg ours, Leg plain) {
    Statistics.Ratio ratio = Statistics.ratio(array(ours), array(plain));
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f us CPU a write, plain client %.1f us: ratio %.3f [%.3f, %.3f], %d blocks; least"
            + " difference that could have been seen %.3f%n",
        mode,
        mean(ours),
        mean(plain),
        ratio.ratio(),
        ratio.low(),
        ratio.high(),
        ratio.blocks(),
        ratio.detectable());
  }

  private double[] array(Leg leg) {
    return micros.getOrDefault(leg, List.of()).stream().mapToDouble(each -> each).toArray();
  }

  private double mean(Leg leg) {
    return Statistics.estimate(array(leg)).mean();
  }
}
