package org.calando.knob.frequency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.column.RunColumns;

/**
 * Runs that differ in the policy of clocks only, and in their block. Immutable.
 *
 * @param workload what clients did
 * @param load their loop
 * @param levels of reads and writes
 * @param nodes how many nodes the cluster had, as results tell it
 * @param runs those that succeeded, by policy
 */
record ClockGroup(
    String workload, Load load, String levels, String nodes, Map<String, List<RunRow>> runs) {
  /** What others are compared with. */
  static final String BASELINE = "all-high";

  private static final String YCSB = "ycsb-";

  /** All groups of a study, from writes to reads, the paper's own workloads before YCSB's. */
  static List<ClockGroup> all(Results results) {
    List<RunRow> rows =
        results.rows().stream()
            .filter(row -> !row.failed() && !row.text(RunColumns.CLOCK).isEmpty())
            .toList();
    Map<ClockGroup, Map<String, List<RunRow>>> found = new LinkedHashMap<>();
    for (RunRow row : rows) {
      ClockGroup key =
          new ClockGroup(
              row.text(RunColumns.WORKLOAD),
              loop(row),
              Results.levels(row),
              row.text(RunColumns.NODES),
              Map.of());
      found
          .computeIfAbsent(key, group -> new LinkedHashMap<>())
          .computeIfAbsent(row.text(RunColumns.CLOCK), policy -> new ArrayList<>())
          .add(row);
    }
    List<ClockGroup> groups = new ArrayList<>();
    found.forEach((key, runs) -> groups.add(key.with(runs)));
    groups.sort(
        Comparator.comparing(ClockGroup::isYcsb)
            .thenComparing(group -> group.isYcsb() ? group.workload : "")
            .thenComparingDouble(group -> Results.readShare(rows, group.workload))
            .thenComparing(ClockGroup::workload)
            .thenComparing(ClockGroup::levels)
            .thenComparing(group -> group.load.kind())
            .thenComparingDouble(group -> group.load.amount()));
    return List.copyOf(groups);
  }

  /** The loop alone: workloads are told apart otherwise. */
  private static Load loop(RunRow row) {
    Load load = Load.of(row, false);
    return new Load("", "", load.kind(), load.amount(), load.arrivals(), false);
  }

  private ClockGroup with(Map<String, List<RunRow>> other) {
    return new ClockGroup(workload, load, levels, nodes, other);
  }

  /** The policies of groups, in the order of their names' list. */
  static List<String> policies(List<ClockGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.runs.keySet().stream())
        .distinct()
        .sorted(new ClockOrder())
        .toList();
  }

  /** Whether it is a workload of YCSB, which the paper shows apart. */
  boolean isYcsb() {
    return workload.startsWith(YCSB);
  }

  /** Whether clients read from replicas. */
  boolean readsReplicas() {
    return levels.startsWith("replica") || levels.startsWith("any");
  }

  /** The runs with a policy. */
  List<RunRow> of(String policy) {
    return runs.getOrDefault(policy, List.of());
  }

  /** A figure with a policy, in the order of runs; NaN where it is missing. */
  double[] values(String policy, ToDoubleFunction<RunRow> figure) {
    return Scenarios.values(of(policy), figure);
  }

  /** A figure with a policy by block; blocks without it are left out. */
  Map<String, Double> byBlock(String policy, ToDoubleFunction<RunRow> figure) {
    return Scenarios.byRepeat(of(policy), figure);
  }

  /** What a policy saves of the baseline, as a share, by block; blocks that lack one are not. */
  Map<String, Double> saved(String policy, ToDoubleFunction<RunRow> figure) {
    Map<String, Double> saved = byBlock(policy, figure);
    Map<String, Double> others = byBlock(BASELINE, figure);
    saved.keySet().retainAll(others.keySet());
    saved.replaceAll((block, ours) -> 1 - ours / others.getOrDefault(block, Double.NaN));
    return saved;
  }

  /** A figure with a policy and without, in the blocks that have both. */
  Pairs pairs(String policy, ToDoubleFunction<RunRow> figure) {
    Map<String, Double> ours = byBlock(policy, figure);
    Map<String, Double> others = byBlock(BASELINE, figure);
    ours.keySet().retainAll(others.keySet());
    return new Pairs(
        ours.values().stream().mapToDouble(value -> value).toArray(),
        ours.keySet().stream().mapToDouble(others::get).toArray());
  }

  /** Figures by block. Nobody changes its arrays. */
  static final class Pairs {
    private final double[] ours;
    private final double[] baseline;

    private Pairs(double[] ours, double[] baseline) {
      this.ours = ours;
      this.baseline = baseline;
    }

    double[] ours() {
      return ours;
    }

    double[] baseline() {
      return baseline;
    }
  }

  /** What tells a group from others. */
  static List<String> labels(List<ClockGroup> groups) {
    boolean loads = groups.stream().map(ClockGroup::load).distinct().count() > 1;
    boolean levels = groups.stream().map(ClockGroup::levels).distinct().count() > 1;
    return groups.stream()
        .map(
            group ->
                Scenarios.name(group.workload)
                    + (loads ? ", " + Scenarios.name(group.load) : "")
                    + (levels ? ", " + group.levels : ""))
        .toList();
  }
}
