package org.calando.knob.frequency;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.ClockColumns;
import org.calando.report.column.Column;
import org.calando.report.column.LoadColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Columns;

/** Figures 3 and 5 to 9 of Lee and Lee 2021 (Concerto), drawn of a study's own runs. Immutable. */
final class ConcertoFigures {
  private static final String PAPER = " of Lee and Lee 2021";
  private static final String ARRIVAL = "a write arrives each";
  private static final String PREDICTED = "processing, by the ratio of clocks";
  private static final String MEASURED = "processing, measured";

  private final List<ClockGroup> groups;
  private final List<String> policies;
  private final ClockSetup setup;
  private final ClockHeadroom headroom;

  ConcertoFigures(List<ClockGroup> groups, ClockSetup setup, ClockHeadroom headroom) {
    this.groups = groups;
    this.policies = ClockGroup.policies(groups);
    this.setup = setup;
    this.headroom = headroom;
  }

  /** Joules of cores for 1000 operations. */
  static ToDoubleFunction<RunRow> joulesPerKop(Column column) {
    return row -> {
      double errors = row.number(LoadColumns.ERRORS);
      double done = row.number(LoadColumns.OPERATIONS) - (Double.isNaN(errors) ? 0 : errors);
      return done > 0 ? row.number(column) / done * 1000 : Double.NaN;
    };
  }

  /** Figure 3: what a replica has to do for a write, and how often one comes. */
  Optional<Chart> processing() {
    Columns chart =
        new Columns(
                "concerto-3",
                "Writes that arrive at a replica, and what they take it",
                "P-state",
                "Time",
                List.of(ARRIVAL, PREDICTED, MEASURED))
            .across(2);
    List<ClockGroup> shown = groups.stream().filter(headroom::isOfWrites).toList();
    List<String> labels = ClockGroup.labels(shown);
    for (int i = 0; i < shown.size(); i++) {
      ClockGroup group = shown.get(i);
      chart.panel(Load.sentence(labels.get(i)), "us a write");
      for (ClockHeadroom.State state : headroom.of(group)) {
        chart.group(Figures.exact(state.ghz()) + " GHz");
        bar(chart, ARRIVAL, state.arrival());
        bar(chart, PREDICTED, state.predicted());
        bar(chart, MEASURED, state.measured());
      }
    }
    return chart.build(
        "As Figure 3"
            + PAPER
            + ": there 77.7 us between two writes, 11.0 us of processing at 2.2 GHz and 22.3 at"
            + " 1.0. By the ratio of clocks: what was measured at the fastest clock, times the"
            + " fastest over this one; memory does not slow, so it errs to the safe side."
            + (setup.ghz().isEmpty() ? " P-states: those seen in runs." : ""));
  }

  private static void bar(Columns chart, String label, double[] values) {
    chart.bar(label, Statistics.estimate(values), values);
  }

  /** Figures 5 and 7: throughput through the master. */
  List<Chart> throughput() {
    List<Chart> charts = new ArrayList<>();
    throughput("concerto-5", "Throughput", "5", group -> !group.isYcsb()).ifPresent(charts::add);
    throughput("concerto-7", "Throughput with YCSB", "7", ClockGroup::isYcsb)
        .ifPresent(charts::add);
    return charts;
  }

  private Optional<Chart> throughput(
      String id, String title, String number, Predicate<ClockGroup> which) {
    List<ClockGroup> shown =
        groups.stream().filter(which).filter(group -> !group.readsReplicas()).toList();
    return columns(id, title + " by policy of clocks", shown)
        .panel("Throughput", "ops/s", row -> row.number(LoadColumns.THROUGHPUT_OPS_S))
        .panel(
            "CPU time of the master",
            "us an operation",
            row -> row.number(ClockColumns.MASTER_CPU_US_OP))
        .build("As Figure " + number + PAPER + ", which has no CPU time.");
  }

  /** Figures 6 and 8: joules of cores, by both accounts. */
  List<Chart> energy() {
    List<Chart> charts = new ArrayList<>();
    energy("concerto-6", "Energy of cores", "6", group -> !group.isYcsb()).ifPresent(charts::add);
    energy("concerto-8", "Energy of cores with YCSB", "8", ClockGroup::isYcsb)
        .ifPresent(charts::add);
    return charts;
  }

  private Optional<Chart> energy(
      String id, String title, String number, Predicate<ClockGroup> which) {
    List<ClockGroup> shown =
        groups.stream().filter(which).filter(group -> !group.readsReplicas()).toList();
    return columns(id, title + " by policy of clocks", shown)
        .panel(
            "Idle cores charged, i = 1",
            "J per 1000 ops",
            joulesPerKop(ClockColumns.CLOCK_ENERGY_I1_J))
        .panel(
            "Busy time only, i = 0", "J per 1000 ops", joulesPerKop(ClockColumns.CLOCK_ENERGY_I0_J))
        .build(
            "As Figure "
                + number
                + PAPER
                + ", whose arithmetic, power times elapsed time, is that of i = 1. "
                + setup.model());
  }

  /** Figure 9: where clients read from replicas. */
  Optional<Chart> replicaReads() {
    List<ClockGroup> shown = groups.stream().filter(ClockGroup::readsReplicas).toList();
    return columns("concerto-9", "Reads of replicas by policy of clocks", shown)
        .panel("Throughput", "ops/s", row -> row.number(LoadColumns.THROUGHPUT_OPS_S))
        .panel("Read p99", "us", row -> row.number(LoadColumns.READ_P99_US))
        .panel(
            "CPU time of a replica",
            "us an operation",
            row -> row.number(ClockColumns.REPLICA_CPU_US_OP))
        .build(
            "As Figure 9"
                + PAPER
                + ", without its patched server (CNCT+), which sends answers from a fast core."
                + " Percentiles are never averaged: the column is the middle run\u2019s.");
  }

  private Panels columns(String id, String title, List<ClockGroup> shown) {
    return new Panels(new Columns(id, title, "Workload", "Policy", policies), shown, policies);
  }

  /** Adds panels that have a group for each of the runs' groups. */
  private static final class Panels {
    private final Columns chart;
    private final List<ClockGroup> shown;
    private final List<String> policies;
    private int panels;

    Panels(Columns chart, List<ClockGroup> shown, List<String> policies) {
      this.chart = chart;
      this.shown = shown;
      this.policies = policies;
    }

    Panels panel(String heading, String unit, ToDoubleFunction<RunRow> figure) {
      panels++;
      chart.panel(heading, unit);
      List<String> labels = ClockGroup.labels(shown);
      for (int i = 0; i < shown.size(); i++) {
        chart.group(labels.get(i));
        for (String policy : policies) {
          double[] values = shown.get(i).values(policy, figure);
          if (heading.contains("p99")) {
            chart.middle(policy, Statistics.spread(values), values);
          } else {
            Estimate estimate = Statistics.estimate(values);
            chart.bar(policy, estimate, values);
          }
        }
      }
      return this;
    }

    Optional<Chart> build(String note) {
      // Many groups of columns do not stand beside each other.
      chart.across(shown.size() * policies.size() > 12 ? 1 : panels);
      return chart.build(note);
    }
  }
}
