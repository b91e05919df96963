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
      List.of(
          "run",
          "engine",
          "workload",
          "threads",
          "rate",
          "consistency",
          "read_level",
          "write_level",
          "layout",
          "gear",
          "clock",
          "write_buffer",
          "repeat",
          "operations",
          "errors",
          "duration_s",
          "throughput_ops_s",
          "read_p50_us",
          "read_p99_us",
          "write_p50_us",
          "write_p99_us",
          "reads",
          "stale_reads",
          "stale_rate",
          "stale_p99_ms",
          "freshness_p99_ms",
          "at_risk",
          "energy_j",
          "energy_net_j",
          "joules_per_kop",
          "power_mean_w",
          "power_cv",
          "power_max_min",
          "cpu_cv",
          "cpu_max_min",
          "meter",
          "provenance",
          "status",
          "cpu_s",
          "stale_max_versions",
          "stale_coverage",
          "ryw_violations",
          "monotonic_violations",
          "dual_reads",
          "dual_stale_reads",
          "intended_rate",
          "message",
          "nodes",
          "power_scope",
          "energy_kwh",
          "cost",
          "co2e_g",
          "sampling_cpu_s",
          "sampling_j",
          "client_cpu_s",
          "dual_stale_rate",
          "policy",
          "tolerated",
          "mean_replicas",
          "one_share",
          "decisions",
          "monitor_requests",
          "monitor_cpu_s",
          "harmony_one",
          "exact_one",
          "pbs_one",
          "harmony_rate",
          "exact_rate",
          "pbs_rate",
          "canary_reads",
          "canary_stale",
          "clock_energy_i0_j",
          "clock_energy_i1_j",
          "clock_saving_i0",
          "clock_saving_i1",
          "master_cpu_us_op",
          "replica_cpu_us_op",
          "lag_p50_bytes",
          "lag_max_bytes",
          "lag_max_ms",
          "manager_cpu_s",
          "manager_j",
          "clock_changes",
          "gear_shifts",
          "shift_energy_j",
          "moved_bytes",
          "shift_s",
          "read_bytes",
          "written_bytes",
          "joules_per_mb",
          "freshness_p50_ms",
          "freshness_max_ms",
          "flushes",
          "at_risk_max",
          "lost_writes",
          "ops_per_joule",
          "promised_ms",
          "fresh_share",
          "sla_per_budget",
          "warm_up_s");

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
