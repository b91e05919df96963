package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LevelFigures;

/*
 * The load average of a minute when a run begins holds some of the run before, and what starting the cluster took. So
 * only the least of all runs tells of others, and only where it is more than a study's own work leaves behind.
 */
/** What makes a whole study's figures doubtful, beside drift. Stateless. */
public final class Warnings {
  private static final double BUSY_LOAD_PER_CORE = 2;

  /** Those of the schema of {@code monitor}, where the study's file gives none. */
  private static final double DEFAULT_WINDOW_SECONDS = 5;

  private static final double DEFAULT_PERIOD_SECONDS = 1;
  private static final double PERIODS_TO_FIGURES = 3;

  private static final Pattern DURATION = Pattern.compile("([\\d.]+)(ns|us|ms|s|m|h)");
  private static final Map<String, Double> SECONDS =
      Map.of("ns", 1e-9, "us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0);

  private Warnings() {}

  /** All of a study, each a sentence or two. */
  public static List<String> of(ResultsFolder study) {
    List<String> warnings = new ArrayList<>(busy(study));
    warnings.addAll(fallback(study.results(), StudyText.of(study.studyText())));
    return List.copyOf(warnings);
  }

  /** Policies that decided without figures for long. */
  static List<String> fallback(Results results, StudyText text) {
    double needed =
        2
            * (seconds(text, "monitor.window", DEFAULT_WINDOW_SECONDS)
                + PERIODS_TO_FIGURES * seconds(text, "monitor.period", DEFAULT_PERIOD_SECONDS));
    double given = seconds(text, "workload.warm-up", 0);
    String remedy = given < needed ? "%.0fs".formatted(Math.ceil(needed)) : "more time";
    List<String> warnings = new ArrayList<>();
    for (Configuration c : results.measured()) {
      double fallback = c.estimate(LevelColumns.FALLBACK_SHARE).mean();
      if (fallback > LevelFigures.MUCH_FALLBACK) {
        warnings.add(
            "%s was at its fallback for %s of its decisions: give workload.warm-up %s."
                .formatted(c.label(), Figures.percent(fallback).replace('\u00A0', ' '), remedy));
      }
    }
    return List.copyOf(warnings);
  }

  private static List<String> busy(ResultsFolder study) {
    double[] loads =
        study.summaries().values().stream()
            .mapToDouble(summary -> summary.path("load_average").asDouble(Double.NaN))
            .filter(Double::isFinite)
            .toArray();
    int cores = study.environment().path("host").path("cores").asInt(0);
    Statistics.Spread load = Statistics.spread(loads);
    if (cores == 0 || !(load.min() > BUSY_LOAD_PER_CORE * cores)) {
      return List.of();
    }
    return List.of(
        ("The machine had much other work: load average %s when runs began, on %d cores. Figures"
                + " are slower and dearer for it, and comparisons unsafe: end the other work, and"
                + " run the study again.")
            .formatted(Figures.extent(load.min(), load.max()), cores));
  }

  private static double seconds(StudyText text, String path, double otherwise) {
    Matcher matcher = DURATION.matcher(text.values().getOrDefault(path, ""));
    return matcher.matches()
        ? Double.parseDouble(matcher.group(1)) * SECONDS.getOrDefault(matcher.group(2), 1.0)
        : otherwise;
  }
}
