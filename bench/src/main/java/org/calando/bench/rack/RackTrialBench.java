package org.calando.bench.rack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.calando.bench.TrialRows;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.relay.LinkDelays;
import org.jspecify.annotations.Nullable;

/**
 * Seeded trials of shifts of a rack; a row each, so that a run that was ended is resumed. Whatever
 * ends it, its nodes, client and tool end with it.
 */
public final class RackTrialBench {
  private static final String HEADER =
      "seed,fault,step,hit,acknowledged,failed,stale,lost,resumed,repaired,trouble,seconds";

  private RackTrialBench() {}

  /** {@code RackTrialBench [TRIALS=60 [SEED=0]]}. Exit code 1 if a trial was not good. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 60;
    long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
    TrialRows rows = new TrialRows(Path.of("out/rack-trials.csv"), HEADER);
    Set<Long> done = rows.done();
    @Nullable LocalCassandra cluster = null;
    try {
      for (long seed = first; seed < first + count; seed++) {
        if (done.contains(seed)) {
          continue;
        }
        if (cluster == null) {
          cluster = start(each -> each.relay(true));
        }
        RackTrial trial = new RackTrial(cluster.folder(), seed);
        RackTrial.Result result = trial.run();
        add(rows, seed, result);
        System.out.printf(
            Locale.ROOT,
            "seed %d, %s %s: %s, %.0f s%n",
            seed,
            result.cell().fault(),
            result.cell().words(),
            result.isGood() ? "good" : "NOT GOOD " + result.trouble(),
            result.seconds());
        if (!result.isGood() || !result.trouble().isEmpty()) {
          Files.copy(
              trial.told(),
              Path.of("out/rack-trial-" + seed + ".log"),
              StandardCopyOption.REPLACE_EXISTING);
        }
        if (!result.trouble().isEmpty()) {
          cluster.shutdown();
          cluster = null;
        }
      }
    } finally {
      if (cluster != null) {
        cluster.shutdown();
      }
    }
    System.exit(summary(rows.rows()) ? 0 : 1);
  }

  /** Six nodes in three racks. */
  static LocalCassandra start(UnaryOperator<LocalCassandraConfig.Builder> with) throws IOException {
    LocalCassandraConfig.Builder config =
        LocalCassandraConfig.builder()
            .nodes(6)
            .racks(3)
            .block("127.83")
            .heapMebibytes(192)
            .linkDelays(LinkDelays.uniform(6, Duration.ZERO))
            .startTimeout(Duration.ofMinutes(6))
            .stateFolder(Files.createTempDirectory("calando-racks").resolve("cluster"));
    return LocalCassandra.start(with.apply(config).build());
  }

  private static void add(TrialRows rows, long seed, RackTrial.Result result) throws IOException {
    rows.add(
        seed,
        result.cell().fault(),
        result.cell().words(),
        result.hit(),
        result.seen().acknowledged(),
        result.seen().failed(),
        result.seen().stale(),
        result.lost(),
        result.resumed(),
        result.repaired(),
        result.trouble(),
        String.format(Locale.ROOT, "%.1f", result.seconds()));
  }

  private static boolean summary(List<String[]> all) {
    System.out.println(
        "| fault | trials | hit its step | acknowledged | lost | stale | failed requests |"
            + " not settled | repaired |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    boolean good = true;
    for (RackFault fault : RackFault.values()) {
      List<String[]> rows = all.stream().filter(row -> row[1].equals(fault.name())).toList();
      long lost = sum(rows, 7);
      long stale = sum(rows, 6);
      long troubles = rows.stream().filter(row -> !row[10].isEmpty()).count();
      long failed = sum(rows, 5);
      good &= lost == 0 && stale == 0 && troubles == 0;
      good &= fault != RackFault.NONE || failed == 0;
      System.out.printf(
          "| %s | %d | %d | %d | %d | %d | %d | %d | %d |%n",
          fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          rows.size(),
          count(rows, 3),
          sum(rows, 4),
          lost,
          stale,
          failed,
          troubles,
          count(rows, 9));
    }
    coverage(all);
    return good;
  }

  private static long sum(List<String[]> rows, int cell) {
    return rows.stream().mapToLong(row -> Long.parseLong(row[cell])).sum();
  }

  private static long count(List<String[]> rows, int cell) {
    return rows.stream().filter(row -> Boolean.parseBoolean(row[cell])).count();
  }

  /** Which steps each fault came in, and how often. */
  private static void coverage(List<String[]> all) {
    for (RackFault.Cell cell : RackFault.all()) {
      long hits =
          all.stream()
              .filter(row -> row[1].equals(cell.fault().name()) && row[2].equals(cell.words()))
              .filter(row -> Boolean.parseBoolean(row[3]))
              .count();
      System.out.printf("covered: %s, %s: %s%n", cell.fault(), cell.words(), hits);
    }
  }
}
