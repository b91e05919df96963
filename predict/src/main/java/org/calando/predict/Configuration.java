package org.calando.predict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.report.Statistics;
import org.calando.studyfile.profile.Quantity;

/**
 * The measured runs of one scenario. Immutable.
 *
 * @param label it in words
 * @param runs one or more
 */
record Configuration(String label, List<MeasuredRun> runs) {
  Configuration {
    runs = List.copyOf(runs);
  }

  /** Puts runs of one scenario together, in the order in which scenarios come first. */
  static List<Configuration> of(List<MeasuredRun> runs) {
    Map<Scenario, List<MeasuredRun>> byScenario = new LinkedHashMap<>();
    for (MeasuredRun run : runs) {
      byScenario.computeIfAbsent(run.scenario(), s -> new ArrayList<>()).add(run);
    }
    return byScenario.values().stream()
        .map(same -> new Configuration(same.get(0).configuration(), same))
        .toList();
  }

  Scenario scenario() {
    return runs.get(0).scenario();
  }

  /** The mean of a quantity over runs; of stale reads, the share over all reads. */
  double mean(Quantity quantity) {
    if (quantity == Quantity.STALE) {
      long reads = runs.stream().mapToLong(run -> run.figures().reads()).sum();
      return (double) stale() / reads;
    }
    return estimate(quantity).mean();
  }

  /** The mean of a quantity with its interval over runs. */
  Statistics.Estimate estimate(Quantity quantity) {
    return Statistics.estimate(
        runs.stream().mapToDouble(run -> run.figures().get(quantity)).toArray());
  }

  private long stale() {
    return runs.stream().mapToLong(run -> run.figures().staleReads()).sum();
  }

  /** Whether the runs tell a quantity that the scenario leaves open. */
  boolean tells(Quantity quantity) {
    double mean = mean(quantity);
    boolean there = quantity == Quantity.STALE ? mean >= 0 : mean > 0;
    return scenario().tells(quantity) && there && mean < Double.POSITIVE_INFINITY;
  }

  /**
   * Relative standard error of a quantity's mean.
   *
   * @param ofOneRun that of a single run, whose own runs tell no error
   */
  double relativeError(Quantity quantity, double ofOneRun) {
    if (quantity == Quantity.STALE) {
      // Those of a burst are not independent: each counts half.
      return Math.sqrt(2.0 / Math.max(1, stale()));
    }
    return runs.size() < 2 ? ofOneRun : Math.sqrt(variance(quantity) / runs.size());
  }

  /**
   * How far single runs are from their mean, over all configurations with several: a standard
   * deviation of the logarithm. Where there are none, as much as the model may be wrong.
   */
  static double pooledError(List<Configuration> configurations, Quantity quantity) {
    double squares = 0;
    int degrees = 0;
    for (Configuration configuration : configurations) {
      int more = configuration.runs().size() - 1;
      if (more > 0 && configuration.tells(quantity)) {
        squares += configuration.variance(quantity) * more;
        degrees += more;
      }
    }
    return degrees == 0 ? quantity.modelError() : Math.sqrt(squares / degrees);
  }

  /** Of the logarithms over two or more runs. */
  private double variance(Quantity quantity) {
    double[] values =
        runs.stream().mapToDouble(run -> Math.log(run.figures().get(quantity))).toArray();
    double mean = 0;
    for (double value : values) {
      mean += value / values.length;
    }
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares / (values.length - 1);
  }
}
