package org.calando.study.paper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import org.calando.study.paper.Claim.Figure;
import org.calando.study.paper.Claim.Point;
import org.calando.study.report.RunRow;
import org.calando.study.report.Statistics;

/** The runs of a study that published points can be looked for in. Immutable. */
final class Runs {
  private static final List<String> KNOBS = List.of("layout", "gear", "clock", "write_buffer");

  private final List<RunRow> rows;

  /** Takes runs that succeeded, in a closed loop and with no knob but the level turned. */
  Runs(List<RunRow> all) {
    rows =
        all.stream()
            .filter(row -> !row.failed() && row.number("threads") > 0)
            .filter(row -> KNOBS.stream().allMatch(knob -> row.text(knob).isEmpty()))
            .toList();
  }

  /**
   * The number of threads nearest to a published one, of those that the point's mix and level have.
   *
   * @param tolerance the ratio of the two may be this or its inverse at most
   */
  OptionalInt nearestThreads(Point point, double tolerance) {
    return rows.stream()
        .filter(row -> isKin(row, point))
        .map(row -> (int) row.number("threads"))
        .filter(threads -> distance(threads, point) <= Math.log(tolerance))
        .min(Comparator.comparingDouble(threads -> distance(threads, point)))
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  private static double distance(int threads, Point point) {
    return Math.abs(Math.log((double) threads / point.threads()));
  }

  /** The runs of exactly a point. */
  List<RunRow> at(Point point) {
    return rows.stream()
        .filter(row -> isKin(row, point) && row.number("threads") == point.threads())
        .toList();
  }

  /** The runs at a level, in lists of one workload and number of threads each. */
  List<List<RunRow>> cases(String level) {
    List<List<RunRow>> cases = new ArrayList<>();
    for (RunRow row : rows) {
      if (!hasLevel(row, level)) {
        continue;
      }
      List<RunRow> known =
          cases.stream().filter(list -> isSameCase(list.get(0), row)).findFirst().orElse(null);
      if (known == null) {
        known = new ArrayList<>();
        cases.add(known);
      }
      known.add(row);
    }
    return cases;
  }

  /** The ratio of a figure at two points over the blocks that have both. */
  Statistics.Ratio ratio(Figure figure, Point over, Point under) {
    List<double[]> pairs = new ArrayList<>();
    for (RunRow row : at(over)) {
      at(under).stream()
          .filter(other -> other.text("repeat").equals(row.text("repeat")))
          .filter(other -> !figure.isEnergy() || other.provenance().equals(row.provenance()))
          .findFirst()
          .ifPresent(other -> pairs.add(pair(figure.of(), row, other)));
    }
    return Statistics.ratio(
        pairs.stream().mapToDouble(pair -> pair[0]).toArray(),
        pairs.stream().mapToDouble(pair -> pair[1]).toArray());
  }

  private static double[] pair(ToDoubleFunction<RunRow> figure, RunRow over, RunRow under) {
    return new double[] {figure.applyAsDouble(over), figure.applyAsDouble(under)};
  }

  private static boolean isSameCase(RunRow row, RunRow other) {
    return row.text("workload").equals(other.text("workload"))
        && row.text("threads").equals(other.text("threads"));
  }

  private static boolean isKin(RunRow row, Point point) {
    String workload = row.text("workload");
    boolean sameMix =
        workload.equals(point.workload()) || workload.equals("li-" + point.workload());
    return sameMix && hasLevel(row, point.level());
  }

  private static boolean hasLevel(RunRow row, String level) {
    return row.text("read_level").equals(level) && row.text("write_level").equals(level);
  }
}
