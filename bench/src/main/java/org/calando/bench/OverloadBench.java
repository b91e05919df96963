package org.calando.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.scenario.Contender;
import org.calando.sim.scenario.Overload;
import org.calando.sim.scenario.OverloadRun;

/**
 * Runs loads that a simulated cluster bears at ONE and not at stronger levels, from a cold start
 * and with a burst, at fixed levels and by policies. Appends the results to a file, compares
 * policies with the best level that keeps the promise, and resumes an earlier run.
 *
 * <p>{@code OverloadBench FILE [SEEDS]}: default 3 seeds from 1 on.
 */
public final class OverloadBench {
  private static final String HEADER =
      "case,seed,by,p99_ms,joules_per_op,stale,stale_before,errors,replicas,drain_s";
  private static final double[] LOADS = {0.7, 0.8, 0.9};
  private static final long[] BURSTS = {0, 5_000_000_000L};
  private static final double TOLERATED = 0.05;
  private static final List<ConsistencyLevel> LEVELS =
      List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM);
  private static final List<Contender> POLICIES = List.of(Contender.PBS, Contender.EXACT);

  private final Path file;
  private final List<String> rows = new ArrayList<>();

  private OverloadBench(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      Files.writeString(file, HEADER + "\n");
    }
    rows.addAll(Files.readAllLines(file));
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException {
    OverloadBench bench = new OverloadBench(Path.of(arguments[0]));
    int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    for (int seed = 1; seed <= seeds; seed++) {
      for (double load : LOADS) {
        for (long burst : BURSTS) {
          bench.run(Overload.of(load, burst, TOLERATED, seed));
        }
      }
    }
    bench.compare();
  }

  private void run(Overload overload) throws IOException {
    for (ConsistencyLevel level : LEVELS) {
      String name = name(overload) + "," + level;
      if (isNew(name)) {
        append(name, OverloadRun.fixed(overload, level));
      }
    }
    for (Contender policy : POLICIES) {
      String name = name(overload) + "," + policy.label();
      if (isNew(name)) {
        append(name, OverloadRun.adaptive(overload, policy));
      }
    }
  }

  private static String name(Overload overload) {
    return String.format(
        Locale.ROOT,
        "%.0f %% %s,%d",
        100 * overload.load(),
        overload.burstNanos() == 0 ? "cold" : "burst",
        overload.seed());
  }

  private boolean isNew(String name) {
    return rows.stream().noneMatch(row -> row.startsWith(name + ","));
  }

  private void append(String name, OverloadRun.Result result) throws IOException {
    String row =
        String.format(
            Locale.ROOT,
            "%s,%.3f,%.6f,%.6f,%.6f,%d,%.4f,%.1f",
            name,
            result.p99Millis(),
            result.joulesPerOperation(),
            result.staleShare(),
            result.startStaleShare(),
            result.errors(),
            result.replicas(),
            result.drainSeconds());
    rows.add(row);
    Files.write(file, (row + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
  }

  private void compare() {
    Map<String, List<String[]>> cases = new TreeMap<>();
    for (String row : rows.subList(1, rows.size())) {
      String[] cells = row.split(",", -1);
      cases.computeIfAbsent(cells[0] + "," + cells[1], each -> new ArrayList<>()).add(cells);
    }
    System.out.println("| case, seed | by | p99 | J/op | drain | stale | before it settled |");
    System.out.println("|---|---|---|---|---|---|---|");
    cases.forEach(OverloadBench::compare);
  }

  private static void compare(String name, List<String[]> of) {
    String[] best = null;
    for (String[] cells : of) {
      boolean isLevel = LEVELS.stream().anyMatch(level -> level.name().equals(cells[2]));
      if (isLevel
          && number(cells, 5) <= TOLERATED
          && (best == null || number(cells, 3) < number(best, 3))) {
        best = cells;
      }
    }
    for (String[] cells : of) {
      boolean isPolicy = POLICIES.stream().anyMatch(policy -> policy.label().equals(cells[2]));
      if (isPolicy && best != null) {
        System.out.printf(
            Locale.ROOT,
            "| %s | %s over %s | %s | %s | %s | %.3f %% | %.3f %% |%n",
            name,
            cells[2],
            best[2],
            // What is left of a burst is in the window that counts.
            number(best, 9) > 0 ? "" : over(cells, best, 3),
            over(cells, best, 4),
            number(best, 9) > 0 ? over(cells, best, 9) : "",
            100 * number(cells, 5),
            100 * number(cells, 6));
      }
    }
  }

  private static String over(String[] cells, String[] best, int at) {
    return String.format(
        Locale.ROOT,
        "%.4g / %.4g, %+.1f %%",
        number(cells, at),
        number(best, at),
        100 * (number(cells, at) / number(best, at) - 1));
  }

  private static double number(String[] cells, int at) {
    return Double.parseDouble(cells[at]);
  }
}
