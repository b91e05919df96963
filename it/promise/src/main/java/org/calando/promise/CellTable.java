package org.calando.promise;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of cells, for readers. */
final class CellTable {
  static final List<String> HEADER =
      List.of(
          "cell",
          "verdict",
          "promised %",
          "stale %",
          "reads (failed)",
          "replicas (least that would do)",
          "ONE stale %",
          "QUORUM stale %",
          "first 30 s: stale %",
          "replicas",
          "failed",
          "machine busy %");

  private CellTable() {}

  static List<String> row(Map<String, String> row) {
    String touched = row.getOrDefault("touched", "0");
    return List.of(
        row.getOrDefault("cell", ""),
        row.getOrDefault("verdict", "")
            + (touched.equals("0") ? "" : "; " + touched + " reads touched"),
        percent(row, "promised"),
        percent(row, "stale_rate")
            + " ["
            + percent(row, "stale_low")
            + ", "
            + percent(row, "stale_high")
            + "]",
        row.getOrDefault("reads", "") + " (" + row.getOrDefault("errors", "") + ")",
        number(row, "replicas") + " (" + number(row, "least") + ")",
        percent(row, "one_stale"),
        percent(row, "quorum_stale"),
        percent(row, "start_stale_rate"),
        number(row, "start_replicas"),
        row.getOrDefault("start_errors", ""),
        percent(row, "busy"));
  }

  private static String percent(Map<String, String> row, String column) {
    return String.format(Locale.ROOT, "%.2f", 100 * value(row, column));
  }

  private static String number(Map<String, String> row, String column) {
    return String.format(Locale.ROOT, "%.2f", value(row, column));
  }

  private static double value(Map<String, String> row, String column) {
    return Double.parseDouble(row.getOrDefault(column, "NaN"));
  }
}
