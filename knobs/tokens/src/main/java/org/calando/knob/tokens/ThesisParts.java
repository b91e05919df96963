package org.calando.knob.tokens;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.calando.knob.tokens.ThesisFigures.Quantity;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Parts;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** The figures and tables of Li 2013 for this study, as far as they apply. Not thread safe. */
final class ThesisParts {
  private static final String INTRO =
      "The same figures and tables as in T. Li\u2019s thesis of 2013, sections 3 and 5, of this"
          + " study\u2019s runs. Column: mean over repeats. Line: 95\u00A0% Student interval. Dots:"
          + " each repeat.";

  private static final Set<String> WITHOUT_ENERGY = Set.of("chart-thesis-11", "chart-thesis-13");

  private final Scenarios energetic;
  private final Scenarios staleness;
  private final String provenance;
  private final List<String> absent = new ArrayList<>();

  ThesisParts(Results results) {
    this.provenance = results.commonProvenance();
    // Fixed operations in a closed loop show energy; a fixed rate shows staleness.
    this.energetic = Scenarios.of(results, Load.Kind.CLOSED, Load.Kind.OPEN, Load.Kind.UNKNOWN);
    this.staleness = Scenarios.of(results, Load.Kind.OPEN, Load.Kind.CLOSED, Load.Kind.UNKNOWN);
  }

  void write(Parts parts, String origin) {
    parts.note(INTRO + held());
    List<Chart> charts = charts();
    parts.figures(
        charts.stream()
            .map(c -> WITHOUT_ENERGY.contains(c.id()) ? c : c.withNote(c.note() + " " + origin))
            .toList());
    tables(parts);
    parts.list(absent);
  }

  private String held() {
    return energetic.held().isEmpty()
        ? ""
        : " Held, except in Figure 11: " + energetic.held() + ".";
  }

  private List<Chart> charts() {
    ThesisFigures figures = new ThesisFigures(energetic, provenance);
    List<Chart> charts = new ArrayList<>();
    String noEnergy = "no run has an energy figure.";
    keep(charts, figures.energyByLevel(), "Figure 10 (energy by level): " + noEnergy);
    keep(
        charts,
        new ThesisFigures(staleness, provenance).staleRates(),
        "Figure 11 (stale reads): no run checked its reads.");
    keep(
        charts,
        figures.energyByWorkload(),
        "Figure 12 (energy by access pattern): "
            + (energetic.workloads().size() < 2 ? "the study has one workload." : noEnergy));
    keep(charts, figures.throughputByLevel(), "Figure 13 (throughput): no run has a throughput.");
    keep(charts, figures.zoom(), "Figure 14: there is no figure at " + energetic.zoomLevel() + ".");
    keep(
        charts,
        figures.contrast(),
        "Figure 15 and Table 1 (contrast with the mean of all scenarios): there is one scenario.");
    keep(charts, figures.layouts(), "Figures 18 to 20 (token layouts): no figures at that load.");
    return charts;
  }

  private void keep(List<Chart> charts, Optional<Chart> chart, String otherwise) {
    chart.ifPresentOrElse(charts::add, () -> absent.add("Not shown: " + otherwise));
  }

  private void tables(Parts parts) {
    ThesisFigures figures = new ThesisFigures(energetic, provenance);
    String level = energetic.zoomLevel();
    parts.table(
        "Contrast with the mean of all scenarios, " + Scenarios.name(energetic.middleWorkload()),
        contrast(figures),
        "As Table 1 of Li 2013, at " + level + ": (x \u2212 mean) / mean.");
    String watts = provenance.isEmpty() ? "W" : "W, " + provenance;
    bias(parts, 2, "Coefficient of variation of power, %", EnergyColumns.POWER_CV, 100);
    bias(parts, 3, "Most less least power of a node, " + watts, EnergyColumns.POWER_MAX_MIN, 1);
    bias(parts, 4, "Coefficient of variation of CPU use, %", EnergyColumns.CPU_CV, 100);
    bias(
        parts,
        5,
        "Most less least CPU use of a node, percentage points",
        EnergyColumns.CPU_MAX_MIN,
        1);
  }

  private Table contrast(ThesisFigures figures) {
    Table table = new Table("thesis-table-1", "Contrast at " + energetic.zoomLevel());
    table.text("Quantity", "quantity");
    for (Load load : energetic.loads()) {
      table.estimate(Scenarios.name(load), "", csv(load));
    }
    int first = energetic.workloads().indexOf(energetic.middleWorkload()) * loads();
    if (energetic.workloads().size() * loads() < 2) {
      return table;
    }
    for (Quantity quantity : figures.zoomed()) {
      List<Estimate> row = figures.contrasts(quantity).subList(first, first + loads());
      if (row.stream().anyMatch(Estimate::present)) {
        List<Cell> cells = new ArrayList<>(List.of(Cell.of(quantity.name())));
        row.forEach(estimate -> cells.add(Cell.of(estimate)));
        table.row(cells);
      }
    }
    return table;
  }

  private int loads() {
    return energetic.loads().size();
  }

  private void bias(Parts parts, int number, String title, Column column, double scale) {
    ToDoubleFunction<RunRow> figure = r -> r.number(column) * scale;
    if (!energetic.has(figure)) {
      absent.add("Not shown: Table " + number + ": no run has the figure " + column + ".");
      return;
    }
    String level = energetic.zoomLevel();
    Table table = new Table("thesis-table-" + number, title + ", at " + level);
    table.text("Workload", "workload");
    for (Load load : energetic.loads()) {
      table.estimate(Scenarios.name(load), "", csv(load));
    }
    for (String workload : energetic.workloads()) {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(Scenarios.name(workload))));
      for (Load load : energetic.loads()) {
        double[] values = Scenarios.values(energetic.at(workload, load, level), figure);
        cells.add(Cell.of(Statistics.estimate(values)));
      }
      table.row(cells);
    }
    parts.table(title, table, "As Table " + number + " of Li 2013, at " + level + ".");
  }

  private static String csv(Load load) {
    return Scenarios.name(load).replaceAll("[^\\w]+", "_");
  }
}
