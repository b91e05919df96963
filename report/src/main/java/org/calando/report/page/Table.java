package org.calando.report.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.calando.report.Figures;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;

/**
 * A table of the page: columns under headings, rows in sections, and for every cell the values that
 * a CSV download holds. Not thread safe.
 */
public final class Table {
  /**
   * A column.
   *
   * @param heading heading over neighbouring columns, or empty
   * @param unit shown under the title, or empty
   * @param csv names of the columns it becomes in a download
   */
  record Column(String heading, String title, String unit, boolean numeric, List<String> csv) {}

  /**
   * A cell.
   *
   * @param text what is shown
   * @param detail shown under it in small print, or empty
   * @param markup our own markup shown instead of the text, or empty
   * @param css class of the cell, or empty
   * @param csv values for a download, as many as the column has names
   */
  public record Cell(String text, String detail, String markup, String css, List<String> csv) {
    /** A text. */
    public static Cell of(String text) {
      return new Cell(text, "", "", "", List.of(text));
    }

    /** A text over a smaller one. */
    public static Cell of(String text, String detail) {
      return new Cell(text, detail, "", "", List.of(text));
    }

    /** A number as it is shown, and as it is in the download. */
    public static Cell value(String shown, double exact) {
      return new Cell(shown, "", "", "", List.of(Figures.exact(exact)));
    }

    /** A whole number. */
    public static Cell count(double value) {
      return value(Figures.count(value), value);
    }

    /** A mean with its interval: three values in a download. */
    public static Cell of(Estimate e) {
      return of(e, Figures.interval(e));
    }

    /** An estimate whose mean alone is shown, as given; the download has its interval too. */
    public static Cell of(Estimate e, String shown) {
      List<String> csv =
          List.of(Figures.exact(e.mean()), Figures.exact(e.low()), Figures.exact(e.high()));
      return new Cell(shown, "", "", "", csv);
    }

    /** The middle run's value over the range of all: three values in a download. */
    public static Cell of(Spread s, double scale) {
      List<String> csv =
          List.of(
              Figures.exact(s.median() * scale),
              Figures.exact(s.min() * scale),
              Figures.exact(s.max() * scale));
      String range = s.n() < 2 ? "" : Figures.extent(s.min() * scale, s.max() * scale);
      return new Cell(Figures.figure(s.median() * scale), range, "", "", csv);
    }

    /** The same over a smaller text. */
    public Cell withDetail(String more) {
      return new Cell(text, more, markup, css, csv);
    }

    /** The same in a style of the page, such as {@code key} or {@code bad}. */
    public Cell withClass(String name) {
      return new Cell(text, detail, markup, name, csv);
    }
  }

  private record Section(String title, List<List<Cell>> rows) {}

  private final String id;
  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Section> sections = new ArrayList<>();
  private String heading = "";
  private String sectionColumn = "load";

  /** An empty table; the id is unique in the page. */
  public Table(String id, String caption) {
    this.id = id;
    this.caption = caption;
  }

  /** Names the column that sections' titles become in a download; {@code load} if not named. */
  public Table sectionsAre(String csv) {
    sectionColumn = csv;
    return this;
  }

  /** Puts the columns that follow under a heading; empty ends it. */
  public Table under(String heading) {
    this.heading = heading;
    return this;
  }

  /** Adds a column of texts, under a name in the download. */
  public Table text(String title, String csv) {
    columns.add(new Column(heading, title, "", false, List.of(csv)));
    return this;
  }

  /** Adds a column of numbers; the unit may be empty. */
  public Table number(String title, String unit, String... csv) {
    columns.add(new Column(heading, title, unit, true, Arrays.asList(csv)));
    return this;
  }

  /** A number with two more values in a download: its low and high end. */
  public Table estimate(String title, String unit, String csv) {
    return number(title, unit, csv, csv + "_low", csv + "_high");
  }

  /** A number with two more values in a download: the least and the most of the repeats. */
  public Table spread(String title, String unit, String csv) {
    return number(title, unit, csv, csv + "_min", csv + "_max");
  }

  /** Begins a section; its title stands in a row of its own unless it is empty. */
  public Table section(String title) {
    sections.add(new Section(title, new ArrayList<>()));
    return this;
  }

  /** Adds a row, a cell for each column. */
  public Table row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells for " + columns.size() + " columns of " + id);
    }
    if (sections.isEmpty()) {
      section("");
    }
    sections.get(sections.size() - 1).rows().add(List.copyOf(cells));
    return this;
  }

  /** Whether it has no row. */
  public boolean isEmpty() {
    return sections.stream().allMatch(s -> s.rows().isEmpty());
  }

  void render(Html html) {
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
    html.open("table", "id", id, "data-sections", sectionColumn).element("caption", caption);
    head(html);
    for (Section section : sections) {
      if (!section.rows().isEmpty()) {
        body(html, section);
      }
    }
    html.close("table").close("div").newLine();
  }

  private void head(Html html) {
    html.open("thead");
    if (columns.stream().anyMatch(c -> !c.heading().isEmpty())) {
      headings(html);
    }
    html.open("tr", "class", "columns");
    for (Column c : columns) {
      String css = c.numeric() ? "n" : "";
      html.open("th", "scope", "col", "class", css, "data-csv", String.join("|", c.csv()));
      html.text(c.title());
      if (!c.unit().isEmpty()) {
        html.text(" ").element("small", c.unit());
      }
      html.close("th");
    }
    html.close("tr").close("thead").newLine();
  }

  private void headings(Html html) {
    html.open("tr", "class", "headings");
    for (int from = 0; from < columns.size(); ) {
      int to = from;
      while (to < columns.size() && columns.get(to).heading().equals(columns.get(from).heading())) {
        to++;
      }
      String span = Integer.toString(to - from);
      String title = columns.get(from).heading();
      if (title.isEmpty()) {
        html.open("td", "colspan", span).close("td");
      } else {
        html.element("th", title, "scope", "colgroup", "colspan", span);
      }
      from = to;
    }
    html.close("tr").newLine();
  }

  private void body(Html html, Section section) {
    html.open("tbody");
    if (!section.title().isEmpty()) {
      html.open("tr", "class", "section", "data-section", section.title());
      html.open("th", "scope", "rowgroup", "colspan", Integer.toString(columns.size()));
      html.element("span", section.title()).close("th").close("tr").newLine();
    }
    for (List<Cell> row : section.rows()) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        cell(html, row.get(i), columns.get(i), i == 0);
      }
      html.close("tr").newLine();
    }
    html.close("tbody");
  }

  private static void cell(Html html, Cell cell, Column column, boolean first) {
    String name = first ? "th" : "td";
    List<String> attributes = new ArrayList<>();
    if (first) {
      attributes.addAll(List.of("scope", "row"));
    }
    String css = ((column.numeric() ? "n " : "") + cell.css()).strip();
    if (!css.isEmpty()) {
      attributes.addAll(List.of("class", css));
    }
    String csv = String.join("|", cell.csv());
    if (!csv.equals(cell.text())) {
      attributes.addAll(List.of("data-csv", csv));
    }
    html.open(name, attributes.toArray(String[]::new));
    if (cell.markup().isEmpty()) {
      html.text(cell.text());
    } else {
      html.raw(cell.markup());
    }
    if (!cell.detail().isEmpty()) {
      html.text(" ").element("small", cell.detail());
    }
    html.close(name);
  }
}
