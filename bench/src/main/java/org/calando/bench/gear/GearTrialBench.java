package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.calando.bench.TrialRows;
import org.calando.geartrials.Fault;
import org.calando.geartrials.GearTrial;
import org.calando.geartrials.TrialResult;

/** Seeded trials of shifts with faults; a row each, so that a run that was ended goes on. */
public final class GearTrialBench {
  private static final String HEADER =
      "seed,layout,fault,files,bytes,hit,resumed,failed_writes,copies_ordered,damaged,trouble,seconds";

  private GearTrialBench() {}

  /** {@code GearTrialBench [TRIALS=100] [FIRST_SEED=0]}. Exit code 1 if a trial was not good. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
    TrialRows rows = new TrialRows(Path.of("out/gear-trials.csv"), HEADER);
    Set<Long> done = rows.done();
    for (long seed = first; seed < first + count; seed++) {
      if (!done.contains(seed)) {
        TrialResult result = new GearTrial(seed).run();
        add(rows, result);
        System.out.printf(
            Locale.ROOT,
            "seed %d, %s, %s: %s, %.0f s%n",
            seed,
            result.layout(),
            result.fault(),
            result.isGood() ? "good" : result.files().damage() + " " + result.trouble(),
            result.seconds());
      }
    }
    System.exit(summary(rows.rows()) ? 0 : 1);
  }

  private static void add(TrialRows rows, TrialResult result) throws IOException {
    rows.add(
        result.seed(),
        result.layout(),
        result.fault(),
        result.files().acknowledged(),
        result.files().bytes(),
        result.hit(),
        result.resumed(),
        result.files().failedWrites(),
        result.reReplications(),
        result.files().damage().size(),
        result.trouble(),
        String.format(Locale.ROOT, "%.1f", result.seconds()));
  }

  private static boolean summary(List<String[]> all) {
    boolean good = true;
    System.out.println(
        "| fault | trials | hit a shift | files read back | damaged | not settled | resumed |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (Fault fault : Fault.values()) {
      List<String[]> rows = all.stream().filter(row -> row[2].equals(fault.name())).toList();
      long damaged = rows.stream().mapToLong(row -> Long.parseLong(row[9])).sum();
      long troubles = rows.stream().filter(row -> !row[10].isEmpty()).count();
      good &= damaged == 0 && troubles == 0;
      System.out.printf(
          "| %s | %d | %d | %d | %d | %d | %d |%n",
          fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          rows.size(),
          rows.stream().filter(row -> Boolean.parseBoolean(row[5])).count(),
          rows.stream().mapToLong(row -> Long.parseLong(row[3])).sum(),
          damaged,
          troubles,
          rows.stream().mapToLong(row -> Long.parseLong(row[6])).sum());
    }
    return good;
  }
}
