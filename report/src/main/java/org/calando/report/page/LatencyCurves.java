package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Latencies;
import org.calando.report.Load;
import org.calando.report.Results.LoadGroup;
import org.calando.report.ResultsFolder;
import org.calando.report.page.Table.Cell;

/**
 * How latencies are distributed: a curve of percentiles for each configuration. Thread-confined.
 */
final class LatencyCurves {
  /** A percentile is drawn only if so many operations took longer. */
  static final int LEAST_BEYOND = 10;

  private static final double[] PERCENTILES = {
    10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.999
  };
  private static final double NANOS_PER_MILLI = 1e6;
  private static final Set<String> WHOLE =
      Set.of("read", "update", "insert", "scan", "read_modify_write");
  private static final String NOTE =
      "The histograms of a configuration\u2019s repeats are merged; percentiles are read from the"
          + " merged one, never averaged. A curve ends where fewer than "
          + LEAST_BEYOND
          + " operations took longer. In an open loop latency counts from the intended start.";

  private final ResultsFolder study;
  private final ArrayNode loads = JsonNodeFactory.instance.arrayNode();
  private final List<String> labels;
  private final List<String> problems = new ArrayList<>();
  private final Table table =
      new Table("latencies", "Latency percentiles, repeats merged")
          .text("Level", "level")
          .text("Operation", "operation")
          .number("Count", "", "count")
          .number("p50", "ms", "p50_ms")
          .number("p90", "ms", "p90_ms")
          .number("p99", "ms", "p99_ms")
          .number("p99.9", "ms", "p999_ms")
          .number("Most", "ms", "max_ms")
          .number("Repeats", "", "repeats");

  LatencyCurves(ResultsFolder study) {
    this.study = study;
    this.labels = study.results().measured().stream().map(Configuration::label).distinct().toList();
    study.results().groups().forEach(this::group);
  }

  /** Whether no run left a latency log. */
  boolean isEmpty() {
    return table.isEmpty() && problems.isEmpty();
  }

  void write(Parts parts) {
    if (!table.isEmpty()) {
      ObjectNode data = JsonNodeFactory.instance.objectNode();
      data.put("id", "chart-latency").put("kind", "latency").put("picker", "Load");
      data.set("choices", loads);
      String words =
          "Latency in milliseconds by percentile, a line for each level, for the load that is"
              + " picked; the figures are in the table.";
      parts.figure(new Chart("Latency by percentile", words, NOTE, labels, data, table));
    }
    parts.list(problems);
  }

  private void group(LoadGroup group) {
    ObjectNode load = JsonNodeFactory.instance.objectNode();
    String heading = Load.sentence(group.load().label());
    load.put("label", heading);
    ArrayNode lines = load.putArray("lines");
    table.section(heading);
    for (Configuration c : group.measured()) {
      Latencies latencies = Latencies.of(study, c);
      problems.addAll(latencies.problems());
      latencies
          .byMeasure()
          .forEach(
              (measure, histogram) -> {
                row(c, measure, histogram, latencies.runs());
                if (WHOLE.contains(measure)) {
                  lines.add(line(c, measure, histogram));
                }
              });
    }
    if (!lines.isEmpty()) {
      loads.add(load);
    }
  }

  private ObjectNode line(Configuration c, String measure, Histogram histogram) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("label", c.label()).put("measure", measure.replace('_', ' '));
    line.put("tone", labels.indexOf(c.label()));
    ArrayNode points = line.putArray("points");
    for (double percentile : PERCENTILES) {
      if (isKnown(histogram, percentile)) {
        double millis = histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
        points.addArray().add(percentile).add(Double.parseDouble(Figures.exact(millis)));
      }
    }
    return line;
  }

  private void row(Configuration c, String measure, Histogram histogram, int runs) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(c.label()));
    cells.add(Cell.of(measure.replace('_', ' ')));
    cells.add(Cell.count((double) histogram.getTotalCount()));
    for (double percentile : new double[] {50, 90, 99, 99.9}) {
      double nanos =
          isKnown(histogram, percentile) ? histogram.getValueAtPercentile(percentile) : Double.NaN;
      cells.add(millis(nanos));
    }
    cells.add(millis((double) histogram.getMaxValue()));
    cells.add(Cell.count(runs));
    table.row(cells);
  }

  private static Cell millis(double nanos) {
    return Cell.value(Figures.figure(nanos / NANOS_PER_MILLI), nanos / NANOS_PER_MILLI);
  }

  private static boolean isKnown(Histogram histogram, double percentile) {
    return histogram.getTotalCount() * (1 - percentile / 100) >= LEAST_BEYOND;
  }
}
