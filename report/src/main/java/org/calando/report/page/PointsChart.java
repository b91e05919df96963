package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.report.Figures;
import org.calando.report.page.Table.Cell;

/** Builds a chart of points in series, and the table behind it. Not thread safe. */
public final class PointsChart {
  private static final int MOST_WORDS = 20;

  private final String title;
  private final List<String> series;
  private final ObjectNode data = JsonNodeFactory.instance.objectNode();
  private final Table table;
  private final List<ArrayNode> points = new ArrayList<>();
  private final List<String> words = new ArrayList<>();
  private int count;

  /**
   * A chart without points.
   *
   * @param x what the horizontal axis is, with its unit, and the CSV column it becomes
   * @param y what the vertical axis is, likewise
   */
  public PointsChart(String id, String title, List<String> series, Axis x, Axis y) {
    this.title = title;
    this.series = series;
    data.put("id", "chart-" + id).put("kind", "points").put("x", x.title()).put("y", y.title());
    ArrayNode all = data.putArray("series");
    for (String label : series) {
      points.add(all.addObject().put("label", label).putArray("points"));
    }
    this.table =
        new Table("data-" + id, title)
            .text("Setting", "setting")
            .text("Series", "series")
            .number(x.title(), "", x.csv())
            .number(y.title(), "", y.csv());
  }

  /** An axis: its title with the unit, and the name of its column in a download. */
  public record Axis(String title, String csv) {}

  /**
   * Both axes logarithmic and alike, with the diagonal on which both figures are the same.
   *
   * @param least smaller figures are drawn at this one; the table has them
   */
  public PointsChart diagonal(double least) {
    data.put("diagonal", true).put("least", least);
    return this;
  }

  /** A point; nothing if a figure is missing. */
  public PointsChart add(String label, String setting, double x, double y) {
    int at = series.indexOf(label);
    if (at < 0 || !Double.isFinite(x) || !Double.isFinite(y)) {
      return this;
    }
    points.get(at).addObject().put("x", round(x)).put("y", round(y)).put("label", setting);
    table.row(
        List.of(
            Cell.of(setting),
            Cell.of(label),
            Cell.value(Figures.figure(x), x),
            Cell.value(Figures.figure(y), y)));
    if (count++ < MOST_WORDS) {
      words.add(setting + ", " + label + ": " + Figures.figure(x) + ", " + Figures.figure(y));
    }
    return this;
  }

  /** The chart, unless it has no point at all. */
  public Optional<Chart> build(String note) {
    if (count == 0) {
      return Optional.empty();
    }
    String more = count > MOST_WORDS ? "; and " + (count - MOST_WORDS) + " more" : "";
    String axes = data.path("x").asText() + ", and " + data.path("y").asText();
    String said = title + ": " + axes + ". " + String.join("; ", words) + more + ".";
    return Optional.of(new Chart(title, said, note, series, data, table));
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(java.util.Locale.ROOT, "%.4g", value));
  }
}
