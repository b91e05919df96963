package org.calando.bench.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.calando.bench.MarkdownTable;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.sim.joint.DayCell;

/** What days of a cell came to, by who decided, with intervals over the days. Stateless. */
final class DayTable {
  static final List<String> NAMES =
      List.of("quorum", "levels", "gears", "clocks", "beside", "static", "joint", "hindsight");

  private DayTable() {}

  static String of(DayCell cell, List<DayRow> all) {
    MarkdownTable table =
        new MarkdownTable(
            "by",
            "kJ",
            "saved",
            "of hindsight's",
            "stale",
            "slow or failed",
            "hours broken",
            "seconds broken",
            "days kept",
            "shifts");
    SortedMap<Long, DayRow> quorum = best(cell, "quorum", all);
    SortedMap<Long, DayRow> hindsight = best(cell, "hindsight", all);
    for (String name : NAMES) {
      SortedMap<Long, DayRow> days = best(cell, name, all);
      if (days.isEmpty()) {
        continue;
      }
      List<Double> saved = new ArrayList<>();
      List<Double> ofHindsight = new ArrayList<>();
      for (DayRow day : days.values()) {
        DayRow on = quorum.get(day.seed());
        DayRow known = hindsight.get(day.seed());
        if (on != null) {
          saved.add(100 * (1 - day.joules() / on.joules()));
          if (known != null) {
            ofHindsight.add(100 * (on.joules() - day.joules()) / (on.joules() - known.joules()));
          }
        }
      }
      List<DayRow> rows = List.copyOf(days.values());
      table.add(
          name,
          mean("%.0f", rows.stream().map(row -> row.joules() / 1000).toList()),
          mean("%.1f", saved) + " %",
          mean("%.1f", ofHindsight) + " %",
          mean("%.3f", rows.stream().map(row -> 100 * row.stale()).toList()) + " %",
          mean("%.2f", rows.stream().map(row -> 100 * row.slow()).toList()) + " %",
          mean("%.1f", rows.stream().map(row -> 100 * row.hoursBroken()).toList()) + " %",
          mean("%.1f", rows.stream().map(row -> 100 * row.secondsBroken()).toList()) + " %",
          "%d of %d".formatted(rows.stream().filter(DayRow::kept).count(), rows.size()),
          mean("%.0f", rows.stream().map(row -> (double) row.safety().shifts()).toList()));
    }
    return "%s%n%n%s".formatted(cell.words(), table);
  }

  /** By seed: of several plans the first that kept the promise, the last if none did. */
  private static SortedMap<Long, DayRow> best(DayCell cell, String name, List<DayRow> all) {
    SortedMap<Long, DayRow> best = new TreeMap<>();
    for (DayRow row : all) {
      if (row.cell().equals(cell.name()) && row.name().equals(name)) {
        best.merge(row.seed(), row, DayTable::better);
      }
    }
    return best;
  }

  private static DayRow better(DayRow one, DayRow other) {
    if (one.kept() != other.kept()) {
      return one.kept() ? one : other;
    }
    return one.kept() == one.joules() < other.joules() ? one : other;
  }

  private static String mean(String format, List<Double> values) {
    if (values.isEmpty()) {
      return "-";
    }
    Estimate found =
        Statistics.estimate(values.stream().mapToDouble(Double::doubleValue).toArray());
    String mean = String.format(Locale.ROOT, format, found.mean());
    return found.hasInterval()
        ? mean + " ± " + String.format(Locale.ROOT, format, found.halfWidth())
        : mean;
  }
}
