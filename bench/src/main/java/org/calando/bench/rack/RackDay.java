package org.calando.bench.rack;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.bench.MarkdownTable;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.GearColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.PromiseColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;

/**
 * Sets a study of gears on a real cluster beside the same on the simulator: {@code RackDay REAL
 * SIMULATED} prints means over repeats of each gear, and errors of the simulated ones.
 */
public final class RackDay {
  /** What is said of each gear; savings follow from energy. */
  private static final Map<Column, String> COLUMNS = columns();

  private final Map<String, List<RunRow>> real;
  private final Map<String, List<RunRow>> simulated;

  private RackDay(Path real, Path simulated) {
    this.real = rows(real);
    this.simulated = rows(simulated);
  }

  private static Map<Column, String> columns() {
    Map<Column, String> columns = new LinkedHashMap<>();
    columns.put(EnergyColumns.CPU_S, "CPU, s");
    columns.put(LoadColumns.READ_P99_US, "read p99, ms");
    columns.put(LoadColumns.WRITE_P99_US, "write p99, ms");
    columns.put(GearColumns.GEAR_SHIFTS, "shifts");
    columns.put(StaleColumns.STALE_RATE, "stale, %");
    columns.put(LoadColumns.ERRORS, "errors");
    columns.put(PromiseColumns.PROMISE_BROKEN_SHARE, "promise broken, % of seconds");
    return columns;
  }

  /** Prints the table. */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("RackDay REAL SIMULATED");
      System.exit(2);
    }
    System.out.print(new RackDay(Path.of(arguments[0]), Path.of(arguments[1])).table());
  }

  /** By gear, and by levels where there are several, in the order of the study. */
  private static Map<String, List<RunRow>> rows(Path folder) {
    List<RunRow> rows = RunRows.read(folder).stream().filter(row -> !row.failed()).toList();
    boolean same =
        rows.stream().map(row -> row.text(RunColumns.CONSISTENCY)).distinct().count() < 2;
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row ->
                    row.text(RunColumns.GEAR)
                        + (same ? "" : ", " + row.text(RunColumns.CONSISTENCY)),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private String table() {
    MarkdownTable table = new MarkdownTable("gear", "figure", "measured", "simulated", "error");
    String allOn =
        real.keySet().stream()
            .filter(gear -> gear.matches("\\d+(, QUORUM)?"))
            .reduce("", (a, b) -> b);
    for (String gear : real.keySet()) {
      if (!gear.equals(allOn)) {
        add(
            table,
            gear,
            "saving, %",
            saving(real, allOn, gear),
            saving(simulated, allOn, gear),
            "");
      }
      COLUMNS.forEach(
          (column, title) -> {
            String name = column.name();
            double scale = name.endsWith("_us") ? 1e-3 : name.matches(".*_(rate|share)") ? 100 : 1;
            double measured = scale * mean(real, gear, column);
            double foretold = scale * mean(simulated, gear, column);
            String error =
                measured == 0
                    ? ""
                    : String.format(Locale.ROOT, "%+.0f %%", 100 * (foretold / measured - 1));
            add(table, gear, title, measured, foretold, error);
          });
    }
    return table.toString();
  }

  private static void add(
      MarkdownTable table,
      String gear,
      String title,
      double measured,
      double simulated,
      String error) {
    boolean known = !Double.isNaN(measured) && !Double.isNaN(simulated);
    String points = String.format(Locale.ROOT, "%+.1f points", simulated - measured);
    table.add(
        gear,
        title,
        text(measured),
        text(simulated),
        !known ? "" : error.isEmpty() ? points : error);
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }

  /** Share of the energy with all nodes on that a gear saves. */
  private static double saving(Map<String, List<RunRow>> rows, String allOn, String gear) {
    return 100
        * (1
            - mean(rows, gear, EnergyColumns.ENERGY_J) / mean(rows, allOn, EnergyColumns.ENERGY_J));
  }

  private static double mean(Map<String, List<RunRow>> rows, String gear, Column column) {
    return rows.getOrDefault(gear, List.of()).stream()
        .mapToDouble(row -> row.number(column))
        .average()
        .orElse(Double.NaN);
  }
}
