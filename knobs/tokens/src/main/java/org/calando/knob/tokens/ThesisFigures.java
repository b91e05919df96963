package org.calando.knob.tokens;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.Scenarios.Point;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Columns;

/** Figures 10 to 15 and 18 to 20 of Li 2013, drawn of a study's own runs. Immutable. */
final class ThesisFigures {
  /** A figure of a run, with its name and unit. */
  record Quantity(String name, String unit, ToDoubleFunction<RunRow> figure) {}

  private final Scenarios all;
  private final Quantity energy;
  private final Quantity throughput = of("Throughput", "ops/s", LoadColumns.THROUGHPUT_OPS_S);
  private final Quantity power;
  private final Quantity time = of("Execution time", "s", LoadColumns.DURATION_S);
  private final Quantity stale = new Quantity("Stale reads", "%", r -> r.staleRate() * 100);

  /**
   * Figures of these runs.
   *
   * @param provenance the provenance word of all joules, empty if runs differ
   */
  ThesisFigures(Scenarios all, String provenance) {
    this.all = all;
    String origin = provenance.isEmpty() ? "of mixed provenance" : provenance;
    this.energy = of("Energy", "J, gross, " + origin, EnergyColumns.ENERGY_J);
    this.power = of("Mean power", "W, all nodes, " + origin, EnergyColumns.POWER_MEAN_W);
  }

  private static Quantity of(String name, String unit, Column column) {
    return new Quantity(name, unit, row -> row.number(column));
  }

  /** The quantities of Figures 14 and 15 and of Table 1. */
  List<Quantity> zoomed() {
    return List.of(energy, throughput, power);
  }

  /** Figure 10: a panel for each workload. */
  Optional<Chart> energyByLevel() {
    return byLevel("thesis-10", "Total energy by consistency level", energy)
        .build("As Figure 10 of Li 2013.");
  }

  /** Figure 11. */
  Optional<Chart> staleRates() {
    String levels = String.join(", ", levelsWithStaleReads());
    String note =
        levels.isEmpty()
            ? "As Figure 11 of Li 2013. No level had a stale read."
            : "As Figure 11 of Li 2013, which has ONE only. Levels with stale reads here: "
                + levels
                + ".";
    // The other figures may be of another loop.
    String held = all.held().isEmpty() ? "" : " Held: " + all.held() + ".";
    return byLevel("thesis-11", "Stale reads by consistency level", stale).build(note + held);
  }

  /** Figure 12: at the weakest level, which is the thesis's. */
  Optional<Chart> energyByWorkload() {
    if (all.workloads().size() < 2) {
      return Optional.empty();
    }
    String level = all.levels().get(0);
    List<String> names = names();
    Columns chart =
        new Columns("thesis-12", "Total energy by access pattern", "Load", "Workload", names);
    chart.panel("At " + level, energy.unit());
    for (Load load : all.loads()) {
      chart.group(Scenarios.name(load));
      for (String workload : all.workloads()) {
        add(chart, Scenarios.name(workload), all.at(workload, load, level), energy);
      }
    }
    return chart.build("As Figure 12 of Li 2013, which shows 70 threads at ONE.");
  }

  /** Figure 13: a panel for each workload. */
  Optional<Chart> throughputByLevel() {
    return byLevel("thesis-13", "Throughput by consistency level", throughput)
        .build("As Figure 13 of Li 2013.");
  }

  /** Figure 14: energy, throughput and power at one level. */
  Optional<Chart> zoom() {
    Columns chart =
        new Columns(
            "thesis-14",
            "Energy, throughput and power at " + all.zoomLevel(),
            "Workload",
            "Load",
            loadNames());
    for (Quantity quantity : zoomed()) {
      chart.panel(quantity.name(), quantity.unit());
      for (String workload : all.workloads()) {
        chart.group(Scenarios.name(workload));
        for (Load load : all.loads()) {
          add(chart, Scenarios.name(load), all.at(workload, load, all.zoomLevel()), quantity);
        }
      }
    }
    return chart.build("As Figure 14 of Li 2013.");
  }

  /** Figure 15: the same in contrast with the mean of all scenarios. */
  Optional<Chart> contrast() {
    Columns chart =
        new Columns(
            "thesis-15",
            "The same in contrast with the mean of all scenarios",
            "Workload",
            "Load",
            loadNames());
    if (all.workloads().size() * all.loads().size() < 2) {
      return Optional.empty();
    }
    for (Quantity quantity : zoomed()) {
      chart.panel(quantity.name(), "(x \u2212 mean) / mean");
      List<Estimate> contrasts = contrasts(quantity);
      int at = 0;
      for (String workload : all.workloads()) {
        chart.group(Scenarios.name(workload));
        for (Load load : all.loads()) {
          chart.bar(Scenarios.name(load), contrasts.get(at++));
        }
      }
    }
    return chart.build(
        "As Figure 15 of Li 2013: the baseline is the mean of the scenarios of the figure above,"
            + " taken within each repeat.");
  }

  /** Each scenario's contrast at the zoomed level: workloads, and in each the loads, in order. */
  List<Estimate> contrasts(Quantity quantity) {
    List<Map<String, Double>> scenarios = new ArrayList<>();
    for (String workload : all.workloads()) {
      for (Load load : all.loads()) {
        scenarios.add(
            Scenarios.byRepeat(all.at(workload, load, all.zoomLevel()), quantity.figure()));
      }
    }
    return Contrast.of(scenarios);
  }

  /** Figures 18, 19 and 20: by layout, for each level. */
  Optional<Chart> layouts() {
    String workload = all.middleWorkload();
    Load load = all.loads().get(all.loads().size() - 1);
    Columns chart =
        new Columns(
            "thesis-18",
            "Energy, power, time and stale reads by token layout",
            "Level",
            "Layout",
            all.layouts());
    for (Quantity quantity : List.of(energy, power, time, stale)) {
      chart.panel(quantity.name(), quantity.unit());
      for (String level : all.levels()) {
        chart.group(level);
        for (String layout : all.layouts()) {
          add(chart, layout, all.at(new Point(workload, load, level, layout)), quantity);
        }
      }
    }
    String one =
        all.layouts().size() > 1
            ? ""
            : " This study has one layout, " + all.layouts().get(0) + ", so there is one column.";
    return chart.build(
        "As Figures 18, 19 and 20 of Li 2013, one for each level: "
            + Scenarios.name(workload)
            + ", "
            + Scenarios.name(load)
            + "."
            + one);
  }

  private Columns byLevel(String id, String title, Quantity quantity) {
    Columns chart = new Columns(id, title, "Load", "Level", all.levels()).sharedScale();
    for (String workload : all.workloads()) {
      chart.panel(Load.sentence(Scenarios.name(workload)), quantity.unit());
      for (Load load : all.loads()) {
        chart.group(Scenarios.name(load));
        for (String level : all.levels()) {
          add(chart, level, all.at(workload, load, level), quantity);
        }
      }
    }
    return chart;
  }

  private static void add(Columns chart, String label, List<RunRow> runs, Quantity quantity) {
    double[] values = Scenarios.values(runs, quantity.figure());
    chart.bar(label, Statistics.estimate(values), values);
  }

  private List<String> levelsWithStaleReads() {
    return all.levels().stream()
        .filter(
            level ->
                all.rows().stream()
                    .anyMatch(r -> Results.levels(r).equals(level) && r.staleRate() > 0))
        .toList();
  }

  private List<String> names() {
    return all.workloads().stream().map(Scenarios::name).toList();
  }

  private List<String> loadNames() {
    return all.loads().stream().map(Scenarios::name).toList();
  }
}
