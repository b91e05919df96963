package org.calando.promise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A file of comma-separated rows, whose first cell is a name. Rows are added one at a time, so that
 * a run that was ended goes on. Thread safe.
 */
final class Results {
  private final Path file;
  private final List<String> columns;

  /** Those of a file, which is made if it is not there. */
  Results(Path file, String header) throws IOException {
    this.file = file;
    this.columns = List.of(header.split(",", -1));
    if (!Files.exists(file)) {
      Files.writeString(file, header + "\n");
    } else if (!Files.readString(file).endsWith("\n")) {
      // A row that was cut short stays one of its own.
      Files.writeString(file, "\n", StandardOpenOption.APPEND);
    }
  }

  synchronized void add(String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  /** The rows by column; a row that was cut short is left out. */
  synchronized List<Map<String, String>> rows() throws IOException {
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      List<String> cells = List.of(line.split(",", -1));
      if (cells.size() == columns.size() && !cells.equals(columns)) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
          row.put(columns.get(i), cells.get(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  boolean has(String name) throws IOException {
    return rows().stream().anyMatch(row -> name.equals(row.get(columns.get(0))));
  }

  /** As a table in Markdown. */
  String table(List<String> header, Function<Map<String, String>, List<String>> cells)
      throws IOException {
    StringBuilder text = new StringBuilder(line(header));
    text.append("|---".repeat(header.size())).append("|\n");
    for (Map<String, String> row : rows()) {
      text.append(line(cells.apply(row)));
    }
    return text.toString();
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
