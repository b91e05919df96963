package org.calando.report.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sections of a page as they are written: keeps what the table of contents and the page's
 * script need to know of them. Not thread safe.
 */
public final class Parts {
  /** A section, for the table of contents. */
  public record Entry(String id, String title) {}

  /** Colours and symbols of the page's script; it begins again with the next, and dashes lines. */
  private static final int TONES = 7;

  private static final List<String> DASHES = List.of("", ", dashed", ", dotted");

  private final Html html = new Html();
  private final List<Entry> contents = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private final Map<String, String> data = new HashMap<>();

  /** Where what has no method here is written. */
  public Html html() {
    return html;
  }

  /** The sections so far, in their order. */
  public List<Entry> contents() {
    return List.copyOf(contents);
  }

  /** The charts so far, in their order. */
  public List<Chart> charts() {
    return List.copyOf(charts);
  }

  /** Begins a section; the id is unique in the page. */
  public Parts begin(String id, String title) {
    contents.add(new Entry(id, title));
    html.open("section", "id", id, "aria-labelledby", "h-" + id);
    html.element("h2", title, "id", "h-" + id);
    return this;
  }

  /** Ends it. */
  public Parts end() {
    html.close("section").newLine();
    return this;
  }

  /**
   * Gives the page's script what it draws beside charts.
   *
   * @param id as {@link Section#data} names it
   * @param json an array
   */
  public Parts data(String id, String json) {
    data.put(id, json);
    return this;
  }

  /** What was given under an id; an empty array if nothing was. */
  public String data(String id) {
    return data.getOrDefault(id, "[]");
  }

  /** Small print; nothing if empty. */
  public Parts note(String text) {
    if (!text.isEmpty()) {
      html.element("p", text, "class", "note").newLine();
    }
    return this;
  }

  /** Charts under each other. */
  public Parts figures(List<Chart> all) {
    html.open("div", "class", "figures");
    all.forEach(this::figure);
    html.close("div").newLine();
    return this;
  }

  /** Charts of half the width, side by side where there is room. */
  public Parts pair(List<Chart> all) {
    html.open("div", "class", all.size() > 1 ? "figures pair" : "figures");
    all.forEach(this::figure);
    html.close("div").newLine();
    return this;
  }

  /** A chart with its legend and its data as a table. */
  public Parts figure(Chart chart) {
    charts.add(chart);
    html.open("figure", "aria-labelledby", "t-" + chart.id());
    html.element("h3", chart.title(), "id", "t-" + chart.id());
    legend(chart);
    String words = chart.description();
    html.open("div", "class", "chart", "id", chart.id(), "role", "img", "aria-label", words);
    html.close("div").newLine();
    if (!chart.note().isEmpty()) {
      html.element("figcaption", chart.note(), "class", "note");
    }
    html.open("details").element("summary", "Data of this chart");
    chart.table().render(html);
    html.close("details").close("figure").newLine();
    return this;
  }

  /** A table under a heading; nothing if it has no row. */
  public Parts table(String heading, Table table, String note) {
    if (table.isEmpty()) {
      return this;
    }
    html.open("div", "class", "part").element("h3", heading);
    table.render(html);
    note(note);
    html.close("div").newLine();
    return this;
  }

  /** Sentences as a list; nothing if there is none. */
  public Parts list(List<String> sentences) {
    if (!sentences.isEmpty()) {
      html.open("ul", "class", "note");
      sentences.forEach(sentence -> html.element("li", sentence));
      html.close("ul").newLine();
    }
    return this;
  }

  private void legend(Chart chart) {
    List<String> labels = chart.legend();
    if (labels.size() < 2) {
      return;
    }
    html.open("ul", "class", "legend", "aria-label", chart.legendLabel());
    for (int i = 0; i < labels.size(); i++) {
      html.open("li").open("span", "class", swatch(chart, i), "aria-hidden", "true");
      html.close("span")
          .text(labels.get(i) + (chart.isOfCurves() ? DASHES.get(i / TONES % 3) : ""));
      html.close("li");
    }
    html.close("ul").newLine();
  }

  /** A curve's swatch has the shape of its marks. */
  private static String swatch(Chart chart, int i) {
    String tone = "swatch tone" + i % TONES;
    return chart.isOfCurves() || chart.isOfPoints() ? tone + " shape" + i % TONES : tone;
  }
}
