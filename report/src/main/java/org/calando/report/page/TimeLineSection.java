package org.calando.report.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** A run over time: power, CPU, memory, disk and network of each node, and throughput. */
final class TimeLineSection extends Section {
  private static final String NOTE =
      "Second 0 is the first of the measured window; before it lie idle baseline and warm-up."
          + " Shaded: seconds in which a node\u2019s power was not read; they are gaps and are not"
          + " interpolated. A quantity that was not recorded is not drawn.";

  private static final String DATA = "timelines-data";

  TimeLineSection() {
    super("timelines", "Time lines", 1200);
  }

  @Override
  public Optional<String> data() {
    return Optional.of(DATA);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    TimeLines lines = new TimeLines(study.folder());
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            parts -> parts.data(DATA, lines.json()).figure(chart(lines.cut(), study.origin())));
  }

  private static Chart chart(String cut, String origin) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-timelines").put("kind", "timelines").put("picker", "Run");
    data.put("source", DATA).put("rows", "data-timelines");
    Table table =
        new Table("data-timelines", "Seconds of the run that is picked")
            .text("Second", "second")
            .text("Node", "node");
    String words =
        "Power, CPU, memory, disk and network of each node, and operations, second by second, of"
            + " the run that is picked; the figures are in the table.";
    String note = (NOTE + " " + cut).strip() + " " + origin;
    return new Chart("A run, second by second", words, note, data, table);
  }
}
