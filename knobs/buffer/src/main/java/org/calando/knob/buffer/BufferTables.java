package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.energy.ConsistencyEnergy;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.knob.buffer.BufferRatios.Compared;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.PromiseColumns;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** Tables of how writes are sent. Immutable. */
final class BufferTables {
  /** What the paper says of the mix of writes under high concurrency. */
  private static final double PUBLISHED = 3;

  private static final String PAPERS_MIX = "gr-write-heavy";
  private static final String PAPERS_BUFFER = "deferred 12MB";

  private final BufferGroups buffers;
  private final boolean promised;
  private final String provenance;

  BufferTables(BufferGroups buffers, String provenance) {
    this.buffers = buffers;
    this.promised = hasPromise(buffers);
    this.provenance = provenance.isEmpty() ? "" : ", " + provenance;
  }

  /** Whether some run was to keep a promised freshness. */
  static boolean hasPromise(BufferGroups buffers) {
    return buffers.groups().stream()
        .flatMap(group -> group.ways().stream())
        .anyMatch(c -> c.estimate(PromiseColumns.PROMISED_MS).present());
  }

  /** Speed, and what it cost. */
  Table cost() {
    Table table =
        new Table("buffers-cost", "Throughput, CPU time and energy by how writes are sent")
            .text("Writes", "write_buffer")
            .estimate("Throughput", "ops/s", "throughput_ops_s")
            .estimate("CPU time", "s per 10\u2076 ops", "cpu_s_per_million")
            .estimate("Energy", "J per 10\u2076 ops" + provenance, "joules_per_million")
            .estimate("Work", "ops per J" + provenance, "ops_per_joule");
    for (Group group : buffers.groups()) {
      table.section(buffers.title(group));
      for (Configuration c : group.ways()) {
        table.row(
            List.of(
                Cell.of(BufferGroups.way(c)),
                Cell.of(c.estimate(BufferFigures::throughput)).withClass("key"),
                Cell.of(c.estimate(BufferFigures::cpuSeconds)),
                Cell.of(c.estimate(BufferFigures::joules)),
                Cell.of(c.estimate(PromiseColumns.OPS_PER_JOULE))));
      }
    }
    return table;
  }

  /** When writes are seen by others, and how many a crash would lose. */
  Table freshness() {
    Table table =
        new Table("buffers-fresh", "Freshness and writes at risk by how writes are sent")
            .text("Writes", "write_buffer");
    table.under("Freshness").spread("p50", "ms", "freshness_p50_ms");
    table.spread("p99", "ms", "freshness_p99_ms").spread("Longest", "ms", "freshness_max_ms");
    table.under("At risk").estimate("Mean", "writes", "at_risk");
    table.number("Most", "writes", "at_risk_max").number("Lost", "writes", "lost_writes");
    table.under("").spread("Flushes", "a run", "flushes");
    if (promised) {
      table.under("Promised").number("Within", "ms", "promised_ms");
      table.estimate("Kept", "of writes", "fresh_share");
      table.estimate("Kept per energy", "share per J of 1000 ops" + provenance, "sla_per_budget");
    }
    for (Group group : buffers.groups()) {
      table.section(buffers.title(group));
      group.ways().stream()
          .filter(c -> c.spread(BufferColumns.FRESHNESS_P99_MS).n() > 0)
          .forEach(c -> table.row(fresh(c)));
    }
    return table;
  }

  private List<Cell> fresh(Configuration c) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(BufferGroups.way(c)));
    cells.add(Cell.of(c.spread(BufferColumns.FRESHNESS_P50_MS), 1));
    cells.add(Cell.of(c.spread(BufferColumns.FRESHNESS_P99_MS), 1).withClass("key"));
    cells.add(Cell.of(c.spread(BufferColumns.FRESHNESS_MAX_MS), 1));
    cells.add(Cell.of(c.estimate(BufferColumns.AT_RISK)));
    cells.add(Cell.count(c.spread(BufferColumns.AT_RISK_MAX).max()));
    cells.add(Cell.count(c.sum(BufferColumns.LOST_WRITES)));
    cells.add(flushes(c.spread(BufferColumns.FLUSHES)));
    if (promised) {
      Estimate kept = c.estimate(PromiseColumns.FRESH_SHARE);
      cells.add(
          Cell.value(
              Figures.plain(c.spread(PromiseColumns.PROMISED_MS).median()),
              c.spread(PromiseColumns.PROMISED_MS).median()));
      cells.add(kept(kept));
      cells.add(Cell.of(c.estimate(PromiseColumns.SLA_PER_BUDGET)));
    }
    return cells;
  }

  /** Counts have no decimals. */
  private static Cell flushes(Spread spread) {
    Cell cell = Cell.of(spread, 1);
    String range =
        spread.n() < 2 || spread.min() == spread.max()
            ? ""
            : Figures.count(spread.min()) + Figures.NONE + Figures.count(spread.max());
    return new Cell(Figures.count(spread.median()), range, "", "", cell.csv());
  }

  /** Cut off, not rounded: what is not kept must not read as if it was. */
  private static Cell kept(Estimate kept) {
    if (!kept.present()) {
      return Cell.of(kept);
    }
    String least = kept.min() < kept.max() ? "least " + percent(kept.min()) : "";
    Cell cell = Cell.of(kept, percent(kept.mean())).withDetail(least);
    return kept.min() < ConsistencyEnergy.MET ? cell.withClass("bad") : cell;
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f\u00A0%%", Math.floor(share * 10_000 + 1e-9) / 100);
  }

  /** Deferred over strong, beside what was published. */
  Table ratios(BufferRatios ratios) {
    Table table =
        new Table("buffers-ratio", "Deferred writes over strong ones under the same load")
            .text("Writes", "write_buffer");
    table.under("Throughput, over strong").number("Ratio", "", "throughput_ratio");
    table.number("95\u00A0% interval", "", "throughput_low", "throughput_high");
    table.number("p", "Holm", "throughput_p").text("Verdict", "throughput_verdict");
    table.number("Published", "", "published");
    table.under("Energy an operation, over strong").number("Ratio", "", "energy_ratio");
    table.number("95\u00A0% interval", "", "energy_low", "energy_high");
    table.number("p", "Holm", "energy_p").text("Verdict", "energy_verdict");
    double most = mostThreads();
    for (Group group : buffers.groups()) {
      table.section(buffers.title(group));
      ratios.rows().stream()
          .filter(row -> row.group().equals(group))
          .forEach(row -> table.row(compared(row, most)));
    }
    return table;
  }

  private static List<Cell> compared(BufferRatios.Row row, double most) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(BufferGroups.way(row.way())));
    cells.addAll(compared(row.throughput()));
    cells.add(isPapers(row, most) ? Cell.value("around 3", PUBLISHED) : Cell.value("", Double.NaN));
    cells.addAll(compared(row.joules()));
    return cells;
  }

  private static List<Cell> compared(Compared compared) {
    Ratio ratio = compared.ratio();
    String interval = ratio.hasInterval() ? Figures.range(ratio.low(), ratio.high()) : Figures.NONE;
    String p = compared.adjustedP() < 0.001 ? "< 0.001" : Figures.figure(compared.adjustedP());
    return List.of(
        Cell.value(Figures.figure(ratio.ratio()), ratio.ratio()).withClass("key"),
        new Cell(
            interval, "", "", "", List.of(Figures.exact(ratio.low()), Figures.exact(ratio.high()))),
        Cell.value(p, compared.adjustedP()),
        Cell.of(compared.verdict().words()));
  }

  /** The paper's claim is of writes under high concurrency, by a buffer of its size. */
  private static boolean isPapers(BufferRatios.Row row, double most) {
    return row.group().load().workload().equals(PAPERS_MIX)
        && row.group().load().amount() == most
        && BufferGroups.way(row.way()).startsWith(PAPERS_BUFFER);
  }

  private double mostThreads() {
    return buffers.groups().stream()
        .map(Group::load)
        .filter(load -> load.kind() == Load.Kind.CLOSED)
        .mapToDouble(Load::amount)
        .max()
        .orElse(Double.NaN);
  }
}
