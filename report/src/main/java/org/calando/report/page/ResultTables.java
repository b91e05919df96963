package org.calando.report.page;

import java.util.ArrayList;
import java.util.List;
import org.calando.report.Comparison;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.StaleColumns;
import org.calando.report.page.Table.Cell;

/** The tables with a row for each configuration. Immutable. */
final class ResultTables {
  private static final double MILLIS_PER_MICRO = 1e-3;

  private final Results results;
  private final List<Comparison> comparisons;
  private final String provenance;

  ResultTables(Results results, List<Comparison> comparisons) {
    this.results = results;
    this.comparisons = comparisons;
    this.provenance = results.commonProvenance();
  }

  /** What most readers want: one screen wide. */
  Table summary() {
    Table table =
        new Table("summary", "Results by configuration")
            .text("Level", "level")
            .estimate("Energy", energyUnit("J per 1000 ops"), "joules_per_kop")
            .number("Ratio", "to weakest", "ratio")
            .estimate("Above idle", energyUnit("J per 1000 ops"), "net_joules_per_kop")
            .estimate("Throughput", "ops/s", "throughput_ops_s")
            .spread("Read p99", "ms", "read_p99_ms")
            .estimate("Stale reads", "of reads checked", "stale_rate")
            .text("Runs", "status");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.configurations()) {
        table.row(
            List.of(
                Cell.of(c.label()),
                energy(c, c.estimate(RunRow::joulesPerKop)).withClass("key"),
                ratio(c),
                energy(c, c.estimate(RunRow::netJoulesPerKop)),
                Cell.of(c.estimate(LoadColumns.THROUGHPUT_OPS_S)),
                Cell.of(c.spread(LoadColumns.READ_P99_US), MILLIS_PER_MICRO),
                stale(c),
                status(c)));
      }
    }
    return table;
  }

  /** Every figure of every configuration. */
  Table figures() {
    Table table = new Table("figures", "All figures by configuration").text("Level", "level");
    table.number("Runs", "", "runs");
    table.under("Energy").estimate("Gross", energyUnit("J"), "energy_j");
    table.estimate("Net", energyUnit("J"), "energy_net_j");
    table.estimate("Gross", energyUnit("J per 1000 ops"), "joules_per_kop");
    table.estimate("Net", energyUnit("J per 1000 ops"), "net_joules_per_kop");
    table.estimate("Mean power", energyUnit("W"), "power_mean_w");
    table.under("Speed").estimate("Throughput", "ops/s", "throughput_ops_s");
    table.estimate("Duration", "s", "duration_s");
    table.spread("Read p50", "ms", "read_p50_ms").spread("Read p99", "ms", "read_p99_ms");
    table.spread("Write p50", "ms", "write_p50_ms").spread("Write p99", "ms", "write_p99_ms");
    table.under("Staleness").estimate("Stale rate", "", "stale_rate");
    table.number("Stale", "reads", "stale_reads").number("Checked", "reads", "reads");
    table.spread("Behind, p99", "ms", "stale_p99_ms");
    table.number("Behind, most", "versions", "stale_max_versions");
    table.number("Coverage", "least", "stale_coverage");
    table.number("Own writes unread", "", "ryw_violations");
    table.number("Reads gone back", "", "monotonic_violations");
    table.number("Dual reads", "stale of all", "dual_stale_reads", "dual_reads");
    table.under("").number("Errors", "", "errors").number("Operations", "", "operations");
    table.text("Status", "status");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      group.configurations().forEach(c -> table.row(allOf(c)));
    }
    return table;
  }

  private List<Cell> allOf(Configuration c) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(c.label()));
    cells.add(Cell.count(c.runs()));
    cells.add(energy(c, c.estimate(EnergyColumns.ENERGY_J)));
    cells.add(energy(c, c.estimate(EnergyColumns.ENERGY_NET_J)));
    cells.add(energy(c, c.estimate(RunRow::joulesPerKop)));
    cells.add(energy(c, c.estimate(RunRow::netJoulesPerKop)));
    cells.add(energy(c, c.estimate(EnergyColumns.POWER_MEAN_W)));
    cells.add(Cell.of(c.estimate(LoadColumns.THROUGHPUT_OPS_S)));
    cells.add(Cell.of(c.estimate(LoadColumns.DURATION_S)));
    for (Column column :
        List.of(
            LoadColumns.READ_P50_US,
            LoadColumns.READ_P99_US,
            LoadColumns.WRITE_P50_US,
            LoadColumns.WRITE_P99_US)) {
      cells.add(Cell.of(c.spread(column), MILLIS_PER_MICRO));
    }
    cells.add(stale(c));
    cells.add(Cell.count(c.sum(StaleColumns.STALE_READS)));
    cells.add(Cell.count(c.sum(StaleColumns.READS)));
    cells.add(Cell.of(c.spread(StaleColumns.STALE_P99_MS), 1));
    cells.add(Cell.count(c.spread(StaleColumns.STALE_MAX_VERSIONS).max()));
    Spread coverage = c.spread(StaleColumns.STALE_COVERAGE);
    cells.add(Cell.value(Figures.percent(coverage.min()), coverage.min()));
    cells.add(Cell.count(c.sum(StaleColumns.RYW_VIOLATIONS)));
    cells.add(Cell.count(c.sum(StaleColumns.MONOTONIC_VIOLATIONS)));
    cells.add(dual(c));
    cells.add(Cell.count(c.sum(LoadColumns.ERRORS)));
    cells.add(Cell.count(c.sum(LoadColumns.OPERATIONS)));
    cells.add(status(c));
    return cells;
  }

  /** Every configuration against the weakest under its load, or in the first layout. */
  Table comparisons() {
    Table table =
        new Table("comparisons", "Energy per operation against the weakest level of the same load")
            .text("Level", "level")
            .text("Against", "reference")
            .number("Ratio", energyUnit("gross J per op"), "ratio")
            .number("95\u00A0% interval", "", "ratio_low", "ratio_high")
            .number("p", "Holm", "p_holm")
            .number("Could have seen", "from, unadjusted", "detectable_ratio")
            .number("Repeats", "", "blocks")
            .text("Verdict", "verdict");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      comparisons.stream()
          .filter(c -> c.configuration().load().equals(group.load()))
          .forEach(c -> table.row(compared(c)));
    }
    return table;
  }

  private static List<Cell> compared(Comparison c) {
    Statistics.Ratio ratio = c.ratio();
    List<String> ends = List.of(Figures.exact(ratio.low()), Figures.exact(ratio.high()));
    String interval = ratio.hasInterval() ? Figures.range(ratio.low(), ratio.high()) : Figures.NONE;
    String detectable =
        ratio.hasInterval() ? "\u00D7 " + Figures.figure(ratio.detectable()) : Figures.NONE;
    String p = c.adjustedP() < 0.001 ? "< 0.001" : Figures.figure(c.adjustedP());
    return List.of(
        Cell.of(c.configuration().label()),
        Cell.of(c.reference().label()),
        Cell.value(Figures.figure(ratio.ratio()), ratio.ratio()).withClass("key"),
        new Cell(interval, "", "", "", ends),
        Cell.value(p, c.adjustedP()),
        Cell.value(detectable, ratio.detectable()),
        Cell.count(ratio.blocks()),
        Cell.of(c.verdict().words()));
  }

  /** How evenly the nodes shared power and CPU. */
  Table balance() {
    Table table =
        new Table("balance", "Balance between nodes, mean over repeats")
            .text("Level", "level")
            .estimate("Power, coefficient of variation", provenance, "power_cv")
            .estimate("Power, most less least", energyUnit("W"), "power_max_min")
            .estimate("CPU, coefficient of variation", "", "cpu_cv")
            .estimate("CPU, most less least", "percent", "cpu_max_min");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.measured()) {
        table.row(
            List.of(
                Cell.of(c.label()),
                energy(c, c.estimate(EnergyColumns.POWER_CV)),
                energy(c, c.estimate(EnergyColumns.POWER_MAX_MIN)),
                Cell.of(c.estimate(EnergyColumns.CPU_CV)),
                Cell.of(c.estimate(EnergyColumns.CPU_MAX_MIN))));
      }
    }
    return table;
  }

  /** The unit, with the provenance word where it holds for every run. */
  private String energyUnit(String unit) {
    return provenance.isEmpty() ? unit : unit + ", " + provenance;
  }

  /** Where runs differ in provenance, each figure carries its own word. */
  private Cell energy(Configuration c, Estimate estimate) {
    Cell cell = Cell.of(estimate);
    return provenance.isEmpty() && estimate.present() ? cell.withDetail(c.provenance()) : cell;
  }

  private Cell ratio(Configuration configuration) {
    for (Comparison c : comparisons) {
      if (c.configuration().equals(configuration)) {
        String shown = c.words().isEmpty() ? Figures.NONE : Figures.figure(c.ratio().ratio());
        Cell cell = Cell.value(shown, c.ratio().ratio());
        return c.ratio().hasInterval() && !c.words().isEmpty()
            ? cell.withDetail(Figures.range(c.ratio().low(), c.ratio().high()))
            : cell;
      }
    }
    return configuration.ok().isEmpty() ? Cell.value(Figures.NONE, Double.NaN) : Cell.of("1");
  }

  private static Cell stale(Configuration c) {
    Estimate rate = c.estimate(RunRow::staleRate);
    String shown = Figures.percent(rate.mean());
    Cell cell = Cell.of(rate, shown);
    if (!rate.hasInterval() || rate.max() == 0) {
      return cell;
    }
    String low = Figures.percent(Math.max(0, rate.low()));
    return cell.withDetail(low + Figures.NONE + Figures.percent(Math.min(1, rate.high())));
  }

  private static Cell dual(Configuration c) {
    double stale = c.sum(StaleColumns.DUAL_STALE_READS);
    double all = c.sum(StaleColumns.DUAL_READS);
    String shown =
        Double.isNaN(all) ? Figures.NONE : Figures.count(stale) + " of " + Figures.count(all);
    return new Cell(shown, "", "", "", List.of(Figures.exact(stale), Figures.exact(all)));
  }

  private static Cell status(Configuration c) {
    Cell cell = Cell.of(c.failed().isEmpty() ? c.runs() + " ok" : c.status());
    return c.failed().isEmpty() ? cell : cell.withClass("bad");
  }
}
