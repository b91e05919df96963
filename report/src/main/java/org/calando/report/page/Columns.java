package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.report.Figures;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.page.Table.Cell;

/**
 * Builds a chart of panels with grouped columns, a column for each series, and the table behind it.
 * Not thread safe.
 */
public final class Columns {
  private static final int MOST_WORDS = 30;

  private final String title;
  private final List<String> series;
  private final ObjectNode data;
  private final ArrayNode panels;
  private final Table table;
  private final List<String> words = new ArrayList<>();
  private ObjectNode panel;
  private ArrayNode bars = JsonNodeFactory.instance.arrayNode();
  private String panelTitle = "";
  private String groupLabel = "";

  /**
   * A chart without panels yet.
   *
   * @param group what groups are, such as {@code Threads}
   * @param seriesName what a series is, such as {@code Level}
   * @param series the series' labels, in the order of their colours
   */
  public Columns(String id, String title, String group, String seriesName, List<String> series) {
    this.title = title;
    this.series = series;
    this.data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-" + id).put("kind", "columns");
    this.panels = data.putArray("panels");
    this.panel = JsonNodeFactory.instance.objectNode();
    this.table =
        new Table("data-" + id, title)
            .sectionsAre("panel")
            .text(group, csv(group))
            .text(seriesName, csv(seriesName))
            .number("Mean", "", "mean")
            .number("95\u00A0% interval", "", "low", "high")
            .text("Each repeat", "repeats");
  }

  /** Panels share one scale, because they show one quantity. */
  public Columns sharedScale() {
    data.put("shared", true);
    return this;
  }

  /** Groups are steps of time: where their labels do not fit, some are left out. */
  public Columns inTime() {
    data.put("inTime", true);
    return this;
  }

  /** At most so many panels beside each other. */
  public Columns across(int most) {
    data.put("across", most);
    return this;
  }

  /** Begins a panel with a scale of its own. */
  public Columns panel(String heading, String unit) {
    panel = panels.addObject().put("title", heading).put("unit", unit);
    panel.putArray("groups");
    panelTitle = heading;
    table.section(heading + ", " + unit);
    return this;
  }

  /** Begins a group of columns in the panel. */
  public Columns group(String label) {
    groupLabel = label;
    ObjectNode group = JsonNodeFactory.instance.objectNode().put("label", label);
    bars = group.putArray("bars");
    panel.withArray("groups").add(group);
    return this;
  }

  /** A column of the last group; nothing if there is no figure. */
  public Columns bar(String label, Estimate estimate, double... runs) {
    if (!estimate.present()) {
      return this;
    }
    bars.add(Charts.point(label, Math.max(0, series.indexOf(label)), estimate, runs));
    words.add(panelTitle + ", " + groupLabel + ", " + label + ": " + Figures.interval(estimate));
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(groupLabel)));
    cells.addAll(Charts.cells(label, estimate, runs));
    table.row(cells);
    return this;
  }

  /** A column of the middle run: percentiles are not averaged and have no interval. */
  public Columns middle(String label, Spread spread, double... runs) {
    return bar(
        label,
        new Estimate(
            Math.min(1, spread.n()), spread.median(), Double.NaN, spread.min(), spread.max()),
        runs);
  }

  /** The chart, unless it has no column at all. */
  public Optional<Chart> build(String note) {
    if (words.isEmpty()) {
      return Optional.empty();
    }
    for (int i = panels.size() - 1; i >= 0; i--) {
      if (isEmpty(panels.get(i).withArray("groups"))) {
        panels.remove(i);
      }
    }
    int shown = Math.min(MOST_WORDS, words.size());
    String more = words.size() > shown ? "; and " + (words.size() - shown) + " more" : "";
    String said = title + ". " + String.join("; ", words.subList(0, shown)) + more + ".";
    return Optional.of(new Chart(title, said, note, series, data, table));
  }

  private static boolean isEmpty(ArrayNode groups) {
    for (int i = 0; i < groups.size(); i++) {
      if (!groups.get(i).path("bars").isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static String csv(String heading) {
    return heading.toLowerCase(Locale.ROOT).replace(' ', '_');
  }
}
