package org.calando.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.calando.report.NonInferiority;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Ratio;

/**
 * Runs of studies of clocks, compared policy by policy within blocks. Immutable.
 *
 * @param runs those that did not fail
 */
record ClockRuns(List<ClockRun> runs) {
  /** What everything is compared with. */
  static final String BASELINE = "all-high";

  ClockRuns {
    runs = List.copyOf(runs);
  }

  /** Those of a kind. */
  ClockRuns where(Predicate<ClockRun> kind) {
    return new ClockRuns(runs.stream().filter(kind).toList());
  }

  /** Numbers of replicas, ascending. */
  Set<Integer> replicas() {
    return runs.stream().map(ClockRun::replicas).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names of workloads, sorted. */
  Set<String> workloads() {
    return runs.stream().map(ClockRun::workload).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Blocks in all. */
  int blocks() {
    return (int) runs.stream().map(ClockRun::block).distinct().count();
  }

  /** Judges a policy's figures, of which more is better, beside the baseline's. */
  NonInferiority more(String policy, String column) {
    Pairs pairs = pairs(policy, column);
    return NonInferiority.ofMore(pairs.figures(), pairs.baseline());
  }

  /** Judges a policy's figures, of which less is better, beside the baseline's. */
  NonInferiority less(String policy, String column) {
    Pairs pairs = pairs(policy, column);
    return NonInferiority.ofLess(pairs.figures(), pairs.baseline());
  }

  /**
   * A policy's figure over the baseline's, a block's workloads added up: energy of all of them.
   * Blocks that lack a run are left out.
   */
  Ratio ratioOfSums(String policy, String column) {
    Pairs pairs = pairs(policy, column);
    return Statistics.ratio(pairs.figures(), pairs.baseline());
  }

  /** The greatest figure of a policy; NaN without any. */
  double greatest(String policy, String column) {
    return figures(policy, column).max().orElse(Double.NaN);
  }

  /** The mean figure of a policy; NaN without any. */
  double mean(String policy, String column) {
    return figures(policy, column).average().orElse(Double.NaN);
  }

  /** Mean and interval of a quotient over a policy's runs. */
  Statistics.Estimate estimate(String policy, ToDoubleFunction<ClockRun> figure) {
    return Statistics.estimate(
        runs.stream().filter(run -> run.clock().equals(policy)).mapToDouble(figure).toArray());
  }

  private java.util.stream.DoubleStream figures(String policy, String column) {
    return runs.stream()
        .filter(run -> run.clock().equals(policy))
        .mapToDouble(run -> run.figure(column))
        .filter(Double::isFinite);
  }

  /** Two rows of figures by block. Not a record: those have no arrays here. */
  private static final class Pairs {
    private final double[] figures;
    private final double[] baseline;

    Pairs(double[] figures, double[] baseline) {
      this.figures = figures;
      this.baseline = baseline;
    }

    double[] figures() {
      return figures;
    }

    double[] baseline() {
      return baseline;
    }
  }

  private Pairs pairs(String policy, String column) {
    Map<String, Double> mine = sums(policy, column);
    Map<String, Double> other = sums(BASELINE, column);
    List<String> both = mine.keySet().stream().filter(other::containsKey).toList();
    return new Pairs(
        both.stream().mapToDouble(block -> mine.getOrDefault(block, Double.NaN)).toArray(),
        both.stream().mapToDouble(block -> other.getOrDefault(block, Double.NaN)).toArray());
  }

  /** By block; NaN where a workload of it is missing. */
  private Map<String, Double> sums(String policy, String column) {
    int workloads = workloads().size();
    Map<String, Double> sums = new TreeMap<>();
    runs.stream()
        .filter(run -> run.clock().equals(policy))
        .collect(Collectors.groupingBy(ClockRun::block))
        .forEach(
            (block, ofBlock) ->
                sums.put(
                    block,
                    ofBlock.size() == workloads
                        ? ofBlock.stream().mapToDouble(run -> run.figure(column)).sum()
                        : Double.NaN));
    return sums;
  }
}
