package org.calando.knob.level;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.KnobWarning;
import org.calando.report.Results;
import org.calando.report.StudyText;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LevelFigures;

/** Policies that decided without figures for long: the warm-up was too short. */
public final class FallbackWarning implements KnobWarning {
  /** Those of the schema of {@code monitor}, where the study's file gives none. */
  private static final double DEFAULT_WINDOW_SECONDS = 5;

  private static final double DEFAULT_PERIOD_SECONDS = 1;
  private static final double PERIODS_TO_FIGURES = 3;

  private static final Pattern DURATION = Pattern.compile("([\\d.]+)(ns|us|ms|s|m|h)");
  private static final Map<String, Double> SECONDS =
      Map.of("ns", 1e-9, "us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0);

  @Override
  public List<String> of(Results results, StudyText text) {
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

  private static double seconds(StudyText text, String path, double otherwise) {
    Matcher matcher = DURATION.matcher(text.values().getOrDefault(path, ""));
    return matcher.matches()
        ? Double.parseDouble(matcher.group(1)) * SECONDS.getOrDefault(matcher.group(2), 1.0)
        : otherwise;
  }
}
