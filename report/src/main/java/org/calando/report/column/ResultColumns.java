package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All columns of results.csv: the one source of its header, of a run's row, of the parts of its
 * summary.json, and of the page that explains them. Immutable and thread safe.
 */
public final class ResultColumns {
  /** In the order of the parts of summary.json. */
  static final List<Contributor<?>> CONTRIBUTORS =
      List.of(
          RunColumns.RUN,
          StaleColumns.STALE,
          GearColumns.GEARS,
          LoadColumns.LOAD,
          EnergyColumns.ENERGY,
          EnergyColumns.METERS,
          LevelColumns.LEVELS,
          ClockColumns.CLOCKS,
          FileColumns.FILES,
          BufferColumns.BUFFERS,
          PromiseColumns.PROMISES,
          SimColumns.SIMULATOR);

  private static final String ORDER =
      """
      run engine workload threads rate consistency read_level write_level layout gear clock
      write_buffer repeat operations errors duration_s throughput_ops_s read_p50_us read_p99_us
      write_p50_us write_p99_us reads stale_reads stale_rate stale_p99_ms freshness_p99_ms
      at_risk energy_j energy_net_j joules_per_kop power_mean_w power_cv power_max_min cpu_cv
      cpu_max_min meter provenance status cpu_s stale_max_versions stale_coverage ryw_violations
      monotonic_violations dual_reads dual_stale_reads intended_rate message nodes power_scope
      energy_kwh cost co2e_g sampling_cpu_s sampling_j client_cpu_s dual_stale_rate policy
      tolerated mean_replicas one_share decisions monitor_requests monitor_cpu_s harmony_one
      exact_one pbs_one harmony_rate exact_rate pbs_rate canary_reads canary_stale
      clock_energy_i0_j clock_energy_i1_j clock_saving_i0 clock_saving_i1 master_cpu_us_op
      replica_cpu_us_op lag_p50_bytes lag_max_bytes lag_max_ms manager_cpu_s manager_j
      clock_changes gear_shifts shift_energy_j moved_bytes shift_s read_bytes written_bytes
      joules_per_mb freshness_p50_ms freshness_max_ms flushes at_risk_max lost_writes
      ops_per_joule promised_ms fresh_share sla_per_budget warm_up_s read_mean_us write_mean_us
      lost_hints started resumes fallback_share
      """;

  private static final String INTRODUCTION =
      """
      # results.csv

      Generated from the list that the file is written by; do not edit.

      A row a run, in the order of the study's plan. CSV by RFC 4180 with a header; columns may be added at the end, none is renamed. A column
      is empty where it does not apply or nothing is known: empty is never 0. Figures are of the measured window; what began in the warm-up is in none. Shares are
      0 to 1. Percentiles are of the run's whole histogram, never averaged. Joules are all nodes', of the `meter`, `provenance` and `power_scope` beside them.
      `runs/ID/summary.json` has the same row and more.

      | column | unit | meaning |
      |---|---|---|
      """;

  private static final Map<String, Column> BY_NAME =
      CONTRIBUTORS.stream()
          .flatMap(each -> each.columns().stream())
          .collect(Collectors.toMap(Column::name, Function.identity()));

  /** In their order; new ones are added at the end. */
  public static final List<Column> ALL =
      ORDER.lines().flatMap(line -> List.of(line.split(" ")).stream()).map(BY_NAME::get).toList();

  private ResultColumns() {}

  /** A run's values by the columns' names, in the columns' order. */
  public static Map<String, String> row(RunRecord run) {
    Map<String, String> row = new LinkedHashMap<>();
    ALL.forEach(column -> row.put(column.name(), column.value().apply(run)));
    return row;
  }

  /** Adds the parts of a run's summary.json that go with its figures. */
  public static void addParts(RunRecord run, ObjectNode summary) {
    CONTRIBUTORS.forEach(each -> each.write(run, summary));
  }

  /** The page {@code results-csv.md} of the reference. */
  public static String page() {
    return ALL.stream()
        .map(each -> "| `%s` | %s | %s |\n".formatted(each.name(), each.unit(), each.doc()))
        .collect(Collectors.joining("", INTRODUCTION, ""));
  }
}
