package org.calando.bench.joint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.observe.Promised;
import org.calando.sim.joint.DayCell;
import org.calando.sim.joint.JointOutcome;

/**
 * What a day came to.
 *
 * @param cell its name
 * @param seed of the day
 * @param name who decided
 * @param plan which of its plans, from the one of the fewest joules by the closed form on; 0 where
 *     there are no others
 * @param joules of the day
 * @param stale share of the reads
 * @param slow share of the reads that were slower than promised of 99 %, or failed
 * @param hoursBroken share of the hours in which a part was broken
 * @param secondsBroken the same of the seconds
 * @param safety what else is told
 */
record DayRow(
    String cell,
    long seed,
    String name,
    int plan,
    double joules,
    double stale,
    double slow,
    double hoursBroken,
    double secondsBroken,
    Safety safety) {
  static final String HEADER =
      "cell;seed;name;plan;joules;stale;slow;hours_broken;seconds_broken;shifts;unsafe;kept";

  private static final int HOUR_SECONDS = 60;

  /** A promise is kept if it is over the day, and in all of the 24 hours but one at most. */
  private static final double BUDGET = 1.0 / 24 + 1e-9;

  private static final double SLOWEST = 0.01;

  /**
   * What else is told.
   *
   * @param shifts of gears
   * @param unsafe settings that were decided, in words; empty if none was
   * @param kept whether the day kept its promise
   */
  record Safety(int shifts, String unsafe, boolean kept) {}

  static DayRow of(DayCell cell, String name, int plan, JointOutcome outcome) {
    double stale = outcome.share(Promised.STALE, HOUR_SECONDS).share();
    double slow = outcome.share(Promised.READ_P99, HOUR_SECONDS).share();
    double hours = outcome.brokenShare(HOUR_SECONDS);
    boolean kept = stale <= cell.stale() && slow <= SLOWEST && hours <= BUDGET;
    return new DayRow(
        cell.name(),
        cell.seed(),
        name,
        plan,
        outcome.joules(),
        stale,
        slow,
        hours,
        outcome.brokenShare(1),
        new Safety(outcome.shifts(), String.join(" | ", outcome.unsafe()), kept));
  }

  boolean kept() {
    return safety.kept();
  }

  boolean is(DayCell of, String ofName, int ofPlan) {
    return cell.equals(of.name()) && seed == of.seed() && name.equals(ofName) && plan == ofPlan;
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%s;%d;%s;%d;%.1f;%.6f;%.6f;%.4f;%.4f;%d;%s;%s",
        cell,
        seed,
        name,
        plan,
        joules,
        stale,
        slow,
        hoursBroken,
        secondsBroken,
        safety.shifts(),
        safety.unsafe().replace(';', ','),
        safety.kept());
  }

  static List<DayRow> read(Path file) throws IOException {
    List<DayRow> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(";", -1);
      if (cells.length == 12 && !line.equals(HEADER)) {
        rows.add(
            new DayRow(
                cells[0],
                Long.parseLong(cells[1]),
                cells[2],
                Integer.parseInt(cells[3]),
                Double.parseDouble(cells[4]),
                Double.parseDouble(cells[5]),
                Double.parseDouble(cells[6]),
                Double.parseDouble(cells[7]),
                Double.parseDouble(cells[8]),
                new Safety(
                    Integer.parseInt(cells[9]), cells[10], Boolean.parseBoolean(cells[11]))));
      }
    }
    return rows;
  }
}
