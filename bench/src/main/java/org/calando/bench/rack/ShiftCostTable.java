package org.calando.bench.rack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.calando.bench.MarkdownTable;
import org.calando.report.Csv;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.calando.report.column.EnergyColumns;

/*
 *   order down        off              order up    first CPU time      shift ended
 *   |---- stop ------>|                |------------ back ------------>|
 *
 * Others use the node before its clients do: what it took until the end is its start, hints, and work of a cold node.
 */
/** What it cost nodes to go off and to come back in a run of {@code bench/shift-costs}. */
public final class ShiftCostTable {
  private static final int SETTLED = 10;
  private static final int FIRST = 10;
  private static final int LONG_OFF = 20;

  private final double[] operations;
  private final Map<String, double[]> cpu = new TreeMap<>();
  private final double[] shifts;
  private final MarkdownTable table;

  private ShiftCostTable(Path run, MarkdownTable table) throws IOException {
    this.table = table;
    Map<Integer, Double> ended = new TreeMap<>();
    for (Map<String, String> row : rows(run.resolve("ops.csv"))) {
      ended.put(second(row), number(row, "operations"));
    }
    operations = new double[ended.size()];
    ended.forEach((second, count) -> operations[Math.min(second, ended.size() - 1)] = count);
    List<Map<String, String>> measured = rows(run.resolve("nodes.csv"));
    int first = measured.stream().mapToInt(ShiftCostTable::second).min().orElse(0);
    for (Map<String, String> row : measured) {
      double[] ofNode =
          cpu.computeIfAbsent(row.getOrDefault("node", ""), any -> new double[operations.length]);
      if (second(row) - first < ofNode.length) {
        ofNode[second(row) - first] = number(row, EnergyColumns.CPU_S.name());
      }
    }
    shifts = shifts(run.resolve("decisions.csv"));
  }

  /** Prints the tables of a study's runs. */
  public static void main(String[] arguments) throws IOException {
    MarkdownTable table =
        new MarkdownTable(
            "run",
            "node",
            "stop, s",
            "CPU, s",
            "back, s",
            "CPU, s",
            "CPU/op before, ms",
            "first 10 s, ms",
            "later, ms");
    Path folder = Path.of(arguments[0]);
    for (RunRow row : RunRows.read(folder)) {
      if (!row.failed()) {
        new ShiftCostTable(folder.resolve("runs").resolve(row.id()), table).add(row.id());
      }
    }
    System.out.print(table);
  }

  /** Rows of the measured window. */
  private static List<Map<String, String>> rows(Path file) throws IOException {
    return Csv.parse(Files.readString(file), file.toString()).stream()
        .filter(row -> row.getOrDefault("phase", "").equals("measured"))
        .toList();
  }

  private static int second(Map<String, String> row) {
    return (int) number(row, "second");
  }

  private static double number(Map<String, String> row, String column) {
    String text = row.getOrDefault(column, "");
    return text.isEmpty() ? 0 : Double.parseDouble(text);
  }

  /** Seconds of begin and end of the shift down, then of that up. */
  private static double[] shifts(Path decisions) throws IOException {
    List<Double> turns = new ArrayList<>();
    boolean shifting = false;
    for (Map<String, String> row : rows(decisions)) {
      boolean now = row.getOrDefault("in_force", "").startsWith("shifting");
      if (now != shifting) {
        turns.add(number(row, "second"));
        shifting = now;
      }
    }
    if (turns.size() != 4) {
      throw new IOException(decisions + " has " + turns + " in place of two shifts");
    }
    return turns.stream().mapToDouble(each -> each).toArray();
  }

  private void add(String run) {
    int down = (int) shifts[0];
    int up = (int) shifts[2];
    int served = (int) Math.ceil(shifts[3]);
    int later = Math.min(served + FIRST, operations.length);
    cpu.forEach(
        (node, seconds) -> {
          int off = down;
          while (off < up && seconds[off] > 0) {
            off++;
          }
          if (up - off >= LONG_OFF) {
            table.add(
                run,
                node,
                text(off - shifts[0]),
                text(sum(seconds, down, off)),
                text(shifts[3] - shifts[2]),
                text(sum(seconds, up, served)),
                text(millis(seconds, SETTLED, down)),
                text(millis(seconds, served, later)),
                text(millis(seconds, later, operations.length)));
          }
        });
  }

  /** CPU time of a node for its part of all operations. */
  private double millis(double[] seconds, int from, int to) {
    return 1e3 * sum(seconds, from, to) * cpu.size() / sum(operations, from, to);
  }

  private static double sum(double[] values, int from, int to) {
    return Arrays.stream(values, from, Math.min(to, values.length)).sum();
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
