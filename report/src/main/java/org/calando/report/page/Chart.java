package org.calando.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A chart of the page.
 *
 * @param title its heading
 * @param description what it shows, in words, for those who cannot see it
 * @param note small print under it, or empty
 * @param legend labels in the order of the colours, empty if the chart labels its marks
 * @param data what the page's script draws
 * @param table the same figures as a table
 */
public record Chart(
    String title,
    String description,
    String note,
    List<String> legend,
    JsonNode data,
    Table table) {
  /** A chart that labels its marks itself. */
  public Chart(String title, String description, String note, JsonNode data, Table table) {
    this(title, description, note, List.of(), data, table);
  }

  /** Its id in the page. */
  public String id() {
    return data.path("id").asText();
  }

  boolean isOfCurves() {
    return data.path("kind").asText().equals("latency");
  }

  boolean isOfPoints() {
    return List.of("points", "tradeoff").contains(data.path("kind").asText());
  }

  /** What the legend lists, in words. */
  String legendLabel() {
    if (isOfPoints()) {
      return "Marks, by colour and symbol";
    }
    return isOfCurves()
        ? "Curves, by colour and symbol"
        : "Columns of each group, from left to right";
  }

  /** The same with other small print. */
  public Chart withNote(String text) {
    return new Chart(title, description, text, legend, data, table);
  }
}
