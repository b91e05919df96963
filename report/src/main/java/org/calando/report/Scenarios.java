package org.calando.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/**
 * The runs that succeeded, on the axes of Li 2013: access pattern, load, consistency level and
 * token layout. Knobs that the thesis does not have are held at one value. Immutable.
 *
 * @param workloads from the most updates to the most reads, as the thesis's tables have them
 * @param loads from light to heavy, all of one kind of loop; they name no engine and no workload
 * @param levels from weak to strong
 * @param layouts token layouts; the first is the one that the other figures are held at
 * @param held what was left out, in words, or empty
 */
public record Scenarios(
    List<String> workloads,
    List<Load> loads,
    List<String> levels,
    List<String> layouts,
    String held,
    List<RunRow> rows) {
  /** Stands for a layout that no run states. */
  static final String OWN_LAYOUT = "the cluster\u2019s own";

  /** What an even ring may be called. */
  static final Set<String> EVEN = Set.of("even", "none", "");

  /** A point of the axes. */
  public record Point(String workload, Load load, String level, String layout) {}

  /** The scenarios of a study, in the first of the kinds of loop that it has runs of. */
  public static Scenarios of(Results results, Load.Kind... kinds) {
    List<RunRow> rows = results.rows().stream().filter(r -> !r.failed()).toList();
    List<String> held = new ArrayList<>();
    for (Load.Kind kind : kinds) {
      List<RunRow> ofKind = rows.stream().filter(r -> load(r).kind() == kind).toList();
      if (!ofKind.isEmpty()) {
        if (ofKind.size() < rows.size()) {
          held.add(kind.words() + " only");
        }
        rows = ofKind;
        break;
      }
    }
    for (Column knob :
        List.of(RunColumns.ENGINE, RunColumns.GEAR, RunColumns.CLOCK, RunColumns.WRITE_BUFFER)) {
      rows = atFirst(rows, knob, held);
    }
    return new Scenarios(
        byReadShare(rows),
        distinct(rows, Scenarios::load, Comparator.comparingDouble(Load::amount)),
        distinct(rows, Results::levels, Comparator.comparingInt(Results::strength)),
        distinct(
            rows, Scenarios::layout, Comparator.comparing(l -> !EVEN.contains(l) && !isOwn(l))),
        String.join("; ", held),
        rows);
  }

  /** The level of the thesis's closer look: QUORUM, or the middle one if the study has none. */
  public String zoomLevel() {
    for (String level : List.of("QUORUM", "LOCAL_QUORUM")) {
      if (levels.contains(level)) {
        return level;
      }
    }
    return levels.get(levels.size() / 2);
  }

  /** The workload of the thesis's closer look: the middle one. */
  public String middleWorkload() {
    return workloads.get(workloads.size() / 2);
  }

  /** The runs at a point. */
  public List<RunRow> at(Point point) {
    return rows.stream()
        .filter(r -> r.text(RunColumns.WORKLOAD).equals(point.workload()))
        .filter(r -> load(r).equals(point.load()))
        .filter(r -> Results.levels(r).equals(point.level()))
        .filter(r -> layout(r).equals(point.layout()))
        .toList();
  }

  /** The runs at a point of the first layout. */
  public List<RunRow> at(String workload, Load load, String level) {
    return at(new Point(workload, load, level, layouts.get(0)));
  }

  /** A figure of runs by the repeat they belong to; figures that are missing are left out. */
  public static Map<String, Double> byRepeat(List<RunRow> runs, ToDoubleFunction<RunRow> figure) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (RunRow run : runs) {
      double value = figure.applyAsDouble(run);
      if (Double.isFinite(value)) {
        values.putIfAbsent(run.text(RunColumns.REPEAT), value);
      }
    }
    return values;
  }

  /** A figure of runs, NaN where it is missing. */
  public static double[] values(List<RunRow> runs, ToDoubleFunction<RunRow> figure) {
    return runs.stream().mapToDouble(figure).toArray();
  }

  /** Whether a run has the figure. */
  public boolean has(ToDoubleFunction<RunRow> figure) {
    return rows.stream().mapToDouble(figure).anyMatch(Double::isFinite);
  }

  /** Such as {@code 20 threads}, or an open loop's rate. */
  public static String name(Load load) {
    return switch (load.kind()) {
      case CLOSED -> Figures.plain(load.amount()) + (load.amount() == 1 ? " thread" : " threads");
      case OPEN -> load.arrivals().isEmpty() ? load.shortLabel() : load.arrivals();
      case UNKNOWN -> load.kind().words();
    };
  }

  /** A workload's name, or what stands for it if the study does not name it. */
  public static String name(String workload) {
    return workload.isEmpty() ? "workload not stated" : workload;
  }

  private static Load load(RunRow row) {
    Load load = Load.of(row, false);
    return new Load("", "", load.kind(), load.amount(), load.arrivals(), false);
  }

  private static String layout(RunRow row) {
    return row.text(RunColumns.LAYOUT).isEmpty() ? OWN_LAYOUT : row.text(RunColumns.LAYOUT);
  }

  private static boolean isOwn(String layout) {
    return layout.equals(OWN_LAYOUT);
  }

  private static List<RunRow> atFirst(List<RunRow> rows, Column knob, List<String> held) {
    List<String> values = rows.stream().map(r -> r.text(knob)).distinct().sorted().toList();
    if (values.size() < 2) {
      return rows;
    }
    String first = values.get(0);
    held.add(
        knob.name().replace('_', ' ') + " " + (first.isEmpty() ? "as it was" : first) + " only");
    return rows.stream().filter(r -> r.text(knob).equals(first)).toList();
  }

  private static List<String> byReadShare(List<RunRow> rows) {
    return distinct(
        rows,
        r -> r.text(RunColumns.WORKLOAD),
        Comparator.<String>comparingDouble(w -> Results.readShare(rows, w)).thenComparing(w -> w));
  }

  private static <T> List<T> distinct(
      List<RunRow> rows, Function<RunRow, T> key, Comparator<T> order) {
    return rows.stream().map(key).distinct().sorted(order).toList();
  }
}
