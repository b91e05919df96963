package org.calando.bench.joint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.sim.joint.DayCell;
import org.calando.sim.joint.JointRun;
import org.calando.sim.joint.Rival;

/**
 * Runs days of 10 to 90 % load on simulated clusters, by the joint controller, by policies of
 * single knobs, alone and beside each other, by the best settings that are held, and by the best of
 * hindsight. Appends what each came to to a file, prints a table, and goes on where an earlier run
 * stopped.
 *
 * <p>{@code JointDaysBench FILE NODES REPLICAS STALE SURVIVE IDLE REPEATS [NAMES]}: lists with
 * commas, of all of whose combinations days are run. With names, only those are run anew; the table
 * has all that the file has.
 */
public final class JointDaysBench {
  private final Path file;
  private final List<DayRow> rows;
  private final Map<String, Integer> hints = new HashMap<>();

  private JointDaysBench(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      Files.writeString(file, DayRow.HEADER + "\n");
    }
    this.rows = new ArrayList<>(DayRow.read(file));
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException {
    JointDaysBench bench = new JointDaysBench(Path.of(arguments[0]));
    int repeats = Integer.parseInt(arguments[6]);
    List<String> only = arguments.length > 7 ? List.of(arguments[7].split(",")) : DayTable.NAMES;
    List<DayCell> cells = new ArrayList<>();
    for (int nodes : ints(arguments[1])) {
      for (int replicas : ints(arguments[2])) {
        for (double stale : numbers(arguments[3])) {
          for (int survive : ints(arguments[4])) {
            for (double idle : numbers(arguments[5])) {
              // Each rack has as many nodes.
              int even = (nodes + replicas - 1) / replicas * replicas;
              cells.add(new DayCell(even, replicas, stale, survive, idle, 0));
            }
          }
        }
      }
    }
    for (DayCell cell : cells) {
      for (int seed = 1; seed <= repeats; seed++) {
        bench.run(cell.withSeed(seed), only);
      }
      System.out.println(DayTable.of(cell, bench.rows));
    }
  }

  private static int[] ints(String list) {
    return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static double[] numbers(String list) {
    return Arrays.stream(list.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  private void run(DayCell cell, List<String> only) throws IOException {
    if (only.contains("quorum")) {
      day(cell, cell.quorum(), 0);
    }
    if (only.contains("joint")) {
      day(cell, cell.joint(), 0);
    }
    if (only.contains("levels")) {
      day(cell, cell.levels(), 0);
    }
    if (only.contains("hindsight")) {
      cheapestKept(cell, cell.hindsight());
    }
    if (only.contains("static") && !cell.held().isEmpty()) {
      cheapestKept(cell, cell.held());
    }
    if (only.contains("gears") || only.contains("clocks") || only.contains("beside")) {
      Rival gears = cheapestKept(cell, cell.gears());
      Rival clocks = cheapestKept(cell, cell.clocks());
      day(cell, cell.beside(gears, clocks), 0);
    }
  }

  /**
   * The first plan that keeps the promise, of plans that are ever dearer: found by halving, as
   * those after it keep it, too. The last if none does.
   */
  private Rival cheapestKept(DayCell cell, List<Rival> plans) throws IOException {
    String key = cell.withSeed(0).name() + plans.get(0).name();
    int low = 0;
    int high = plans.size() - 1;
    int middle = Math.min(high, hints.getOrDefault(key, (low + high) / 2));
    boolean hinted = hints.containsKey(key);
    while (low < high) {
      middle = Math.min(middle, high - 1);
      if (day(cell, plans.get(middle), middle).kept()) {
        high = middle;
        middle = hinted ? Math.max(low, middle - 1) : (low + high) / 2;
      } else {
        low = middle + 1;
        middle = hinted ? Math.min(middle + 1, high - 1) : (low + high) / 2;
      }
    }
    day(cell, plans.get(high), high);
    hints.put(key, high);
    return plans.get(high);
  }

  private DayRow day(DayCell cell, Rival rival, int plan) throws IOException {
    for (DayRow row : rows) {
      if (row.is(cell, rival.name(), plan)) {
        return row;
      }
    }
    DayRow row = DayRow.of(cell, rival.name(), plan, JointRun.of(cell.world(), rival));
    rows.add(row);
    Files.write(
        file, (row.text() + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    System.err.println(row.text());
    return row;
  }
}
