package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.report.Csv;

/**
 * What one leg of the experiment came to: a line of the results. Not thread safe.
 *
 * @param cells by column; those that do not apply are empty
 */
record GearRow(Map<String, String> cells) {
  /** All columns. Sizes are bytes, times are seconds. */
  static final List<String> COLUMNS =
      List.of(
          "version",
          "seed",
          "block",
          "layout",
          "block_bytes",
          "old_bytes",
          "new_bytes",
          "leg",
          "position",
          "cold_before_bytes",
          "shift_s",
          "catchup_s",
          "grep_s",
          "grep_start_s",
          "moved_bytes",
          "transfers",
          "planned_bytes",
          "forecast_bytes",
          "bound_bytes",
          "window_s",
          "read_mb_s",
          "cpu_s",
          "watts",
          "joules",
          "re_replications");

  private static final String VERSION = "1";

  /** A line of which nothing is known yet. */
  static GearRow begin(long seed, int block, String layout, String leg) {
    GearRow row = new GearRow(new LinkedHashMap<>());
    row.cells.put("version", VERSION);
    row.cells.put("seed", Long.toString(seed));
    row.cells.put("block", Integer.toString(block));
    row.cells.put("layout", layout);
    row.cells.put("leg", leg);
    return row;
  }

  void put(String column, long value) {
    cells.put(column, Long.toString(value));
  }

  void put(String column, double value) {
    cells.put(column, String.format(Locale.ROOT, "%.3f", value));
  }

  String text(String column) {
    return cells.getOrDefault(column, "");
  }

  /** A figure; NaN where there is none. */
  double figure(String column) {
    String cell = text(column);
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  /** All that are in a file; none if there is no file. */
  static List<GearRow> read(Path file) throws IOException {
    List<GearRow> rows = new ArrayList<>();
    if (Files.exists(file)) {
      for (Map<String, String> cells : Csv.parse(Files.readString(file), file.toString())) {
        rows.add(new GearRow(cells));
      }
    }
    return rows;
  }

  /** Adds lines at once, so that an interrupted run leaves all of a configuration or nothing. */
  static void append(Path file, List<GearRow> rows) throws IOException {
    String header = Files.exists(file) ? "" : String.join(",", COLUMNS) + "\n";
    String lines =
        rows.stream()
            .map(row -> COLUMNS.stream().map(row::text).collect(Collectors.joining(",")) + "\n")
            .collect(Collectors.joining());
    Files.writeString(file, header + lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
