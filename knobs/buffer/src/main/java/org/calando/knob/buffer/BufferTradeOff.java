package org.calando.knob.buffer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.PromiseColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Charts;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/**
 * Freshness of writes against joules an operation: a chart for each mix, and the cheapest way by
 * how fresh writes must be. Immutable.
 */
final class BufferTradeOff {
  private static final String FRESHNESS = "freshness p99, ms";

  private final BufferGroups buffers;
  private final List<String> labels;
  private final String energy;

  BufferTradeOff(BufferGroups buffers, String provenance) {
    this.buffers = buffers;
    this.labels = buffers.labels();
    this.energy =
        "J per 1000 operations, gross, "
            + (provenance.isEmpty() ? "of mixed provenance" : provenance);
  }

  /** A chart for each mix that has both figures. */
  List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    List<String> workloads = buffers.workloads();
    for (int i = 0; i < workloads.size(); i++) {
      chart(workloads.get(i), "buffers-tradeoff-" + (i + 1)).ifPresent(charts::add);
    }
    return charts;
  }

  private Optional<Chart> chart(String workload, String id) {
    List<Group> groups = buffers.of(workload);
    String title = workload.isEmpty() ? "Freshness against energy" : workload;
    Table table =
        new Table("data-" + id, "Energy against freshness: " + title)
            .text("Writes", "write_buffer")
            .spread("Freshness p99", "ms", "freshness_p99_ms")
            .estimate("Energy", energy, "joules_per_kop");
    ObjectNode chart = JsonNodeFactory.instance.objectNode();
    chart.put("id", "chart-" + id).put("kind", "tradeoff");
    chart.put("x", FRESHNESS).put("y", energy).put("least", least(groups));
    ArrayNode points = chart.putArray("points");
    List<String> words = new ArrayList<>();
    for (Group group : groups) {
      for (Configuration c : group.ways()) {
        Spread fresh = freshness(c);
        Estimate joules = c.estimate(RunRow::joulesPerKop);
        if (fresh.n() == 0 || !joules.present()) {
          continue;
        }
        String label =
            groups.size() > 1
                ? buffers.label(c) + ", " + group.load().shortLabel()
                : buffers.label(c);
        ObjectNode point = points.addObject().put("label", label);
        point.put("short", groups.size() > 1 ? group.load().shortLabel() : "");
        int tone = labels.indexOf(buffers.label(c));
        point.put("tone", tone);
        double[] each = c.values(row -> row.number(BufferColumns.FRESHNESS_P99_MS));
        point.set("x", Charts.point(label, tone, middle(fresh), each));
        point.set("y", Charts.point(label, tone, joules, c.values(RunRow::joulesPerKop)));
        table.row(List.of(Cell.of(label), Cell.of(fresh, 1), Cell.of(joules)));
        words.add(
            label + ": " + Figures.figure(fresh.median()) + " ms, " + Figures.interval(joules));
      }
    }
    if (points.isEmpty()) {
      return Optional.empty();
    }
    String said = "Trade-off in " + FRESHNESS + ", and " + energy + ". ";
    return Optional.of(
        new Chart(title, said + String.join("; ", words) + ".", "", labels, chart, table));
  }

  /** The middle run: percentiles are not averaged and have no interval. */
  private static Estimate middle(Spread spread) {
    return new Estimate(1, spread.median(), Double.NaN, spread.min(), spread.max());
  }

  /** A power of ten below all figures, at which the axis begins. */
  private static double least(List<Group> groups) {
    double least =
        groups.stream()
            .flatMap(group -> group.ways().stream())
            .mapToDouble(c -> freshness(c).min())
            .filter(value -> value > 0)
            .min()
            .orElse(1);
    return Math.pow(10, Math.floor(Math.log10(least)));
  }

  private static Spread freshness(Configuration c) {
    return c.spread(BufferColumns.FRESHNESS_P99_MS);
  }

  /** The cheapest way to send writes by how fresh they must be. */
  Table table() {
    Table table =
        new Table("buffers-choice", "Cheapest way to send writes by how fresh they must be")
            .text("Load", "load")
            .sectionsAre("workload");
    table.under("99\u00A0% of writes on the store within");
    double[] limits = limits();
    for (double limit : limits) {
      String name = Figures.plain(limit);
      table.text(name + " ms", "within_" + name.replace('.', '_') + "_ms");
    }
    for (String workload : buffers.workloads()) {
      table.section(workload);
      for (Group group : buffers.of(workload)) {
        if (group.ways().stream().anyMatch(c -> freshness(c).n() > 0)) {
          List<Cell> cells = new ArrayList<>();
          String rest = buffers.restTold() ? ", " + group.rest() : "";
          cells.add(Cell.of(group.load().shortLabel() + rest));
          for (double limit : limits) {
            cells.add(cheapest(group, limit));
          }
          table.row(cells);
        }
      }
    }
    return table;
  }

  /** In every repeat as fresh; by the mean of joules, which is no test of a difference. */
  private static Cell cheapest(Group group, double limit) {
    return group.ways().stream()
        .filter(c -> freshness(c).n() > 0 && freshness(c).max() <= limit)
        .filter(c -> c.estimate(RunRow::joulesPerKop).present())
        .min(Comparator.comparingDouble(c -> c.estimate(RunRow::joulesPerKop).mean()))
        .map(
            c ->
                Cell.of(BufferGroups.way(c))
                    .withDetail(Figures.figure(c.estimate(RunRow::joulesPerKop).mean()) + " J"))
        .orElse(Cell.of("none"));
  }

  /** Powers of ten between the freshest and the stalest, and what is promised. */
  private double[] limits() {
    double[] all =
        buffers.groups().stream()
            .flatMap(group -> group.ways().stream())
            .flatMapToDouble(
                c -> Arrays.stream(c.values(r -> r.number(BufferColumns.FRESHNESS_P99_MS))))
            .filter(value -> value > 0)
            .toArray();
    if (all.length == 0) {
      return all;
    }
    int first = (int) Math.ceil(Math.log10(Arrays.stream(all).min().orElse(1)));
    int last = (int) Math.ceil(Math.log10(Arrays.stream(all).max().orElse(1)));
    DoubleStream powers = IntStream.rangeClosed(first, last).mapToDouble(i -> Math.pow(10, i));
    DoubleStream promised =
        buffers.groups().stream()
            .flatMap(group -> group.ways().stream())
            .flatMapToDouble(
                c -> Arrays.stream(c.values(r -> r.number(PromiseColumns.PROMISED_MS))))
            .filter(Double::isFinite);
    return DoubleStream.concat(powers, promised).sorted().distinct().toArray();
  }
}
