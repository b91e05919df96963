package org.calando.promise;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.calando.core.CalandoException;

/** Looks from outside at what adaptive sessions promise, on real Cassandra. */
public final class PromiseMain {
  /** What is told apart at the start of an adaptive session. */
  private static final int START_SECONDS = 30;

  private final PromiseOptions options;
  private final Results results;
  private final List<String> failed = new ArrayList<>();

  private PromiseMain(PromiseOptions options, String header) throws IOException {
    this.options = options;
    this.results = new Results(options.folder().resolve(options.what() + ".csv"), header);
  }

  /** Exit code 1 if a promise was broken or something failed, 2 if a word is wrong. */
  public static void main(String[] words) throws IOException, InterruptedException {
    try {
      PromiseOptions options = PromiseOptions.parse(List.of(words));
      Files.createDirectories(options.folder());
      boolean good =
          switch (options.what()) {
            case "steps" -> new PromiseMain(options, StepRow.HEADER).steps();
            case "instances" -> new PromiseMain(options, InstancesRun.HEADER).instances();
            default -> new PromiseMain(options, CellRow.HEADER).cells();
          };
      System.exit(good ? 0 : 1);
    } catch (CalandoException e) {
      System.err.println(e.getMessage());
      System.exit(e.exitCode());
    }
  }

  private interface Run {
    /** Returns a line of results. */
    String line() throws IOException, InterruptedException;
  }

  private boolean cells() throws IOException, InterruptedException {
    List<Cell> left = left(Cells.all(), Cell::name);
    if (!left.isEmpty()) {
      try (ProbeBed bed = ProbeBed.start(ProbeBed.apart())) {
        ExecutorService threads = Executors.newFixedThreadPool(options.atOnce());
        for (Cell cell : left) {
          threads.execute(() -> attempt(cell.name(), () -> cell(bed, cell)));
        }
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.DAYS)) {
          return false;
        }
      }
    }
    tell(CellTable.HEADER, CellTable::row);
    List<String> bad = List.of(Verdict.BROKEN.label(), Verdict.ERRORS.label());
    return failed.isEmpty()
        && results.rows().stream().noneMatch(row -> bad.contains(row.get("verdict")));
  }

  private String cell(ProbeBed bed, Cell cell) throws IOException, InterruptedException {
    return CellRun.run(
            bed, cell, options.folder(), START_SECONDS, options.seconds(), options.seed())
        .line();
  }

  /** One after another, each on a cluster that nothing has happened to. */
  private boolean steps() throws IOException, InterruptedException {
    for (Step step : left(Step.all(), Step::name)) {
      try (ProbeBed bed = ProbeBed.start(StepRun.delays(step.event()))) {
        attempt(step.name(), () -> StepRun.run(bed, step, options.folder(), options.seed()));
      }
    }
    tell(StepRow.TABLE, StepRow::cells);
    return failed.isEmpty()
        && results.rows().stream().allMatch(row -> "true".equals(row.get("met")));
  }

  private boolean instances() throws IOException, InterruptedException {
    for (int count : left(InstancesRun.ALL, InstancesRun::name)) {
      try (ProbeBed bed = ProbeBed.start(ProbeBed.apart())) {
        attempt(
            InstancesRun.name(count),
            () ->
                InstancesRun.run(bed, count, options.folder(), options.seconds(), options.seed()));
      }
    }
    Map<String, String> one =
        results.rows().stream()
            .filter(row -> InstancesRun.name(1).equals(row.get("instances")))
            .findFirst()
            .orElse(Map.of());
    tell(InstancesRun.TABLE, row -> InstancesRun.cells(one, row));
    return failed.isEmpty();
  }

  /** Those that match and are not in the results. */
  private <T> List<T> left(List<T> all, Function<T, String> name) throws IOException {
    List<T> left = new ArrayList<>();
    for (T each : all) {
      if (options.pattern().matcher(name.apply(each)).find() && !results.has(name.apply(each))) {
        left.add(each);
      }
    }
    return left;
  }

  private void attempt(String name, Run run) {
    try {
      String line = run.line();
      results.add(line);
      System.out.println(line);
    } catch (CalandoException | IOException e) {
      System.out.println(name + " FAILED: " + e.getMessage());
      synchronized (failed) {
        failed.add(name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(List<String> header, Function<Map<String, String>, List<String>> cells)
      throws IOException {
    String table = results.table(header, cells);
    Files.writeString(options.folder().resolve(options.what() + ".md"), table);
    System.out.println(table);
  }
}
