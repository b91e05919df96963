package org.calando.knob.buffer;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.report.Configuration;
import org.calando.report.RunRow;
import org.calando.report.page.Chart;
import org.calando.report.page.Columns;

/** Figure 1 of Garcia-Recuero 2014, drawn of a study's own runs. Immutable. */
final class BufferCharts {
  private static final String PAPER = " of Garcia-Recuero 2014";

  private final BufferGroups buffers;
  private final List<String> labels;

  BufferCharts(BufferGroups buffers) {
    this.buffers = buffers;
    this.labels = buffers.labels();
  }

  /** Figure 1 (a) to (c). */
  Optional<Chart> energy() {
    return chart(
            "buffers-energy", "Energy over concurrency", RunRow::joulesPerKop, "J per 1000 ops")
        .build(
            "As Figure 1 (a) to (c)"
                + PAPER
                + ", whose drawings are of the cluster\u2019s energy in a whole run. Per operation,"
                + " because runs may differ in length; all panels have one scale.");
  }

  /** Figure 1 (d) to (f). */
  Optional<Chart> throughput() {
    return chart(
            "buffers-throughput", "Throughput over concurrency", BufferFigures::throughput, "ops/s")
        .build(
            "As Figure 1 (d) to (f)"
                + PAPER
                + ". A run of a number of operations ends when all writes are on the servers; all"
                + " panels have one scale.");
  }

  /** A panel for each mix, a group for each load, a column for each way to send writes. */
  private Columns chart(String id, String title, ToDoubleFunction<RunRow> figure, String unit) {
    List<String> workloads = buffers.workloads();
    Columns chart =
        new Columns(id, title, "Load", "Writes", labels)
            .sharedScale()
            .across(widest() > 12 ? 1 : workloads.size());
    for (String workload : workloads) {
      chart.panel(workload.isEmpty() ? title : workload, unit);
      String heading = "";
      for (Group group : buffers.of(workload)) {
        String load = group.load().shortLabel();
        if (!load.equals(heading)) {
          chart.group(load);
          heading = load;
        }
        for (Configuration c : group.ways()) {
          chart.bar(buffers.label(c), c.estimate(figure), c.values(figure));
        }
      }
    }
    return chart;
  }

  /** Columns of the widest panel: too many do not stand beside other panels. */
  private int widest() {
    return buffers.workloads().stream()
        .mapToInt(w -> buffers.of(w).stream().mapToInt(group -> group.ways().size()).sum())
        .max()
        .orElse(0);
  }
}
