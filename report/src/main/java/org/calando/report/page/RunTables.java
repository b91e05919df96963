package org.calando.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.RunColumns;
import org.calando.report.page.Table.Cell;

/** The tables with a row for each run, and for each node. Immutable. */
final class RunTables {
  private static final Set<String> WORDS =
      Set.of("run", "consistency", "read_level", "write_level", "status", "message", "provenance");

  /** More rows than this make a page that no browser scrolls. */
  static final int MOST_NODE_ROWS = 2000;

  private final ResultsFolder study;

  RunTables(ResultsFolder study) {
    this.study = study;
  }

  /** Columns that hold one and the same value in every run, when there are several. */
  Map<String, String> common() {
    Map<String, String> common = new LinkedHashMap<>();
    List<RunRow> rows = study.results().rows();
    for (String column : columns()) {
      List<String> values = rows.stream().map(r -> r.text(column)).distinct().toList();
      if (rows.size() > 1 && values.size() == 1 && !values.get(0).isEmpty()) {
        common.put(column, values.get(0));
      }
    }
    // Words that a row must show beside its figures.
    common.keySet().removeAll(Set.of("provenance", "status", "consistency"));
    return common;
  }

  /** Every run with every column that is not empty and not common to all. */
  Table runs() {
    Set<String> common = common().keySet();
    List<String> shown = columns().stream().filter(c -> !common.contains(c) && used(c)).toList();
    boolean lines = study.throughput().values().stream().anyMatch(v -> v.length > 1);
    Table table = new Table("runs", "Every run, as in results.csv");
    for (String column : shown) {
      if (WORDS.contains(column)) {
        table.text(column.replace('_', ' '), column);
      } else {
        String unit = isEnergy(column) ? study.results().commonProvenance() : "";
        table.number(column.replace('_', ' '), unit, column);
      }
    }
    if (lines) {
      table.text("throughput over time", "throughput_over_time");
    }
    for (RunRow row : study.results().rows()) {
      List<Cell> cells = new ArrayList<>();
      shown.forEach(column -> cells.add(cell(row, column)));
      if (lines) {
        cells.add(line(row));
      }
      table.row(cells);
    }
    return table;
  }

  /** Mean figures of each node in each configuration. */
  Table nodes() {
    String word = study.results().commonProvenance();
    String suffix = word.isEmpty() ? "" : ", " + word;
    Table table =
        new Table("nodes", "Energy of each node, mean over repeats")
            .text("Node", "node")
            .text("Provenance", "provenance")
            .estimate("Gross", "J" + suffix, "energy_j")
            .estimate("Net", "J" + suffix, "energy_net_j")
            .estimate("Mean power", "W" + suffix, "power_mean_w")
            .estimate("Idle power", "W" + suffix, "idle_w")
            .estimate("CPU time", "s", "cpu_s")
            .estimate("CPU", "percent", "cpu_percent");
    int rows = 0;
    for (Configuration c : study.results().measured()) {
      Map<String, List<JsonNode>> byNode = byNode(c);
      if (rows + byNode.size() > MOST_NODE_ROWS) {
        break;
      }
      rows += byNode.size();
      table.section(Load.sentence(c.load().label()) + " \u00B7 " + c.label());
      byNode.forEach((node, readings) -> table.row(node(node, c, readings)));
    }
    return table;
  }

  /** What the table of nodes leaves out, in words; empty if nothing. */
  String nodesNote() {
    long rows = 0;
    int shown = 0;
    List<Configuration> all = study.results().measured();
    for (Configuration c : all) {
      rows += byNode(c).size();
      if (rows > MOST_NODE_ROWS) {
        return "The first "
            + shown
            + " of "
            + all.size()
            + " configurations; every node of every run is in runs/*/summary.json.";
      }
      shown++;
    }
    return "";
  }

  private Map<String, List<JsonNode>> byNode(Configuration c) {
    Map<String, List<JsonNode>> byNode = new LinkedHashMap<>();
    for (RunRow row : c.ok()) {
      JsonNode summary = study.summaries().get(row.id());
      if (summary != null) {
        for (JsonNode node : summary.path("energy").path("nodes")) {
          String name = node.path("node").asText("unnamed node");
          byNode.computeIfAbsent(name, n -> new ArrayList<>()).add(node);
        }
      }
    }
    return byNode;
  }

  private static List<Cell> node(String name, Configuration c, List<JsonNode> readings) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(name), Cell.of(c.provenance())));
    for (String field :
        List.of("energy_j", "energy_net_j", "power_mean_w", "idle_w", "cpu_s", "cpu_percent")) {
      Estimate estimate =
          Statistics.estimate(
              readings.stream().mapToDouble(r -> r.path(field).asDouble(Double.NaN)).toArray());
      cells.add(Cell.of(estimate));
    }
    return cells;
  }

  private static Cell cell(RunRow row, String column) {
    String text = Figures.brief(row.text(column));
    double number = row.number(column);
    String shown = text;
    if (text.isEmpty()) {
      shown = Figures.NONE;
    } else if (!Double.isNaN(number) && !WORDS.contains(column) && text.length() > 7) {
      shown = number == Math.rint(number) ? Figures.count(number) : Figures.figure(number);
    }
    boolean bad =
        row.failed()
            && (column.equals(RunColumns.STATUS.name())
                || column.equals(RunColumns.MESSAGE.name()));
    return new Cell(shown, "", "", bad ? "bad" : "", List.of(text.replace('|', '/')));
  }

  private Cell line(RunRow row) {
    double[] seconds = study.throughput().getOrDefault(row.id(), new double[0]);
    String drawn = Sparkline.svg(seconds);
    return new Cell(drawn.isEmpty() ? Figures.NONE : "", "", drawn, "", List.of(""));
  }

  private static boolean isEnergy(String column) {
    return column.startsWith("energy_") || column.startsWith("power_") || column.contains("joules");
  }

  private boolean used(String column) {
    return study.results().rows().stream().anyMatch(r -> !r.text(column).isEmpty());
  }

  private Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    study.results().rows().forEach(r -> columns.addAll(r.cells().keySet()));
    return columns;
  }
}
