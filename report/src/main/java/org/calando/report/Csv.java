package org.calando.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.report.column.Column;
import org.jspecify.annotations.Nullable;

/** Comma-separated text by RFC 4180, with a header line: reads it, and writes it. */
public final class Csv {
  private static final String REMEDY = "restore the file, or run the study again into a new folder";

  private final String text;
  private final String where;
  private int at;
  private int line = 1;

  private Csv(String text, String where) {
    this.text = text;
    this.where = where;
  }

  /**
   * Parses a file's text. Blank lines are passed over, a short line lacks its last cells, and cells
   * beyond the header are dropped.
   *
   * @param where the file's name, for errors
   * @return a map of header to cell for each line; empty when there is a header only, or nothing
   * @throws BadRequestException if a quoted cell does not end, or has text after its end
   */
  public static List<Map<String, String>> parse(String text, String where) {
    Csv csv = new Csv(text.startsWith("\uFEFF") ? text.substring(1) : text, where);
    List<Map<String, String>> rows = new ArrayList<>();
    List<String> header = List.of();
    while (csv.at < csv.text.length()) {
      List<String> cells = csv.record();
      if (cells.size() == 1 && cells.get(0).isBlank()) {
        continue;
      }
      if (header.isEmpty()) {
        header = cells.stream().map(String::strip).toList();
      } else {
        rows.add(named(header, cells));
      }
    }
    return rows;
  }

  /** The text of {@code results.csv}: a header of the columns, and a line for each run. */
  public static String text(List<Column> columns, List<RunRow> rows) {
    StringBuilder csv = new StringBuilder(line(columns, Column::name));
    rows.forEach(row -> csv.append(line(columns, each -> row.cells().get(each.name()))));
    return csv.toString();
  }

  private static String line(List<Column> columns, Function<Column, @Nullable String> cell) {
    return columns.stream()
        .map(each -> quote(Objects.requireNonNullElse(cell.apply(each), "")))
        .collect(Collectors.joining(",", "", "\n"));
  }

  /** A cell as it stands in a line: quoted if it has to be. */
  public static String quote(String cell) {
    if (cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')) {
      return cell;
    }
    return '"' + cell.replace("\"", "\"\"") + '"';
  }

  private static Map<String, String> named(List<String> header, List<String> cells) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < header.size(); i++) {
      row.put(header.get(i), i < cells.size() ? cells.get(i) : "");
    }
    return row;
  }

  private List<String> record() {
    List<String> cells = new ArrayList<>();
    while (true) {
      cells.add(peek() == '"' ? quoted() : plain());
      int next = peek();
      if (next == ',') {
        at++;
      } else {
        endOfLine(next);
        return cells;
      }
    }
  }

  private void endOfLine(int next) {
    if (next == '\r') {
      at++;
      next = peek();
    }
    if (next == '\n') {
      at++;
    }
    line++;
  }

  private String plain() {
    int start = at;
    while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted() {
    int opened = line;
    StringBuilder cell = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\n') {
        line++;
      }
      if (c != '"') {
        cell.append(c);
      } else if (peek() == '"') {
        cell.append('"');
        at++;
      } else if (peek() >= 0 && ",\r\n".indexOf(peek()) < 0) {
        throw new BadRequestException("text after a closing quote", where + ":" + line, REMEDY);
      } else {
        return cell.toString();
      }
    }
    throw new BadRequestException("a quoted cell does not end", where + ":" + opened, REMEDY);
  }

  private int peek() {
    return at < text.length() ? text.charAt(at) : -1;
  }
}
