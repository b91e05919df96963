package org.calando.papers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.papers.Claim.Figure;
import org.calando.papers.Claim.Point;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/** The runs of a study that published points can be looked for in. Immutable. */
final class Runs {
  private static final List<Column> KNOBS =
      List.of(RunColumns.GEAR, RunColumns.CLOCK, RunColumns.WRITE_BUFFER);
  private static final Set<String> NO_LAYOUT = Set.of("", "none");

  private final List<RunRow> rows;

  /** Takes runs that succeeded, in a closed loop and with no knob but level and layout turned. */
  Runs(List<RunRow> all) {
    rows =
        all.stream()
            .filter(row -> !row.failed() && row.number(RunColumns.THREADS) > 0)
            .filter(row -> KNOBS.stream().allMatch(knob -> row.text(knob).isEmpty()))
            .toList();
  }

  /**
   * The number of threads nearest to a published one, of those that the point's mix, level and
   * layout have.
   *
   * @param tolerance the ratio of the two may be this or its inverse at most
   */
  OptionalInt nearestThreads(Point point, double tolerance) {
    return rows.stream()
        .filter(row -> isKin(row, point))
        .map(row -> (int) row.number(RunColumns.THREADS))
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
        .filter(row -> isKin(row, point))
        .filter(row -> point.isAll() || row.number(RunColumns.THREADS) == point.threads())
        .toList();
  }

  /** The runs at a level in the even layout, in lists of one workload and load each. */
  List<List<RunRow>> cases(String level) {
    Map<String, List<RunRow>> cases = new LinkedHashMap<>();
    for (RunRow row : at(Point.all(level))) {
      cases.computeIfAbsent(scenario(row), key -> new ArrayList<>()).add(row);
    }
    return List.copyOf(cases.values());
  }

  /** A figure at a point in each block that has it; of all cases together it is the sum. */
  Map<String, Double> byBlock(Figure figure, Point point) {
    List<RunRow> found = at(point);
    int cases = point.isAll() ? scenarios(point).size() : 1;
    Map<String, List<RunRow>> blocks =
        found.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.text(RunColumns.REPEAT), LinkedHashMap::new, Collectors.toList()));
    Map<String, Double> values = new LinkedHashMap<>();
    blocks.forEach(
        (block, runs) -> {
          double value =
              point.isAll()
                  ? runs.stream().mapToDouble(figure.of()).sum()
                  : figure.of().applyAsDouble(runs.get(0));
          if (Double.isFinite(value) && (!point.isAll() || runs.size() == cases)) {
            values.put(block, value);
          }
        });
    return values;
  }

  /** The ratio of a figure at two points over the blocks that have both. */
  Statistics.Ratio ratio(Figure figure, Point over, Point under) {
    if (!comparable(figure, over, under)) {
      return Statistics.ratio(new double[0], new double[0]);
    }
    List<double[]> pairs = pairs(figure, over, under);
    return Statistics.ratio(column(pairs, 0), column(pairs, 1));
  }

  /** A figure at two points in each of the blocks that have both. */
  List<double[]> pairs(Figure figure, Point over, Point under) {
    Map<String, Double> others = byBlock(figure, under);
    List<double[]> pairs = new ArrayList<>();
    byBlock(figure, over)
        .forEach(
            (block, value) -> {
              Double other = others.get(block);
              if (other != null) {
                pairs.add(new double[] {value, other});
              }
            });
    return pairs;
  }

  /**
   * A figure at a point over the mean of all mixes and loads that the study has at its level, block
   * by block; blocks that lack one of them have another mean and are left out.
   */
  Statistics.Ratio overMean(Figure figure, Point point) {
    int cases = cases(point.level()).size();
    List<double[]> pairs = pairs(figure, point, Point.all(point.level()));
    double[] means = column(pairs, 1);
    for (int i = 0; i < means.length; i++) {
      means[i] /= cases;
    }
    return cases < 2
        ? Statistics.ratio(new double[0], new double[0])
        : Statistics.ratio(column(pairs, 0), means);
  }

  /** Whether there are runs, and all of them on the simulator. */
  boolean simulated() {
    return !rows.isEmpty() && rows.stream().allMatch(RunRow::isSimulated);
  }

  /** The labels of levels in order of the results. */
  List<String> levels() {
    return rows.stream().map(Runs::level).distinct().toList();
  }

  /** The first run at a level; its policy is that of all. */
  RunRow first(String level) {
    return rows.stream().filter(row -> level(row).equals(level)).findFirst().orElseThrow();
  }

  /** The numbers of threads, rising, of a workload. */
  Set<Integer> threads(String workload) {
    return rows.stream()
        .filter(row -> isMix(row, workload))
        .map(row -> (int) row.number(RunColumns.THREADS))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private boolean comparable(Figure figure, Point over, Point under) {
    boolean oneOrigin =
        Stream.concat(at(over).stream(), at(under).stream())
                .map(RunRow::provenance)
                .distinct()
                .count()
            < 2;
    boolean sameCases = !over.isAll() || scenarios(over).equals(scenarios(under));
    return sameCases && (oneOrigin || !figure.isEnergy());
  }

  private Set<String> scenarios(Point point) {
    return at(point).stream().map(Runs::scenario).collect(Collectors.toSet());
  }

  private static double[] column(List<double[]> pairs, int index) {
    return pairs.stream().mapToDouble(pair -> pair[index]).toArray();
  }

  private static String scenario(RunRow row) {
    return row.text(RunColumns.WORKLOAD) + ", " + row.text(RunColumns.THREADS);
  }

  private static boolean isKin(RunRow row, Point point) {
    boolean sameMix = point.workload().isEmpty() || isMix(row, point.workload());
    return sameMix && level(row).equals(point.level()) && layout(row).equals(point.layout());
  }

  private static boolean isMix(RunRow row, String workload) {
    String own = row.text(RunColumns.WORKLOAD);
    return own.equals(workload) || own.equals("li-" + workload);
  }

  private static String layout(RunRow row) {
    String layout = row.text(RunColumns.LAYOUT);
    return NO_LAYOUT.contains(layout) ? Point.EVEN : layout;
  }

  /** The level of reads and writes, or what decides on it, as results name it. */
  private static String level(RunRow row) {
    String read = row.text(RunColumns.READ_LEVEL);
    String write = row.text(RunColumns.WRITE_LEVEL);
    String fixed = read.equals(write) ? read : read + "/" + write;
    return row.text(RunColumns.CONSISTENCY).isEmpty() ? fixed : row.text(RunColumns.CONSISTENCY);
  }
}
