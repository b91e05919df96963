package org.calando.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run over time: power, CPU, memory, disk and network of each node, and throughput. */
final class TimeLineSection {
  private static final String NOTE =
      "Second 0 is the first of the measured window; before it lie idle baseline and warm-up."
          + " Shaded: seconds in which a node\u2019s power was not read; they are gaps and are not"
          + " interpolated. A quantity that was not recorded is not drawn.";

  private TimeLineSection() {}

  /** Writes the section, or nothing if no run has seconds; the script draws what it returns. */
  static TimeLines render(ResultsFolder study, Parts parts, String origin) {
    TimeLines lines = new TimeLines(study);
    if (lines.isEmpty()) {
      return lines;
    }
    parts.begin("timelines", "Time lines");
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-timelines").put("kind", "timelines").put("picker", "Run");
    data.put("source", "timelines-data").put("rows", "data-timelines");
    Table table =
        new Table("data-timelines", "Seconds of the run that is picked")
            .text("Second", "second")
            .text("Node", "node");
    String words =
        "Power, CPU, memory, disk and network of each node, and operations, second by second, of the run"
            + " that is picked; the figures are in the table.";
    String note = (NOTE + " " + lines.cut()).strip() + " " + origin;
    parts.figure(new Chart("A run, second by second", words, note, data, table)).end();
    return lines;
  }
}
