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

/*
 *   order down        off              order up    first CPU time      shift ended
 *   |---- stop ------>|                |           |                   |--- work takes longer: cold ---
 *                                      |------------ start ----------->|
 *
 * CPU time after the end, above what the node took for an operation before it went, is cold x coldOperations times that;
 * its first five seconds say how cold.
 */
/** What it cost nodes to go off and to come back in a run of {@code bench/shift-costs}. */
public final class ShiftCostTable {
  private static final int SETTLED = 10;
  private static final int FIRST = 5;
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
    for (Map<String, String> row : rows(run.resolve("nodes.csv"))) {
      double[] ofNode =
          cpu.computeIfAbsent(row.getOrDefault("node", ""), any -> new double[operations.length]);
      if (second(row) < ofNode.length) {
        ofNode[second(row)] = number(row, "cpu_s");
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
            "stop CPU, s",
            "start, s",
            "start CPU, s",
            "CPU/op, ms",
            "cold",
            "cold operations");
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
    int nodes = cpu.size();
    double before = sum(operations, SETTLED, down) / nodes;
    cpu.forEach(
        (node, seconds) -> {
          int off = down;
          while (off < up && seconds[off] > 0) {
            off++;
          }
          if (up - off < LONG_OFF) {
            return;
          }
          double each = sum(seconds, SETTLED, down) / before;
          double late = sum(operations, served, operations.length) / nodes;
          double excess = sum(seconds, served, seconds.length) / each - late;
          double early = sum(operations, served, served + FIRST) / nodes;
          double cold = sum(seconds, served, served + FIRST) / each / early - 1;
          table.add(
              run,
              node,
              text(off - shifts[0]),
              text(sum(seconds, down, off)),
              text(shifts[3] - shifts[2]),
              text(sum(seconds, up, served)),
              text(1e3 * each),
              text(cold),
              text(excess / cold));
        });
  }

  private static double sum(double[] values, int from, int to) {
    return Arrays.stream(values, from, Math.min(to, values.length)).sum();
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
