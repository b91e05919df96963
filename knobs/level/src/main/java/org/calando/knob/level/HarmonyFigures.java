package org.calando.knob.level;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Columns;
import org.calando.report.page.PointsChart;
import org.calando.report.page.TimeLines;

/**
 * Figures 4, 5 and 6 of Chihoub et al. 2012 (Harmony), drawn of a study's own runs in one kind of
 * loop. Immutable.
 */
final class HarmonyFigures {
  private static final String AT_ONE = "measured at ONE";
  private static final String ENERGY = "energy of these runs";
  private static final double PERCENT = 100;
  private static final double MILLIS_PER_MICRO = 1e-3;

  /** Seconds of a run that become one point. */
  private static final int POINT_SECONDS = 10;

  /** More points than this are thinned out. */
  private static final int MOST_POINTS = 300;

  private final Scenarios all;
  private final Decisions decisions;
  private final String kind;
  private final String loop;
  private final String energyUnit;
  private final String notes;

  /**
   * Figures of these runs.
   *
   * @param all runs in loops of one kind
   * @param provenance the provenance word of all joules, empty if runs differ
   */
  HarmonyFigures(Scenarios all, Load.Kind kind, Decisions decisions, String provenance) {
    this.all = all;
    this.decisions = decisions;
    this.loop = ", " + kind.words();
    this.kind = kind.name().toLowerCase(Locale.ROOT);
    this.energyUnit =
        "J per 1000 ops, " + (provenance.isEmpty() ? "of mixed provenance" : provenance);
    this.notes =
        (kind == Load.Kind.OPEN ? " Over rates instead of threads." : "")
            + (all.held().isEmpty() ? "" : " Held: " + all.held() + ".")
            + " Dual reads: "
            + (all.has(r -> r.number(StaleColumns.DUAL_READS))
                ? "on; the second read of each takes time and energy of its own."
                : "off.");
  }

  /** Those figures that there are figures for. */
  List<Chart> charts() {
    return Stream.of(estimates(), latencies(), staleReads()).flatMap(Optional::stream).toList();
  }

  /** Figure 4(a): a panel for each workload, beside the energy of the same runs. */
  private Optional<Chart> estimates() {
    List<String> labels =
        Stream.concat(
                Arrays.stream(Estimator.values()).map(Estimator::label), Stream.of(AT_ONE, ENERGY))
            .toList();
    Columns chart =
        columns("harmony-4a", "Stale reads expected of reads of one replica", "Model", labels, 2);
    boolean any = false;
    for (String workload : all.workloads()) {
      chart.panel(heading(workload, "stale reads"), "%");
      for (Load load : all.loads()) {
        chart.group(Scenarios.name(load));
        List<RunRow> runs = estimated(workload, load);
        for (Estimator estimator : Estimator.values()) {
          any |= !runs.isEmpty();
          add(chart, estimator.label(), runs, r -> r.number(estimator.ofOne()) * PERCENT);
        }
        if (!runs.isEmpty()) {
          add(chart, AT_ONE, atOne(workload, load), r -> r.staleRate() * PERCENT);
        }
      }
      chart.panel(heading(workload, "energy"), energyUnit);
      for (Load load : all.loads()) {
        chart.group(Scenarios.name(load));
        add(chart, ENERGY, estimated(workload, load), RunRow::joulesPerKop);
      }
    }
    return any
        ? chart.build(
            "As Figure 4(a) of Chihoub et al. 2012, which has the published estimate only." + notes)
        : Optional.empty();
  }

  /** Figure 5: p99 of reads and throughput, and energy. */
  private Optional<Chart> latencies() {
    Columns chart =
        columns("harmony-5", "Read p99, throughput and energy by policy", "Level", all.levels(), 3);
    for (String workload : all.workloads()) {
      chart.panel(heading(workload, "read p99"), "ms");
      for (Load load : all.loads()) {
        chart.group(Scenarios.name(load));
        for (String level : all.levels()) {
          double[] values =
              Scenarios.values(
                  all.at(workload, load, level),
                  r -> r.number(LoadColumns.READ_P99_US) * MILLIS_PER_MICRO);
          Spread spread = Statistics.spread(values);
          chart.middle(level, spread, values);
        }
      }
      panel(chart, workload, "throughput", "ops/s", r -> r.number(LoadColumns.THROUGHPUT_OPS_S));
      panel(chart, workload, "energy", energyUnit, RunRow::joulesPerKop);
    }
    return chart.build(
        "As Figure 5 of Chihoub et al. 2012, which has no energy. Percentiles are never averaged:"
            + " the column is the middle run\u2019s."
            + notes);
  }

  /** Figure 6: what was stale in fact. */
  private Optional<Chart> staleReads() {
    Columns chart =
        columns("harmony-6", "Stale reads and energy by policy", "Level", all.levels(), 2);
    for (String workload : all.workloads()) {
      panel(chart, workload, "stale reads", "%", r -> r.staleRate() * PERCENT);
      panel(chart, workload, "energy", energyUnit, RunRow::joulesPerKop);
    }
    return chart.build(
        "As Figure 6 of Chihoub et al. 2012, which counts by dual reads; here the oracle judges"
            + " each read."
            + notes);
  }

  /** Figure 4(b): estimates and energy over how long writes took to reach all replicas. */
  List<Chart> overPropagation() {
    List<String> labels = Arrays.stream(Estimator.values()).map(Estimator::label).toList();
    PointsChart.Axis x = new PointsChart.Axis("propagation time, ms", "propagation_ms");
    PointsChart estimates =
        new PointsChart(
            "harmony-4b-" + kind,
            "Stale reads expected of reads of one replica, by propagation time" + loop,
            labels,
            x,
            new PointsChart.Axis("stale reads, %", "stale_percent"));
    PointsChart energy =
        new PointsChart(
            "harmony-4b-energy-" + kind,
            "Energy by propagation time" + loop,
            all.levels(),
            x,
            new PointsChart.Axis(energyUnit, "joules_per_kop"));
    int every = Math.max(1, (points() + MOST_POINTS - 1) / MOST_POINTS);
    int number = 0;
    for (RunRow row : all.rows()) {
      DecisionSeconds seconds = decisions.of(row).orElse(null);
      if (seconds == null) {
        continue;
      }
      String run = TimeLines.label(row);
      int end = Math.max(1, seconds.measured());
      energy.add(
          Results.levels(row), run, seconds.mean("propagation_ms", 0, end), row.joulesPerKop());
      for (int from = 0; from < end; from += POINT_SECONDS) {
        int to = Math.min(end, from + POINT_SECONDS);
        if (number++ % every == 0) {
          double lag = seconds.mean("propagation_ms", from, to);
          for (Estimator estimator : Estimator.values()) {
            double rate = seconds.mean(estimator.ofOne(), from, to) * PERCENT;
            estimates.add(estimator.label(), run + ", from " + from + " s", lag, rate);
          }
        }
      }
    }
    List<Chart> charts = new ArrayList<>();
    estimates
        .build(
            "As Figure 4(b) of Chihoub et al. 2012, which has the published estimate only. A mark:"
                + " mean of 10 seconds of a run."
                + (every > 1 ? " One of " + every + " is shown." : "")
                + notes)
        .ifPresent(charts::add);
    energy.build("Beside Figure 4(b). A mark: a run." + notes).ifPresent(charts::add);
    return charts.size() == 2 ? charts : List.of();
  }

  private int points() {
    return all.rows().stream()
        .flatMap(row -> decisions.of(row).stream())
        .mapToInt(seconds -> seconds.measured() / POINT_SECONDS + 1)
        .sum();
  }

  /** Runs with estimates: at ONE if there are, else of the first level or policy that has them. */
  private List<RunRow> estimated(String workload, Load load) {
    Stream<String> order =
        Stream.concat(all.levels().stream().filter(l -> isOne(l)), all.levels().stream());
    return order
        .map(level -> all.at(workload, load, level))
        .filter(runs -> runs.stream().anyMatch(HarmonyFigures::isEstimated))
        .findFirst()
        .orElse(List.of());
  }

  private List<RunRow> atOne(String workload, Load load) {
    return all.levels().stream()
        .map(level -> all.at(workload, load, level))
        .filter(
            runs -> !runs.isEmpty() && AskedReplicas.isOne(runs.get(0).text(RunColumns.READ_LEVEL)))
        .findFirst()
        .orElse(List.of());
  }

  private static boolean isOne(String level) {
    int slash = level.indexOf('/');
    return AskedReplicas.isOne(slash < 0 ? level : level.substring(0, slash));
  }

  private static boolean isEstimated(RunRow row) {
    return Arrays.stream(Estimator.values())
        .anyMatch(estimator -> Double.isFinite(row.number(estimator.ofOne())));
  }

  private Columns columns(String id, String title, String series, List<String> labels, int across) {
    return new Columns(id + "-" + kind, title + loop, "Load", series, labels).across(across);
  }

  private void panel(
      Columns chart, String workload, String what, String unit, ToDoubleFunction<RunRow> figure) {
    chart.panel(heading(workload, what), unit);
    for (Load load : all.loads()) {
      chart.group(Scenarios.name(load));
      for (String level : all.levels()) {
        add(chart, level, all.at(workload, load, level), figure);
      }
    }
  }

  private String heading(String workload, String what) {
    return Load.sentence(
        all.workloads().size() > 1 ? Scenarios.name(workload) + ", " + what : what);
  }

  private static void add(
      Columns chart, String label, List<RunRow> runs, ToDoubleFunction<RunRow> figure) {
    double[] values = Scenarios.values(runs, figure);
    chart.bar(label, Statistics.estimate(values), values);
  }
}
