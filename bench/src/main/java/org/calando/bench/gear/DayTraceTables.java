package org.calando.bench.gear;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.calando.bench.MarkdownTable;
import org.calando.report.Statistics;
import org.calando.sim.gear.GearContender;

/*
 * A saving is of one week against the same week with all nodes on, so each is a pair; the mean over
 * weeks has Student's 95 % interval. Weeks of one seed share what a policy has learnt, and nothing of
 * the load: noise, busy days and spikes are drawn anew.
 */
/** Tables of what gears saved. */
final class DayTraceTables {
  private final List<DayTraceRow> rows;

  DayTraceTables(List<DayTraceRow> rows) {
    this.rows = rows;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (String shape : groups(List.of(0)).keySet()) {
      text.append('\n').append(shape).append(" days, saved against all nodes on\n\n");
      text.append(savings(shape));
    }
    return text.append('\n').append(sides()).toString();
  }

  private MarkdownTable savings(String shape) {
    MarkdownTable table = new MarkdownTable(header("off, of idle", "boot", "boot power, of idle"));
    for (Map.Entry<String, List<DayTraceRow>> group : groups(List.of(0, 2, 3, 4)).entrySet()) {
      String[] keys = group.getKey().split("/", -1);
      if (keys[0].equals(shape)) {
        List<String> cells =
            new ArrayList<>(
                List.of(
                    percent(Double.parseDouble(keys[1])), whole(keys[2]) + " s", keys[3] + "x"));
        for (GearContender contender : GearContender.values()) {
          cells.add(percent(group.getValue(), contender));
        }
        table.add(cells.toArray(String[]::new));
      }
    }
    return table;
  }

  /** What else there is to say, over all off powers and boot powers. */
  private MarkdownTable sides() {
    MarkdownTable table = new MarkdownTable(header("days", "boot", "a week"));
    for (Map.Entry<String, List<DayTraceRow>> group : groups(List.of(0, 3)).entrySet()) {
      String[] keys = group.getKey().split("/", -1);
      String boot = whole(keys[1]) + " s";
      add(table, keys[0], boot, "seconds overloaded", group, DayTraceRow::violationSeconds);
      add(table, keys[0], boot, "shifts", group, DayTraceRow::shifts);
      add(table, keys[0], boot, "moved, GB", group, DayTraceRow::movedGigabytes);
      add(table, keys[0], boot, "boots and stops, kJ", group, row -> row.changingJoules() / 1000);
    }
    return table;
  }

  private static void add(
      MarkdownTable table,
      String days,
      String boot,
      String what,
      Map.Entry<String, List<DayTraceRow>> group,
      ToDoubleFunction<DayTraceRow> figure) {
    List<String> cells = new ArrayList<>(List.of(days, boot, what));
    for (GearContender contender : GearContender.values()) {
      Statistics.Estimate estimate = estimate(group.getValue(), contender, figure);
      cells.add(String.format(Locale.ROOT, "%.0f", estimate.mean()));
    }
    table.add(cells.toArray(String[]::new));
  }

  private static String[] header(String... first) {
    List<String> cells = new ArrayList<>(List.of(first));
    for (GearContender contender : GearContender.values()) {
      cells.add(contender.label());
    }
    return cells.toArray(String[]::new);
  }

  /** Rows by some parts of the name of their weeks, in order of these. */
  private Map<String, List<DayTraceRow>> groups(List<Integer> parts) {
    Map<String, List<DayTraceRow>> groups = new TreeMap<>(DayTraceTables::compare);
    for (DayTraceRow row : rows) {
      String[] name = row.weeks().split("/", -1);
      String key = String.join("/", parts.stream().map(part -> name[part]).toList());
      groups.computeIfAbsent(key, any -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  /** Numbers by their size. */
  private static int compare(String one, String other) {
    String[] a = one.split("/", -1);
    String[] b = other.split("/", -1);
    int order = a[0].compareTo(b[0]);
    for (int i = 1; i < a.length && order == 0; i++) {
      order = Double.compare(Double.parseDouble(a[i]), Double.parseDouble(b[i]));
    }
    return order;
  }

  private static Statistics.Estimate estimate(
      List<DayTraceRow> group, GearContender contender, ToDoubleFunction<DayTraceRow> figure) {
    Predicate<DayTraceRow> own = row -> row.policy().equals(contender.label());
    return Statistics.estimate(group.stream().filter(own).mapToDouble(figure).toArray());
  }

  private static String percent(List<DayTraceRow> group, GearContender contender) {
    Statistics.Estimate estimate = estimate(group, contender, row -> 100 * row.saving());
    return String.format(
        Locale.ROOT, "%.1f %% [%.1f, %.1f]", estimate.mean(), estimate.low(), estimate.high());
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private static String whole(String number) {
    return String.valueOf(Math.round(Double.parseDouble(number)));
  }
}
