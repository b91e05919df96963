package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.load.LoadDays;
import org.calando.sim.gear.GearWeeks;

/**
 * What one policy came to in one week.
 *
 * @param weeks the name of the weeks that it was one of
 * @param policy its name
 * @param saving share of the energy of the same week with all nodes on
 * @param violationSeconds with a load above what the nodes served that were on
 * @param movedGigabytes of replicas, to their homes
 * @param changingJoules of nodes that boot or stop
 */
record DayTraceRow(
    String weeks,
    String policy,
    int week,
    double saving,
    double violationSeconds,
    int shifts,
    double movedGigabytes,
    double changingJoules) {
  static final String HEADER =
      "# 1\nweeks;policy;week;saving;violation_s;shifts;moved_gb;changing_j";

  /** The name of weeks that differ in no figure. */
  static String name(
      LoadDays.Shape shape,
      String gears,
      double offShare,
      double bootSeconds,
      double bootShare,
      long seed,
      int weeks) {
    return "%s/%s/%s/%s/%s/%d/%d"
        .formatted(shape, gears, offShare, bootSeconds, bootShare, seed, weeks);
  }

  static DayTraceRow of(String name, GearWeeks.Week week) {
    return new DayTraceRow(
        name,
        week.contender().label(),
        week.week(),
        week.saving(),
        week.account().violationSeconds(),
        week.account().shifts(),
        week.account().movedBytes() / 1e9,
        week.account().states().bootJoules() + week.account().states().stopJoules());
  }

  String text() {
    return String.join(
        ";",
        weeks,
        policy,
        String.valueOf(week),
        String.valueOf(saving),
        String.valueOf(violationSeconds),
        String.valueOf(shifts),
        String.valueOf(movedGigabytes),
        String.valueOf(changingJoules));
  }

  /** The rows of a file; a line that was not written to its end is left out. */
  static List<DayTraceRow> read(Path file) throws IOException {
    List<DayTraceRow> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(";", -1);
      if (cells.length == 8 && !line.startsWith("weeks;")) {
        rows.add(
            new DayTraceRow(
                cells[0],
                cells[1],
                Integer.parseInt(cells[2]),
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Integer.parseInt(cells[5]),
                Double.parseDouble(cells[6]),
                Double.parseDouble(cells[7])));
      }
    }
    return rows;
  }
}
