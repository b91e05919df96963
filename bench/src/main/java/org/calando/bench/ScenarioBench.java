package org.calando.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.scenario.Contender;
import org.calando.sim.scenario.Scenario;
import org.calando.sim.scenario.ScenarioDraw;
import org.calando.sim.scenario.ScenarioResult;
import org.calando.sim.scenario.ScenarioRun;

/**
 * Runs random scenarios on simulated clusters, every policy in each, and appends what they came to
 * to a file; then sums the file up. Goes on where an earlier run stopped.
 *
 * <p>{@code ScenarioBench FILE [SCENARIOS [THREADS [SECONDS]]]}: default 1000 scenarios of seeds
 * from 1 on, all cores, no limit of time.
 */
public final class ScenarioBench {
  /**
   * Fixed levels, by which regret counts, are run in one of so many scenarios: they cost a third.
   */
  private static final int LEVELS_IN_ONE_OF = 5;

  private final Path file;
  private final int scenarios;
  private final long endNanos;
  private final AtomicLong nextSeed = new AtomicLong(1);
  private final Set<Long> done = new HashSet<>();
  private long begun;

  private ScenarioBench(Path file, int scenarios, long seconds) throws IOException {
    this.file = file;
    this.scenarios = scenarios;
    this.endNanos = System.nanoTime() + seconds * 1_000_000_000L;
    if (!Files.exists(file)) {
      Files.writeString(file, ScenarioRow.HEADER + "\n");
    }
    ScenarioRow.read(file).forEach(row -> done.add(row.seed()));
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path file = Path.of(arguments[0]);
    int scenarios = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1000;
    int threads =
        arguments.length > 2
            ? Integer.parseInt(arguments[2])
            : Runtime.getRuntime().availableProcessors();
    long seconds = arguments.length > 3 ? Long.parseLong(arguments[3]) : 1_000_000;
    ScenarioBench bench = new ScenarioBench(file, scenarios, seconds);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker = new Thread(bench::work, "scenarios-" + i);
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
    List<ScenarioRow> rows = ScenarioRow.read(file);
    rows.removeIf(row -> row.seed() > scenarios);
    System.out.print(new ScenarioSummary(rows).text());
  }

  private void work() {
    while (System.nanoTime() - endNanos < 0) {
      long seed = nextSeed.getAndIncrement();
      if (seed > scenarios) {
        return;
      }
      if (!done.contains(seed)) {
        append(rows(ScenarioDraw.of(seed)));
      }
    }
  }

  /** All rows of a scenario at once, so that one is there whole or not at all. */
  private synchronized void append(List<ScenarioRow> rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(row.text()).append('\n'));
    try {
      Files.write(
          file, text.toString().getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    if (++begun % 50 == 0) {
      System.err.printf(Locale.ROOT, "%d scenarios%n", begun);
    }
  }

  private static List<ScenarioRow> rows(Scenario scenario) {
    List<ScenarioResult> fixed = new ArrayList<>();
    List<ScenarioRow> rows = new ArrayList<>();
    if (scenario.seed() % LEVELS_IN_ONE_OF == 0) {
      for (ConsistencyLevel level : levels(scenario)) {
        ScenarioResult result = ScenarioRun.fixed(scenario, level);
        fixed.add(result);
        rows.add(ScenarioRow.of(scenario, level.name(), result, Double.NaN));
      }
    }
    double best = best(fixed, scenario.tolerated());
    for (Contender contender : Contender.values()) {
      ScenarioRun.Judged judged = ScenarioRun.judged(scenario, contender);
      ScenarioResult all = judged.all();
      double regret = all.meanReplicas() - best;
      rows.add(ScenarioRow.of(scenario, contender.label(), all, regret));
      if (!judged.covered().equals(all)) {
        String name = contender.label() + ScenarioRow.COVERED;
        rows.add(ScenarioRow.of(scenario, name, judged.covered(), regret));
      }
    }
    return rows;
  }

  /** The levels of reads below the safe one. */
  private static List<ConsistencyLevel> levels(Scenario scenario) {
    ReadLevels levels = new ReadLevels(scenario.replicas(), scenario.isLocal());
    SafeLevel safe = SafeLevel.weakest(scenario.placement(), scenario.write(), scenario.isLocal());
    List<ConsistencyLevel> all = new ArrayList<>();
    for (int read = 1; read <= scenario.replicas(); read = levels.asked(read) + 1) {
      if (levels.asked(read) < safe.replicas()) {
        all.add(levels.level(read));
      }
    }
    all.add(safe.level());
    return all;
  }

  /**
   * The fewest replicas with which a level, or a fixed mix of two, is within the tolerated rate;
   * not a number without levels.
   */
  private static double best(List<ScenarioResult> fixed, double tolerated) {
    double best = fixed.isEmpty() ? Double.NaN : Double.POSITIVE_INFINITY;
    for (ScenarioResult within : fixed) {
      if (within.staleRate() > tolerated) {
        continue;
      }
      best = Math.min(best, within.meanReplicas());
      for (ScenarioResult over : fixed) {
        if (over.staleRate() > tolerated) {
          double share = (over.staleRate() - tolerated) / (over.staleRate() - within.staleRate());
          best =
              Math.min(
                  best,
                  over.meanReplicas() + share * (within.meanReplicas() - over.meanReplicas()));
        }
      }
    }
    return best;
  }
}
