package org.calando.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table that reads well as text and is one in Markdown too. Not thread safe. */
public final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these columns. */
  public MarkdownTable(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row, of as many cells as there are columns. */
  public void add(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(List.of(cells) + " under " + rows.get(0));
    }
    rows.add(List.of(cells));
  }

  /** The rows below the header. */
  public List<List<String>> body() {
    return List.copyOf(rows.subList(1, rows.size()));
  }

  /** The same as comma-separated values, with the header. */
  String csv() {
    return rows.stream()
        .map(
            row ->
                row.stream()
                    .map(cell -> cell.contains(",") ? '"' + cell + '"' : cell)
                    .collect(Collectors.joining(",")))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    List<Integer> widths =
        IntStream.range(0, columns)
            .mapToObj(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toList();
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < rows.size(); line++) {
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(line).get(i);
        text.append("| ").append(cell).append(" ".repeat(widths.get(i) - cell.length() + 1));
      }
      text.append("|\n");
      if (line == 0) {
        widths.forEach(width -> text.append('|').append("-".repeat(width + 2)));
        text.append("|\n");
      }
    }
    return text.toString();
  }
}
