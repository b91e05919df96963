package org.calando.knob.tokens;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;

/*
 * Li 2013, section 3.5, sets each scenario's figure in contrast with a baseline, the mean of all scenarios:
 * (x - mean) / mean; 1.04 is "104 % above". The thesis has one run of each. With repeats, the contrast is taken within
 * each block, whose runs share what the machine was like, and its mean and Student interval over the blocks are given.
 * A block that lacks a scenario has another mean and is left out.
 */
/** Figures in contrast with the mean of all scenarios. */
final class Contrast {
  private Contrast() {}

  /**
   * The contrast of each scenario.
   *
   * @param scenarios each scenario's figure by block; a scenario without any is not counted
   * @return an estimate for each scenario, in order; over complete blocks, or, if there is none,
   *     the contrast of the scenarios' means without an interval
   */
  static List<Estimate> of(List<Map<String, Double>> scenarios) {
    List<Map<String, Double>> counted = scenarios.stream().filter(s -> !s.isEmpty()).toList();
    Set<String> blocks = new LinkedHashSet<>();
    counted.forEach(scenario -> blocks.addAll(scenario.keySet()));
    counted.forEach(scenario -> blocks.retainAll(scenario.keySet()));
    List<Estimate> contrasts = new ArrayList<>();
    for (Map<String, Double> scenario : scenarios) {
      if (scenario.isEmpty()) {
        contrasts.add(Statistics.estimate());
      } else if (blocks.isEmpty()) {
        contrasts.add(Statistics.estimate(ofMeans(scenario, counted)));
      } else {
        contrasts.add(Statistics.estimate(byBlock(scenario, counted, blocks)));
      }
    }
    return contrasts;
  }

  /** The contrast in each of the blocks. */
  static double[] byBlock(
      Map<String, Double> scenario, List<Map<String, Double>> all, Set<String> blocks) {
    return blocks.stream()
        .mapToDouble(
            block -> {
              double mean = mean(all.stream().map(s -> s.getOrDefault(block, Double.NaN)).toList());
              return (scenario.getOrDefault(block, Double.NaN) - mean) / mean;
            })
        .toArray();
  }

  private static double ofMeans(Map<String, Double> scenario, List<Map<String, Double>> all) {
    double mean = mean(all.stream().map(s -> mean(List.copyOf(s.values()))).toList());
    return (mean(List.copyOf(scenario.values())) - mean) / mean;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(v -> v).average().orElse(Double.NaN);
  }
}
