package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Workload;

/**
 * What Calando's load generator costs beside a plain loop on the same driver: CPU time of this
 * whole process (driver, garbage collector and compiler included) per operation, against one real
 * node.
 *
 * <p>A block is plain, Calando, blocking, Calando, plain, or with the first two exchanged, as the
 * seed decides; a drift of the machine over a block cancels out. The ratio is one of a block's
 * sums. Arguments: operations of each leg, blocks, slots, seed.
 */
public final class LoadgenBenchmark {
  static final ConsistencyLevel LEVEL = ConsistencyLevel.ONE;

  private static final int PLAIN = 0;
  private static final int CALANDO = 1;
  private static final int BLOCKING = 2;
  private static final int VARIANTS = 3;
  private static final double TARGET_RATIO = 1.15;
  private static final int RECORDS = 1_000;
  private static final int WARM_UP_OPERATIONS = 150_000;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final Path RESULT = Path.of("bench/target/loadgen.csv");
  private static final Workload WORKLOAD =
      Workload.builder().records(RECORDS).mix(Mix.readUpdate(0.5, 0.5)).build();
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final long operations;
  private final int blocks;
  private final Random random;
  private final List<LoadVariant> variants;
  // By variant and block: CPU and elapsed microseconds per operation.
  private final double[][] cpuMicros;
  private final double[][] elapsedMicros;

  private LoadgenBenchmark(
      long operations,
      int blocks,
      long seed,
      LoadVariant plain,
      LoadVariant calando,
      LoadVariant blocking) {
    this.operations = operations;
    this.blocks = blocks;
    this.random = new Random(seed);
    this.variants = List.of(plain, calando, blocking);
    this.cpuMicros = new double[VARIANTS][blocks];
    this.elapsedMicros = new double[VARIANTS][blocks];
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    long operations = argument(arguments, 0, 60_000);
    int blocks = (int) argument(arguments, 1, 10);
    int slots = (int) argument(arguments, 2, 8);
    long seed = argument(arguments, 3, 42);
    try (BenchNode node = BenchNode.start();
        CalandoLoad calando =
            new CalandoLoad(node.load("calando", WORKLOAD), WORKLOAD, slots, seed)) {
      node.load("plain", WORKLOAD).close();
      try (CqlSession driver = node.driver("plain")) {
        PlainStatements statements =
            new PlainStatements(driver, "plain", WORKLOAD.tableSpec(), RECORDS);
        LoadgenBenchmark benchmark =
            new LoadgenBenchmark(
                operations,
                blocks,
                seed,
                new PlainLoad(driver, statements, slots, seed),
                calando,
                new BlockingLoad(driver, statements, slots, seed));
        benchmark.warmUp();
        benchmark.measure();
        benchmark.report(slots, seed);
      }
      System.out.printf(
          "%d reads judged by the oracle, %d stale or unchecked%n",
          calando.reads(), calando.suspectReads());
    }
  }

  private void warmUp() throws InterruptedException {
    for (long done = 0; done < WARM_UP_OPERATIONS; done += operations) {
      for (LoadVariant variant : variants) {
        variant.perform(operations);
      }
    }
  }

  private void measure() throws InterruptedException {
    for (int block = 0; block < blocks; block++) {
      int first = random.nextBoolean() ? PLAIN : CALANDO;
      int second = PLAIN + CALANDO - first;
      for (int variant : new int[] {first, second, BLOCKING, second, first}) {
        leg(variant, block, variant == BLOCKING ? 1 : 2);
      }
      System.out.printf(
          Locale.ROOT,
          "block %2d  plain %.2f  calando %.2f  blocking %.2f us/op%n",
          block + 1,
          cpuMicros[PLAIN][block],
          cpuMicros[CALANDO][block],
          cpuMicros[BLOCKING][block]);
    }
  }

  /** Adds a leg to the block's mean, as one of so many. */
  private void leg(int variant, int block, int legs) throws InterruptedException {
    long startNanos = System.nanoTime();
    long startCpuNanos = SYSTEM.getProcessCpuTime();
    variants.get(variant).perform(operations);
    double perOperation = NANOS_PER_MICRO * operations * legs;
    cpuMicros[variant][block] += (SYSTEM.getProcessCpuTime() - startCpuNanos) / perOperation;
    elapsedMicros[variant][block] += (System.nanoTime() - startNanos) / perOperation;
  }

  private void report(int slots, long seed) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%n%d blocks, %d operations a leg, %d slots, seed %d;"
            + " medians [95 %% interval], CPU of the whole process%n",
        blocks,
        operations,
        slots,
        seed);
    System.out.printf("%-10s %24s %20s %20s%n", "", "CPU us/op", "of plain", "elapsed us/op");
    for (int variant = 0; variant < variants.size(); variant++) {
      System.out.printf(
          "%-10s %24s %20s %20s%n",
          variants.get(variant).name(),
          Spread.of(cpuMicros[variant]).text("%.2f"),
          Spread.of(ratios(variant)).text("%.3f"),
          Spread.of(elapsedMicros[variant]).text("%.1f"));
    }
    Spread ratio = Spread.of(ratios(CALANDO));
    System.out.printf(
        Locale.ROOT,
        "calando / plain %s, target at most %.2f: %s%n",
        ratio.text("%.3f"),
        TARGET_RATIO,
        ratio.median() <= TARGET_RATIO ? "met" : "missed");
    write();
  }

  private double[] ratios(int variant) {
    double[] ratios = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      ratios[block] = cpuMicros[variant][block] / cpuMicros[PLAIN][block];
    }
    return ratios;
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("block,variant,cpu_us_per_op,elapsed_us_per_op");
    for (int block = 0; block < blocks; block++) {
      for (int variant = 0; variant < variants.size(); variant++) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%d,%s,%.3f,%.3f",
                block + 1,
                variants.get(variant).name(),
                cpuMicros[variant][block],
                elapsedMicros[variant][block]));
      }
    }
    Files.write(RESULT, lines);
  }

  private static long argument(String[] arguments, int index, long otherwise) {
    return index < arguments.length ? Long.parseLong(arguments[index]) : otherwise;
  }
}
