package org.calando.bench.governed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.calando.bench.TrialRows;
import org.calando.concerto.trials.ServiceFault;
import org.calando.concerto.trials.ServiceFault.Phase;
import org.calando.concerto.trials.ServiceTrial;
import org.calando.concerto.trials.ServiceTrialResult;
import org.calando.core.CalandoException;
import org.calando.core.time.DaemonThread;

/** Seeded trials of the governor's service with faults; a row each, so that it can be resumed. */
public final class ServiceTrialBench {
  private static final Path OUT = Path.of("out");
  private static final String HEADER =
      "seed,sentinels,gears,faults,hit,words,governed_s,restored_s,restores,damage,seconds";
  private static final int FAULTS = 3;
  private static final int HIT = 4;
  private static final int DAMAGE = 9;

  private final TrialRows rows;

  private ServiceTrialBench(TrialRows rows) {
    this.rows = rows;
  }

  /**
   * {@code ServiceTrialBench [TRIALS=100] [FIRST_SEED=0] [AT_ONCE=2]}. Exit code 1 if a trial found
   * something.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
    int atOnce = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2;
    TrialRows rows = new TrialRows(OUT.resolve("governor-trials.csv"), HEADER);
    ServiceTrialBench bench = new ServiceTrialBench(rows);
    Set<Long> done = rows.done();
    ExecutorService trials = DaemonThread.pool("trials", atOnce);
    LongStream.range(first, first + count)
        .filter(seed -> !done.contains(seed))
        .forEach(seed -> trials.execute(() -> bench.run(seed)));
    trials.shutdown();
    if (!trials.awaitTermination(1, TimeUnit.DAYS)) {
      throw new IllegalStateException("not through after a day");
    }
    System.exit(summary(rows.rows()) ? 0 : 1);
  }

  private void run(long seed) {
    Path folder = OUT.resolve("governor-trials").resolve("seed-" + seed).toAbsolutePath();
    try {
      delete(folder);
      ServiceTrialResult result = new ServiceTrial(seed, folder, 1).run();
      rows.add(
          seed,
          result.sentinels(),
          result.gears(),
          each(result, done -> done.fault() + "/" + done.phase()),
          each(result, done -> String.valueOf(done.hit())),
          each(result, ServiceTrialResult.Done::words),
          seconds(result.governedSeconds()),
          seconds(result.restoredSeconds()),
          result.restores(),
          String.join(" | ", result.damage()),
          seconds(result.seconds()));
      System.out.println(
          "seed %d, %s: %s, %.0f s"
              .formatted(
                  seed,
                  each(result, ServiceTrialResult.Done::words),
                  result.isGood() ? "good" : result.damage() + "; see " + folder,
                  result.seconds()));
      if (result.isGood()) {
        delete(folder);
      }
    } catch (CalandoException e) {
      // Without a row, so that it is tried again.
      System.out.println("seed " + seed + ": was not begun: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String each(
      ServiceTrialResult result, Function<ServiceTrialResult.Done, String> words) {
    return result.faults().stream().map(words).collect(Collectors.joining("; "));
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** How often which fault was done in which phase, and what was found. */
  private static boolean summary(List<String[]> all) {
    System.out.println(
        "| fault | at the begin | while it governs | at the end | trials with damage |");
    System.out.println("|---|---|---|---|---|");
    for (ServiceFault fault : ServiceFault.values()) {
      StringBuilder line = new StringBuilder("| " + words(fault));
      for (Phase phase : Phase.values()) {
        line.append(" | ")
            .append(all.stream().filter(row -> hit(row, fault + "/" + phase)).count());
      }
      long damaged =
          all.stream().filter(row -> row[FAULTS].contains(fault.name()) && bad(row)).count();
      System.out.println(line + " | " + damaged + " |");
    }
    long damaged = all.stream().filter(ServiceTrialBench::bad).count();
    System.out.println(all.size() + " trials, " + damaged + " with damage");
    return damaged == 0;
  }

  private static String words(ServiceFault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static boolean bad(String[] row) {
    return !row[DAMAGE].isEmpty();
  }

  private static boolean hit(String[] row, String fault) {
    List<String> faults = List.of(row[FAULTS].split("; ", -1));
    int at = faults.indexOf(fault);
    return at >= 0 && row[HIT].split("; ", -1)[at].equals("true");
  }
}
