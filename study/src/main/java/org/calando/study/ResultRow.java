package org.calando.study;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One row of results.csv: a value for each of the contract's columns, empty where a column does not
 * apply. Not thread safe.
 */
final class ResultRow {
  /** The columns in their order; new ones are added at the end, none is renamed. */
  static final List<String> COLUMNS =
      ResultColumns.ALL.stream().map(ResultColumns.Column::name).toList();

  private final Map<String, String> values = new LinkedHashMap<>();

  ResultRow() {
    COLUMNS.forEach(column -> values.put(column, ""));
  }

  ResultRow set(String column, String value) {
    if (values.replace(column, value) == null) {
      throw new IllegalArgumentException("no such column: " + column);
    }
    return this;
  }

  ResultRow set(String column, long value) {
    return set(column, Long.toString(value));
  }

  /**
   * Sets a figure with six significant digits; a NaN leaves the column empty, for a figure that
   * does not exist must not look like a zero.
   */
  ResultRow set(String column, double value) {
    return set(column, Double.isFinite(value) ? number(value) : "");
  }

  String get(String column) {
    String value = values.get(column);
    if (value == null) {
      throw new IllegalArgumentException("no such column: " + column);
    }
    return value;
  }

  /** Whether the run's figures count; a run that failed is repeated by {@code --resume}. */
  boolean isOk() {
    return get("status").equals("ok");
  }

  /** All values by column, in the contract's order. */
  Map<String, String> values() {
    return Collections.unmodifiableMap(values);
  }

  /** A row from its stored values; columns that this version does not know are dropped. */
  static ResultRow of(Map<String, String> stored) {
    ResultRow row = new ResultRow();
    stored.forEach(
        (column, value) -> {
          if (row.values.containsKey(column)) {
            row.values.put(column, value);
          }
        });
    return row;
  }

  /** The header and the rows as RFC 4180 CSV. */
  static String csv(List<ResultRow> rows) {
    StringBuilder csv = new StringBuilder(String.join(",", COLUMNS)).append('\n');
    for (ResultRow row : rows) {
      csv.append(String.join(",", row.values.values().stream().map(ResultRow::quote).toList()))
          .append('\n');
    }
    return csv.toString();
  }

  static String quote(String value) {
    if (value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')) {
      return value;
    }
    return '"' + value.replace("\"", "\"\"") + '"';
  }

  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return new BigDecimal(String.format(Locale.ROOT, "%.6g", value))
        .stripTrailingZeros()
        .toPlainString();
  }
}
