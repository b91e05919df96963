package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Those that are always there, in their order. Others rely on them: none is renamed. */
  public static final List<Column> CONTRACT =
      List.of(
          RunColumns.ID,
          RunColumns.ENGINE,
          RunColumns.WORKLOAD,
          RunColumns.THREADS,
          RunColumns.RATE,
          RunColumns.CONSISTENCY,
          RunColumns.READ_LEVEL,
          RunColumns.WRITE_LEVEL,
          RunColumns.LAYOUT,
          RunColumns.GEAR,
          RunColumns.CLOCK,
          RunColumns.WRITE_BUFFER,
          RunColumns.REPEAT,
          LoadColumns.OPERATIONS,
          LoadColumns.ERRORS,
          LoadColumns.DURATION_S,
          LoadColumns.THROUGHPUT_OPS_S,
          LoadColumns.READ_P50_US,
          LoadColumns.READ_P99_US,
          LoadColumns.WRITE_P50_US,
          LoadColumns.WRITE_P99_US,
          StaleColumns.READS,
          StaleColumns.STALE_READS,
          StaleColumns.STALE_RATE,
          StaleColumns.STALE_P99_MS,
          BufferColumns.FRESHNESS_P99_MS,
          BufferColumns.AT_RISK,
          EnergyColumns.ENERGY_J,
          EnergyColumns.ENERGY_NET_J,
          EnergyColumns.JOULES_PER_KOP,
          EnergyColumns.POWER_MEAN_W,
          EnergyColumns.POWER_CV,
          EnergyColumns.POWER_MAX_MIN,
          EnergyColumns.CPU_CV,
          EnergyColumns.CPU_MAX_MIN,
          EnergyColumns.METER,
          EnergyColumns.PROVENANCE,
          RunColumns.STATUS);

  /** Those of the contract, and the further ones. */
  public static final List<Column> ALL =
      Stream.concat(CONTRACT.stream(), further().stream()).toList();

  private static final String INTRODUCTION =
      """
      # results.csv

      Generated from the list that the file is written by; do not edit.

      A row for each run, in the order of the study's plan. CSV by RFC 4180 with a header. The columns of the first table are always there, in this
      order; one of the second is there only where a run of the study fills it, so read them by name. None is renamed. A cell is empty where its
      column does not apply or nothing is known: empty is never 0, and a missing column is empty in every row. Figures are of the
      measured window; operations that began in the warm-up are in none. Shares are 0 to 1. Percentiles are of the run's whole histogram, never averaged.
      Joules are all nodes', of the `meter`, `provenance` and `power_scope` beside them. `runs/ID/summary.json` has the row of its run, with the
      columns that it fills, and more.

      ## Always there

      """;

  private static final String FURTHER =
      """

      ## Where a run fills them

      """;

  private ResultColumns() {}

  private static List<Column> further() {
    return CONTRIBUTORS.stream()
        .flatMap(each -> each.columns().stream())
        .filter(column -> !CONTRACT.contains(column))
        .toList();
  }

  /**
   * The same with columns of knobs that are found as services, after the others.
   *
   * @param ofKnobs columns whose names no other has
   */
  public static Map<String, String> row(RunRecord run, List<Column> ofKnobs) {
    Map<String, String> row = new LinkedHashMap<>();
    for (Column column : Stream.concat(ALL.stream(), ofKnobs.stream()).toList()) {
      String value = column.value().apply(run);
      if (!value.isEmpty() || CONTRACT.contains(column)) {
        row.put(column.name(), value);
      }
    }
    return row;
  }

  /**
   * The columns of a table of runs: the contract's, and others that at least one of them fills.
   * Names that are not listed here are those of knobs found as services, in runs that set such a
   * knob; elsewhere they are of another version.
   */
  public static List<Column> filled(Collection<Map<String, String>> rows) {
    List<Column> filled =
        new ArrayList<>(
            ALL.stream()
                .filter(
                    column ->
                        CONTRACT.contains(column)
                            || rows.stream()
                                .anyMatch(row -> !row.getOrDefault(column.name(), "").isEmpty()))
                .toList());
    Set<String> known = ALL.stream().map(Column::name).collect(Collectors.toSet());
    rows.stream()
        .filter(row -> row.keySet().stream().anyMatch(name -> name.startsWith(Column.KNOB)))
        .flatMap(row -> row.keySet().stream())
        .filter(known::add)
        .forEach(name -> filled.add(new Column(name, "", "", run -> run.text(name))));
    return filled;
  }

  /** Adds the parts of a run's summary.json that go with its figures. */
  public static void addParts(RunRecord run, ObjectNode summary) {
    CONTRIBUTORS.forEach(each -> each.write(run, summary));
  }

  /** The page {@code results-csv.md} of the reference. */
  public static String page() {
    return INTRODUCTION + table(CONTRACT) + FURTHER + table(further());
  }

  private static String table(List<Column> columns) {
    return columns.stream()
        .map(each -> "| `%s` | %s | %s |\n".formatted(each.name(), each.unit(), each.doc()))
        .collect(Collectors.joining("", "| column | unit | meaning |\n|---|---|---|\n", ""));
  }
}
