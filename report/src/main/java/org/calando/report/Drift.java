package org.calando.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;

/*
 * A block holds every configuration once. So a block that is dearer than another for all of them alike
 * tells of the machine or of a cold engine, not of a configuration. On the logarithms, with b blocks and
 * c configurations: a block's effect is the mean of its values, and what configuration and block do not
 * explain is chance, of variance s^2 with (b - 1)(c - 1) degrees of freedom. The effects that lie furthest
 * apart drift if they differ by more than a tenth, and by more than chance does: three times its error,
 * s sqrt(2 / c). One configuration alone does not tell chance from drift, and must differ by a quarter.
 * A resume may lie inside of a block, and the machine be another then than hours before. So the same is asked of the
 * change from the runs before to those after it, within each configuration that has both: the error is that of the mean.
 */
/**
 * Whether a study's blocks, or its runs before and after a resume, differ as a cold engine or a
 * busy machine makes them. Stateless.
 */
public final class Drift {
  private static final double LEAST = Math.log(1.10);
  private static final double LEAST_ALONE = Math.log(1.25);
  private static final double ERRORS = 3;

  private Drift() {}

  /**
   * What to say of the drift between a study's blocks, and across its resumes.
   *
   * @param outDir the study's output folder
   * @return a sentence for each figure that drifts; none for a simulated study, which has no
   *     machine
   * @throws org.calando.core.BadRequestException if the folder is no study's, or is malformed
   */
  public static List<String> read(Path outDir) {
    return of(ResultsFolder.read(outDir).results());
  }

  /** The same of results at hand. */
  public static List<String> of(Results results) {
    List<Configuration> real =
        results.measured().stream()
            .filter(c -> c.ok().stream().noneMatch(RunRow::isSimulated))
            .toList();
    List<String> sentences = new ArrayList<>();
    // At a given rate joules hardly move, and would hide what closed loops show.
    Map<Boolean, List<Configuration>> byLoop =
        real.stream().collect(Collectors.partitioningBy(c -> c.load().kind() == Load.Kind.CLOSED));
    byLoop.forEach(
        (closed, loop) ->
            tell(
                "in " + (closed ? "closed" : "open") + " loops, joules per operation",
                loop,
                RunRow::joulesPerKop,
                sentences));
    tell(
        "operations per second",
        byLoop.getOrDefault(true, List.of()),
        row -> row.number(LoadColumns.THROUGHPUT_OPS_S),
        sentences);
    byLoop.forEach(
        (closed, loop) ->
            tellResumes(
                "in " + (closed ? "closed" : "open") + " loops, joules per operation",
                loop,
                RunRow::joulesPerKop,
                sentences));
    tellResumes(
        "operations per second",
        byLoop.getOrDefault(true, List.of()),
        row -> row.number(LoadColumns.THROUGHPUT_OPS_S),
        sentences);
    if (!sentences.isEmpty()) {
      sentences.add(
          "A cold engine or driver does that, or other work on the machine: give workload.warm-up"
              + " more time, and do not compare runs of different blocks, or of before and after a"
              + " resume.");
    }
    return List.copyOf(sentences);
  }

  private static void tell(
      String what,
      List<Configuration> configurations,
      ToDoubleFunction<RunRow> figure,
      List<String> sentences) {
    List<String> blocks =
        configurations.stream()
            .flatMap(c -> c.ok().stream())
            .map(row -> row.text(RunColumns.REPEAT))
            .distinct()
            .sorted(Comparator.comparingInt(String::length).thenComparing(text -> text))
            .toList();
    List<double[]> logs =
        configurations.stream()
            .map(c -> logs(c, blocks, figure))
            .filter(values -> values.length > 1)
            .toList();
    if (logs.isEmpty()) {
      return;
    }
    double[] effects = effects(logs);
    int low = 0;
    int high = 0;
    for (int block = 1; block < effects.length; block++) {
      low = effects[block] < effects[low] ? block : low;
      high = effects[block] > effects[high] ? block : high;
    }
    double range = effects[high] - effects[low];
    if (range > least(logs, effects)) {
      sentences.add(
          "Blocks drift: %s of block %s were %s times those of block %s, over %d %s."
              .formatted(
                  what,
                  blocks.get(high),
                  Figures.figure(Math.exp(range)),
                  blocks.get(low),
                  logs.size(),
                  logs.size() == 1 ? "configuration" : "configurations"));
    }
  }

  /** The same of each resume: runs after it against those before, within each configuration. */
  private static void tellResumes(
      String what,
      List<Configuration> configurations,
      ToDoubleFunction<RunRow> figure,
      List<String> sentences) {
    int last =
        configurations.stream()
            .flatMap(c -> c.ok().stream())
            .mapToInt(Drift::resumes)
            .max()
            .orElse(0);
    for (int resume = 1; resume <= last; resume++) {
      int here = resume;
      double[] changes =
          configurations.stream()
              .mapToDouble(
                  c ->
                      logMean(c, figure, row -> resumes(row) >= here)
                          - logMean(c, figure, row -> resumes(row) < here))
              .filter(Double::isFinite)
              .toArray();
      double change = Arrays.stream(changes).average().orElse(0);
      if (Math.abs(change) > least(changes, change)) {
        sentences.add(
            "A resume drifts: %s after resume %d were %s times those before, over %d %s."
                .formatted(
                    what,
                    resume,
                    Figures.figure(Math.exp(change)),
                    changes.length,
                    changes.length == 1 ? "configuration" : "configurations"));
      }
    }
  }

  private static int resumes(RunRow row) {
    double resumes = row.number(RunColumns.RESUMES);
    return Double.isNaN(resumes) ? 0 : (int) resumes;
  }

  /** NaN without such runs. */
  private static double logMean(
      Configuration configuration, ToDoubleFunction<RunRow> figure, Predicate<RunRow> which) {
    return configuration.ok().stream()
        .filter(which)
        .mapToDouble(figure)
        .filter(value -> value > 0)
        .map(Math::log)
        .average()
        .orElse(Double.NaN);
  }

  /** How large a mean change must be to be more than chance. */
  private static double least(double[] changes, double mean) {
    if (changes.length < 2) {
      return LEAST_ALONE;
    }
    double squares = Arrays.stream(changes).map(c -> (c - mean) * (c - mean)).sum();
    double variance = squares / (changes.length - 1.0);
    return Math.max(LEAST, ERRORS * Math.sqrt(variance / changes.length));
  }

  /** A value for each block; none if the configuration lacks one. */
  private static double[] logs(
      Configuration configuration, List<String> blocks, ToDoubleFunction<RunRow> figure) {
    double[] values =
        blocks.stream()
            .flatMap(
                block ->
                    configuration.ok().stream()
                        .filter(row -> row.text(RunColumns.REPEAT).equals(block))
                        .limit(1))
            .mapToDouble(figure)
            .filter(value -> value > 0)
            .map(Math::log)
            .toArray();
    return values.length == blocks.size() ? values : new double[0];
  }

  private static double[] effects(List<double[]> logs) {
    double[] effects = new double[logs.get(0).length];
    for (double[] values : logs) {
      for (int block = 0; block < effects.length; block++) {
        effects[block] += values[block] / logs.size();
      }
    }
    return effects;
  }

  /** How far apart effects must lie to be more than chance. */
  private static double least(List<double[]> logs, double[] effects) {
    if (logs.size() == 1) {
      return LEAST_ALONE;
    }
    double mean = Arrays.stream(effects).average().orElse(0);
    double squares = 0;
    for (double[] values : logs) {
      double own = Arrays.stream(values).average().orElse(0);
      for (int block = 0; block < effects.length; block++) {
        double residual = values[block] - own - effects[block] + mean;
        squares += residual * residual;
      }
    }
    double variance = squares / ((effects.length - 1.0) * (logs.size() - 1.0));
    return Math.max(LEAST, ERRORS * Math.sqrt(2 * variance / logs.size()));
  }
}
