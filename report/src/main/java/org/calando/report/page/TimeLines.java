package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.calando.report.Configuration;
import org.calando.report.Load;
import org.calando.report.NodeSeconds;
import org.calando.report.NodeSeconds.Quantity;
import org.calando.report.OperationSeconds;
import org.calando.report.Results;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.column.RunColumns;
import org.jspecify.annotations.Nullable;

/**
 * The runs' seconds for the page's script, of as many runs as fit the page, in steps of as many
 * seconds as it takes for a line to be drawn. A step with a gap is a gap. Not thread safe.
 */
public final class TimeLines extends RunLines {
  /** Points of a line; a longer run is drawn in steps of several seconds. */
  static final int MOST_POINTS = 240;

  /** Text of all runs together. */
  static final int MOST_CHARS = 1_500_000;

  private final ResultsFolder study;

  /** Reads the runs of a study, the first repeat of each configuration before the others. */
  TimeLines(ResultsFolder study) {
    super(MOST_CHARS, "their seconds are in runs/*/nodes.csv");
    this.study = study;
    for (RunRow row : inOrder(study.results())) {
      NodeSeconds seconds = read(row.id());
      if (seconds != null) {
        add(row, run(row, seconds));
      }
    }
  }

  /** Runs that succeeded, the first repeat of each configuration before the others. */
  public static List<RunRow> inOrder(Results results) {
    Set<RunRow> order = new LinkedHashSet<>();
    List<Configuration> all = results.configurations();
    int most = all.stream().mapToInt(c -> c.ok().size()).max().orElse(0);
    for (int repeat = 0; repeat < most; repeat++) {
      for (Configuration c : all) {
        if (repeat < c.ok().size()) {
          order.add(c.ok().get(repeat));
        }
      }
    }
    return List.copyOf(order);
  }

  private @Nullable NodeSeconds read(String run) {
    return NodeSeconds.of(study.runCsv(run, "nodes.csv"), study.runCsv(run, "ops.csv"));
  }

  /** Seconds of a step, so that a line has few enough points. */
  public static int step(int seconds) {
    return Math.max(1, (seconds + MOST_POINTS - 1) / MOST_POINTS);
  }

  private ObjectNode run(RunRow row, NodeSeconds seconds) {
    int step = step(seconds.length());
    ObjectNode run = JsonNodeFactory.instance.objectNode().put("id", row.id());
    run.put("label", label(row)).put("first", seconds.first()).put("step", step);
    run.put("measured", seconds.measured());
    ArrayNode quantities = run.putArray("quantities");
    for (Quantity quantity : Quantity.values()) {
      if (seconds.has(quantity)) {
        ObjectNode drawn = quantities.addObject().put("title", quantity.label());
        boolean power = quantity == Quantity.POWER;
        drawn.put("unit", quantity.unit() + (power ? ", " + row.provenance() : ""));
        ArrayNode lines = drawn.putArray("lines");
        for (NodeSeconds.Node node : seconds.nodes()) {
          double[] values = node.values(quantity);
          // Power is blank in a step that has a gap, whatever was read in the rest of the step.
          lines.add(line(values, step, i -> power && node.gaps()[i]));
        }
      }
    }
    ArrayNode nodes = run.putArray("nodes");
    ArrayNode gaps = run.putArray("gaps");
    for (NodeSeconds.Node node : seconds.nodes()) {
      nodes.add(node.name());
      gaps.add(gaps(node.gaps(), step));
    }
    double[] operations = OperationSeconds.onlyWhole(row, seconds.first(), seconds.operations());
    run.set("operations", line(operations, step, i -> false));
    return run;
  }

  /** What the page's choice of a run says. */
  public static String label(RunRow row) {
    Load load = Load.of(row, true);
    String layout = row.text(RunColumns.LAYOUT).isEmpty() ? "" : ", " + row.text(RunColumns.LAYOUT);
    String clock = row.text(RunColumns.CLOCK).isEmpty() ? "" : ", " + row.text(RunColumns.CLOCK);
    return Scenarios.name(row.text(RunColumns.WORKLOAD))
        + ", "
        + Scenarios.name(load)
        + ", "
        + Results.levels(row)
        + layout
        + clock
        + ", repeat "
        + row.text(RunColumns.REPEAT);
  }

  /** Means of the seconds of each step; null where none was read, or where one is a gap. */
  public static ArrayNode line(double[] seconds, int step, IntPredicate gap) {
    ArrayNode line = JsonNodeFactory.instance.arrayNode();
    for (int from = 0; from < seconds.length; from += step) {
      double sum = 0;
      int n = 0;
      for (int i = from; i < Math.min(from + step, seconds.length); i++) {
        if (gap.test(i)) {
          n = 0;
          break;
        }
        if (Double.isFinite(seconds[i])) {
          sum += seconds[i];
          n++;
        }
      }
      if (n == 0) {
        line.addNull();
      } else {
        add(line, sum / n);
      }
    }
    return line;
  }

  /** Four digits are more than a line on a screen shows. */
  private static void add(ArrayNode line, double value) {
    double rounded = Double.parseDouble(String.format(java.util.Locale.ROOT, "%.4g", value));
    if (rounded == Math.rint(rounded)) {
      line.add((long) rounded);
    } else {
      line.add(rounded);
    }
  }

  /** The steps that have a gap. */
  private static ArrayNode gaps(boolean[] seconds, int step) {
    ArrayNode gaps = JsonNodeFactory.instance.arrayNode();
    for (int from = 0; from < seconds.length; from += step) {
      for (int i = from; i < Math.min(from + step, seconds.length); i++) {
        if (seconds[i]) {
          gaps.add(from / step);
          break;
        }
      }
    }
    return gaps;
  }
}
