package org.calando.knob.frequency;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import org.calando.report.ClusterEvent;
import org.calando.report.OperationSeconds;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.column.RunColumns;
import org.calando.report.page.RunLines;
import org.calando.report.page.TimeLines;
import org.jspecify.annotations.Nullable;

/**
 * Clocks, roles, CPU time and lag of each node, second by second, for the page's script; as many
 * runs as fit the page. Not thread safe.
 */
final class ClockLines extends RunLines {
  /** Text of all runs together. */
  static final int MOST_CHARS = 600_000;

  private static final double KILO_PER_GIGA = 1e6;
  private static final double PERCENT = 100;
  private static final double BYTES_PER_KB = 1000;

  private final ResultsFolder study;

  ClockLines(ResultsFolder study) {
    this(study, MOST_CHARS);
  }

  ClockLines(ResultsFolder study, int mostChars) {
    super(mostChars, "theirs are in runs/*/clocks.csv");
    this.study = study;
    for (RunRow row : TimeLines.inOrder(study.results())) {
      ObjectNode run = row.text(RunColumns.CLOCK).isEmpty() ? null : run(row);
      if (run != null) {
        add(row, run);
      }
    }
  }

  private @Nullable ObjectNode run(RunRow row) {
    Map<String, Map<Integer, RunRow>> nodes = new LinkedHashMap<>();
    int length = 0;
    for (RunRow second : study.runCsv(row.id(), "clocks.csv")) {
      int at = OperationSeconds.second(second);
      if (at >= 0 && at < OperationSeconds.MOST_SECONDS) {
        nodes.computeIfAbsent(second.text("node"), node -> new LinkedHashMap<>()).put(at, second);
        length = Math.max(length, at + 1);
      }
    }
    return nodes.isEmpty() ? null : run(row, nodes, length);
  }

  private ObjectNode run(RunRow row, Map<String, Map<Integer, RunRow>> nodes, int length) {
    int step = TimeLines.step(length);
    ObjectNode run = JsonNodeFactory.instance.objectNode().put("id", row.id());
    run.put("label", TimeLines.label(row)).put("first", 0).put("step", step);
    run.put("measured", length).put("steps", (length + step - 1) / step);
    ArrayNode events = run.putArray("events");
    for (ClusterEvent event : ClusterEvent.of(study, row.id())) {
      events.addObject().put("second", event.second()).put("text", event.text());
    }
    List<String> names = List.copyOf(nodes.keySet());
    ArrayNode panels = run.putArray("panels");
    Lines lines = new Lines(panels, nodes, length, step);
    lines.panel("Clock", "GHz", true, (node, r) -> r.number("khz") / KILO_PER_GIGA);
    lines.panel(
        "Says that it is the master, by number of the node",
        "",
        true,
        (node, r) -> r.text("role").equals("master") ? names.indexOf(node) + 1 : Double.NaN);
    lines.panel("CPU time", "% of a core", false, (node, r) -> r.number("cpu_s") * PERCENT);
    lines.panel("Lag", "kB", false, (node, r) -> r.number("lag_bytes") / BYTES_PER_KB);
    lines.panel("Lag", "ms", false, (node, r) -> r.number("lag_ms"));
    return run;
  }

  /** Adds panels with a line for each node. */
  private record Lines(
      ArrayNode panels, Map<String, Map<Integer, RunRow>> nodes, int length, int step) {
    void panel(
        String title, String unit, boolean stairs, ToDoubleBiFunction<String, RunRow> figure) {
      ObjectNode panel = JsonNodeFactory.instance.objectNode().put("title", title);
      panel.put("unit", unit).put("stairs", stairs).put("whole", unit.isEmpty());
      ArrayNode lines = panel.putArray("lines");
      int tone = 0;
      boolean any = false;
      for (Map.Entry<String, Map<Integer, RunRow>> node : nodes.entrySet()) {
        double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        node.getValue().forEach((at, row) -> values[at] = figure.applyAsDouble(node.getKey(), row));
        any |= Arrays.stream(values).anyMatch(Double::isFinite);
        ObjectNode line = lines.addObject().put("name", node.getKey()).put("tone", tone++);
        line.put("strong", true).set("values", TimeLines.line(values, step, i -> false));
      }
      if (any) {
        panels.add(panel);
      }
    }
  }
}
