package org.calando.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Comma-separated text by RFC 4180, of which the end may be missing. Not thread safe. */
final class CsvText {
  private final String text;
  private int at;
  private int begin;
  private int line = 1;

  CsvText(String text) {
    this.text = text;
  }

  /** A line of cells, with its end. */
  static String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) {
      line.append(line.length() == 0 ? "" : ",").append(quoted(cell));
    }
    return line.append('\n').toString();
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  /** The line that {@link #next} reads, counted from 1. */
  int line() {
    return line;
  }

  /** Whether there is a further line with an end. */
  boolean hasLine() {
    return text.indexOf('\n', at) >= 0;
  }

  /**
   * Continues below a line, whatever cells {@link #next} saw in the text from there on.
   *
   * @param skipped the line that {@link #next} read last
   */
  void skipLine(int skipped) {
    at = text.indexOf('\n', begin) + 1;
    line = skipped + 1;
  }

  /** The next line's cells; empty at the end, and where the line has no end. */
  Optional<List<String>> next() {
    begin = at;
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    int lines = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      lines += c == '\n' ? 1 : 0;
      if (c == '"') {
        // A quote within quotes is written twice: the first ends the quotes, this one begins anew.
        boolean second = !quoted && i > at && text.charAt(i - 1) == '"';
        cell.append(second ? "\"" : "");
        quoted = !quoted;
      } else if (quoted || (c != ',' && c != '\n')) {
        cell.append(c);
      } else {
        cells.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          at = i + 1;
          line += lines;
          return Optional.of(cells);
        }
      }
    }
    return Optional.empty();
  }
}
