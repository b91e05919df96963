package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/*
 * The load average of a minute when a run begins holds some of the run before, and what starting the cluster took. So
 * only the least of all runs tells of others, and only where it is more than a study's own work leaves behind.
 */
/** What makes a whole study's figures doubtful, beside drift. Stateless. */
public final class Warnings {
  private static final double BUSY_LOAD_PER_CORE = 2;

  private Warnings() {}

  /** All of a study, each a sentence or two. */
  public static List<String> of(ResultsFolder study) {
    List<String> warnings = new ArrayList<>(busy(study));
    warnings.addAll(ofKnobs(study.results(), StudyText.of(study.studyText())));
    return List.copyOf(warnings);
  }

  /** Those that knobs have, of runs at hand. */
  static List<String> ofKnobs(Results results, StudyText text) {
    return ServiceLoader.load(KnobWarning.class).stream()
        .flatMap(warning -> warning.get().of(results, text).stream())
        .toList();
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
}
