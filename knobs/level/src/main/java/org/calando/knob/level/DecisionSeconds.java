package org.calando.knob.level;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.calando.report.OperationSeconds;
import org.calando.report.RunRow;
import org.jspecify.annotations.Nullable;

/**
 * What a policy saw, decided and got, second by second. Second 0 is the measured window's first.
 * What is not known is NaN. Nobody changes its arrays.
 */
final class DecisionSeconds {
  /** What was measured is shown over this many seconds, the last of which is the one shown. */
  static final int SMOOTHED = 5;

  /** A canary reads seldom. */
  static final int CANARY = 15;

  /** A figure of a decision stands for so many seconds; the level stands until the next. */
  private static final int STANDS = 3;

  private static final String LEVEL = "mean_replicas";

  /** What is known of the load and of the estimates, by decision. */
  private static final List<String> FIGURES =
      List.of(
          "reads_per_s",
          "writes_per_s",
          "propagation_ms",
          "harmony",
          "exact",
          "pbs",
          "harmony_one",
          "exact_one",
          "pbs_one");

  private final int first;
  private final int measured;
  private final Map<String, double[]> figures;

  private DecisionSeconds(int first, int measured, Map<String, double[]> figures) {
    this.first = first;
    this.measured = measured;
    this.figures = figures;
  }

  /**
   * Puts the two files' rows on one axis.
   *
   * @return null if there is no decision that can be placed in time
   */
  static @Nullable DecisionSeconds of(List<RunRow> decisions, List<RunRow> operations) {
    List<RunRow> placed = placed(decisions);
    if (placed.isEmpty()) {
      return null;
    }
    Map<Integer, Double> reads = OperationSeconds.of(operations, "reads");
    Map<Integer, Double> writes = OperationSeconds.of(operations, "writes");
    Map<Integer, Double> stale = OperationSeconds.of(operations, "stale_reads");
    NavigableMap<Integer, RunRow> bySecond = new TreeMap<>();
    placed.forEach(row -> bySecond.put(OperationSeconds.second(row), row));
    int first = bySecond.firstKey();
    int last = bySecond.lastKey();
    for (int second : reads.keySet()) {
      first = Math.min(first, second);
      last = Math.max(last, second);
    }
    int length = last - first + 1;
    Map<String, double[]> figures = new HashMap<>();
    figures.put("reads", line(reads, first, length));
    figures.put("writes", line(writes, first, length));
    figures.put("stale", line(stale, first, length));
    figures.put("stale_rate", rate(figures, "stale", "reads", SMOOTHED));
    figures.put("truth_reads", line(sums(placed, "truth_reads"), first, length));
    figures.put("truth_stale", line(sums(placed, "truth_stale"), first, length));
    figures.put("canary_rate", rate(figures, "truth_stale", "truth_reads", CANARY));
    figures.put(LEVEL, standing(bySecond, LEVEL, first, length, length));
    for (String figure : FIGURES) {
      figures.put(figure, standing(bySecond, figure, first, length, STANDS));
    }
    int window = OperationSeconds.measured(operations);
    return new DecisionSeconds(first, window == 0 ? last + 1 : window, figures);
  }

  /** The first second, 0 or less unless the run has no warm-up. */
  int first() {
    return first;
  }

  /** Seconds of the measured window. */
  int measured() {
    return measured;
  }

  int length() {
    return figure(LEVEL).length;
  }

  /** A figure for each second, NaN where it is not known. */
  double[] figure(String name) {
    return figures.getOrDefault(name, new double[0]);
  }

  boolean has(String name) {
    return Arrays.stream(figure(name)).anyMatch(Double::isFinite);
  }

  /** What followed, from a time on and before another, both in seconds; empty if there is none. */
  Stretch stretch(double from, double to) {
    int begin = Math.min(length(), Math.max(0, (int) Math.floor(from) - first));
    int end = Math.max(begin, Math.min(length(), (int) Math.floor(to) - first));
    return new Stretch(
        Arrays.copyOfRange(figure("reads"), begin, end),
        Arrays.copyOfRange(figure("stale"), begin, end),
        Arrays.copyOfRange(figure(LEVEL), begin, end));
  }

  /** Replicas that a read asked in the second before a time, NaN if it is not known. */
  double replicasBefore(double time) {
    int at = (int) Math.floor(time) - 1 - first;
    return at >= 0 && at < length() ? figure(LEVEL)[at] : Double.NaN;
  }

  /** The mean of a figure over seconds, the latter excluded; NaN if none is known. */
  double mean(String name, int from, int to) {
    int begin = Math.min(length(), Math.max(0, from - first));
    int end = Math.max(begin, Math.min(length(), to - first));
    return Arrays.stream(figure(name), begin, end)
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /**
   * Rows in the order of their time. Those of a warm-up that were written before its end was known
   * count from the first decision, and are set before all others.
   */
  private static List<RunRow> placed(List<RunRow> decisions) {
    List<RunRow> known =
        decisions.stream().filter(r -> Math.abs(time(r)) < OperationSeconds.MOST_SECONDS).toList();
    double last =
        known.stream()
            .filter(DecisionSeconds::isEarly)
            .mapToDouble(DecisionSeconds::time)
            .max()
            .orElse(0);
    double next =
        known.stream().filter(r -> !isEarly(r)).mapToDouble(DecisionSeconds::time).min().orElse(0);
    return known.stream()
        .map(r -> isEarly(r) ? at(r, time(r) - last - 1 + Math.min(0, next)) : r)
        .sorted(Comparator.comparingDouble(DecisionSeconds::time))
        .toList();
  }

  private static boolean isEarly(RunRow row) {
    String phase = row.text("phase");
    return !phase.isEmpty() && !OperationSeconds.isMeasured(row) && row.number("second") >= 0;
  }

  private static double time(RunRow row) {
    return row.number("second");
  }

  private static RunRow at(RunRow row, double second) {
    Map<String, String> cells = new HashMap<>(row.cells());
    cells.put("second", Double.toString(second));
    return new RunRow(cells);
  }

  private static Map<Integer, Double> sums(List<RunRow> rows, String column) {
    Map<Integer, Double> sums = new TreeMap<>();
    for (RunRow row : rows) {
      double value = row.number(column);
      if (Double.isFinite(value)) {
        sums.merge(OperationSeconds.second(row), value, Double::sum);
      }
    }
    return sums;
  }

  private static double[] line(Map<Integer, Double> bySecond, int first, int length) {
    double[] line = new double[length];
    Arrays.setAll(line, i -> bySecond.getOrDefault(first + i, Double.NaN));
    return line;
  }

  /** A figure of the latest decision, for so many seconds. */
  private static double[] standing(
      NavigableMap<Integer, RunRow> bySecond, String column, int first, int length, int seconds) {
    double[] line = new double[length];
    Arrays.setAll(
        line,
        i -> {
          Map.Entry<Integer, RunRow> latest = bySecond.floorEntry(first + i);
          return latest == null || first + i - latest.getKey() >= seconds
              ? Double.NaN
              : latest.getValue().number(column);
        });
    return line;
  }

  /** A part over its whole, both summed over the seconds up to each. */
  private static double[] rate(
      Map<String, double[]> figures, String part, String whole, int seconds) {
    double[] parts = figures.getOrDefault(part, new double[0]);
    double[] wholes = figures.getOrDefault(whole, new double[0]);
    boolean isKnown = Arrays.stream(parts).anyMatch(Double::isFinite);
    double[] rate = new double[wholes.length];
    Arrays.setAll(
        rate,
        i -> {
          int from = Math.max(0, i - seconds + 1);
          double all = sum(wholes, from, i);
          return all > 0 && isKnown ? sum(parts, from, i) / all : Double.NaN;
        });
    return rate;
  }

  /** The sum of the values that are known, both ends included. */
  static double sum(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i <= to; i++) {
      sum += Double.isFinite(values[i]) ? values[i] : 0;
    }
    return sum;
  }
}
