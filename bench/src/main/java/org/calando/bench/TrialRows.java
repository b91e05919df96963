package org.calando.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A file with a row a seeded trial, so that a run that was ended goes on. Thread safe. */
public final class TrialRows {
  private final Path file;
  private final int columns;

  /**
   * Opens it, or makes it.
   *
   * @param header names of columns, the first of them {@code seed}
   */
  public TrialRows(Path file, String header) throws IOException {
    this.file = file;
    this.columns = header.split(",", -1).length;
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (!Files.exists(file)) {
      Files.writeString(file, header + "\n");
    }
  }

  /** Seeds that need not be done again. */
  public Set<Long> done() throws IOException {
    Set<Long> done = new HashSet<>();
    for (String[] row : rows()) {
      done.add(Long.parseLong(row[0]));
    }
    return done;
  }

  /** The cells of all rows that are whole. */
  public synchronized List<String[]> rows() throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(",", -1);
      if (cells.length == columns && !cells[0].equals("seed")) {
        rows.add(cells);
      }
    }
    return rows;
  }

  /** Adds a row; commas and line ends within cells become semicolons. */
  public synchronized void add(Object... cells) throws IOException {
    String row =
        Arrays.stream(cells)
            .map(cell -> String.valueOf(cell).replaceAll("[,\\n]", ";"))
            .collect(Collectors.joining(","));
    Files.writeString(file, row + "\n", StandardOpenOption.APPEND);
  }
}
