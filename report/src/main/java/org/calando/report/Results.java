package org.calando.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;

/**
 * A study's runs, put together by load and by configuration. Immutable.
 *
 * @param rows every run, in the order of the file
 * @param groups the loads, closed loops first, each from light to heavy
 */
public record Results(List<RunRow> rows, List<LoadGroup> groups) {
  private static final List<String> WEAK_TO_STRONG =
      List.of("ONE", "LOCAL_ONE", "TWO", "THREE", "LOCAL_QUORUM", "QUORUM", "EACH_QUORUM", "ALL");

  /** Knobs beside levels, in the order in which labels have them. */
  private static final List<Column> KNOBS =
      List.of(RunColumns.CLOCK, RunColumns.GEAR, RunColumns.LAYOUT, RunColumns.WRITE_BUFFER);

  /** What a reader should know of net joules below 0. */
  public static final String WHY_NET_IS_NEGATIVE =
      "below 0 where switching off or slower clocks save more than the work takes";

  /** Policies and whatever is no level come after every pair of levels. */
  private static final int NO_LEVEL = 100;

  /**
   * Configurations that ran under one load and may be compared.
   *
   * @param configurations from the weakest level to the strongest, of one level first the even
   *     layout, then by the knobs' orders, then other settings as they come
   */
  public record LoadGroup(Load load, List<Configuration> configurations) {
    /** Those with a run that succeeded. */
    public List<Configuration> measured() {
      return configurations.stream().filter(c -> !c.ok().isEmpty()).toList();
    }

    /**
     * What a measured configuration is compared to: one of another token layout than the first
     * measured one to what is like it in that layout, if there is any; all others to the first.
     */
    Configuration reference(Configuration configuration) {
      Configuration first = measured().get(0);
      return measured().stream()
          .filter(c -> !configuration.layout().equals(first.layout()))
          .filter(c -> c.layout().equals(first.layout()))
          .filter(
              c ->
                  c.labelWithout(RunColumns.LAYOUT)
                      .equals(configuration.labelWithout(RunColumns.LAYOUT)))
          .findFirst()
          .orElse(first);
    }
  }

  /** Puts runs together. */
  public static Results of(List<RunRow> rows) {
    boolean named =
        rows.stream()
                .map(r -> r.text(RunColumns.ENGINE) + "\n" + r.text(RunColumns.WORKLOAD))
                .distinct()
                .count()
            > 1;
    boolean engines = rows.stream().map(r -> r.text(RunColumns.ENGINE)).distinct().count() > 1;
    Map<Load, Map<String, List<RunRow>>> byLoad = new LinkedHashMap<>();
    for (RunRow row : rows) {
      byLoad
          .computeIfAbsent(Load.of(row, named).withEngine(engines), load -> new LinkedHashMap<>())
          .computeIfAbsent(label(row), label -> new ArrayList<>())
          .add(row);
    }
    List<LoadGroup> groups = new ArrayList<>();
    Comparator<Configuration> order = order();
    byLoad.forEach((load, byLabel) -> groups.add(group(load, byLabel, order)));
    groups.sort(
        Comparator.<LoadGroup, Load.Kind>comparing(g -> g.load().kind())
            .thenComparing(g -> g.load().engine())
            .thenComparingDouble(g -> readShare(rows, g.load().workload()))
            .thenComparing(g -> g.load().workload())
            .thenComparingDouble(g -> g.load().amount()));
    return new Results(List.copyOf(rows), List.copyOf(groups));
  }

  /** All configurations, load by load. */
  public List<Configuration> configurations() {
    return groups.stream().flatMap(g -> g.configurations().stream()).toList();
  }

  /** Configurations with a run that succeeded. */
  public List<Configuration> measured() {
    return groups.stream().flatMap(g -> g.measured().stream()).toList();
  }

  /** Runs that failed. */
  public List<RunRow> failed() {
    return rows.stream().filter(RunRow::failed).toList();
  }

  /** The provenance word of every joule here, or an empty string if runs differ. */
  public String commonProvenance() {
    List<String> words =
        rows.stream().filter(r -> !r.failed()).map(RunRow::provenance).distinct().toList();
    return words.size() == 1 ? words.get(0) : "";
  }

  /** Whether some configuration drew less than its nodes when idle. */
  public boolean hasNegativeNet() {
    return measured().stream().anyMatch(c -> c.estimate(EnergyColumns.ENERGY_NET_J).mean() < 0);
  }

  /** The most repeats that any configuration has. */
  public int repeats() {
    return configurations().stream().mapToInt(c -> c.ok().size()).max().orElse(0);
  }

  /** Reads among a workload's operations, which orders workloads; NaN if no run tells. */
  public static double readShare(List<RunRow> rows, String workload) {
    return rows.stream()
        .filter(r -> r.text(RunColumns.WORKLOAD).equals(workload))
        .mapToDouble(r -> r.number(StaleColumns.READS) / r.number(LoadColumns.OPERATIONS))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  private static LoadGroup group(
      Load load, Map<String, List<RunRow>> byLabel, Comparator<Configuration> order) {
    List<Configuration> configurations = new ArrayList<>();
    byLabel.forEach(
        (label, rows) ->
            configurations.add(
                new Configuration(
                    label,
                    load,
                    rows.stream().filter(r -> !r.failed()).toList(),
                    rows.stream().filter(RunRow::failed).toList())));
    configurations.sort(order);
    return new LoadGroup(load, List.copyOf(configurations));
  }

  private static Comparator<Configuration> order() {
    Comparator<Configuration> order =
        Comparator.<Configuration>comparingInt(c -> strength(c.label()))
            .thenComparing(c -> !Scenarios.EVEN.contains(c.layout()));
    List<ValueOrder> knobs =
        ServiceLoader.load(ValueOrder.class).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparing(knob -> knob.column().name()))
            .toList();
    for (ValueOrder knob : knobs) {
      order = order.thenComparing(c -> c.value(knob.column()), knob);
    }
    return order;
  }

  private static String label(RunRow row) {
    List<String> parts = new ArrayList<>();
    parts.add(levels(row));
    for (Column knob : KNOBS) {
      if (!row.text(knob).isEmpty()) {
        parts.add(knobLabel(knob, row.text(knob)));
      }
    }
    row.cells()
        .forEach(
            (name, value) -> {
              if (name.startsWith(Column.KNOB) && !value.isEmpty()) {
                parts.add(name.substring(Column.KNOB.length()).replace('_', ' ') + " " + value);
              }
            });
    return String.join(", ", parts.stream().filter(p -> !p.isEmpty()).toList());
  }

  /** How a label tells a knob. */
  static String knobLabel(Column knob, String value) {
    return knob.name().replace('_', ' ') + " " + value;
  }

  /** A column's values of runs that succeeded, each once, joined by {@code +}. */
  public String joined(Column column) {
    return rows.stream()
        .filter(r -> !r.failed())
        .map(r -> r.text(column))
        .filter(t -> !t.isEmpty())
        .distinct()
        .sorted()
        .collect(Collectors.joining("+"));
  }

  /** The level or levels as a label. */
  public static String levels(RunRow row) {
    String read = row.text(RunColumns.READ_LEVEL);
    String write = row.text(RunColumns.WRITE_LEVEL);
    String levels = read.equals(write) ? read : read + "/" + write;
    return row.text(RunColumns.CONSISTENCY).isEmpty() ? levels : row.text(RunColumns.CONSISTENCY);
  }

  /** Orders labels from weak to strong. */
  static int strength(String label) {
    int comma = label.indexOf(',');
    String levels = comma < 0 ? label : label.substring(0, comma);
    int slash = levels.indexOf('/');
    return slash < 0
        ? 2 * rank(levels)
        : rank(levels.substring(0, slash)) + rank(levels.substring(slash + 1));
  }

  private static int rank(String level) {
    int rank = WEAK_TO_STRONG.indexOf(level);
    return rank < 0 ? NO_LEVEL : rank;
  }
}
