package org.calando.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.report.column.LoadColumns;

/**
 * Rows of ops.csv on the run's axis: second 0 is the measured window's first, and those of the
 * warm-up, which the file counts from 0 too, are negative.
 */
public final class OperationSeconds {
  /** Longer runs than a day are no study's. */
  public static final int MOST_SECONDS = 100_000;

  private static final String MEASURED = "measured";

  private OperationSeconds() {}

  /** A column by second; seconds that no row is of are left out. */
  public static Map<Integer, Double> of(List<RunRow> rows, String column) {
    int warmUp =
        rows.stream().filter(r -> !isMeasured(r)).mapToInt(r -> second(r) + 1).max().orElse(0);
    Map<Integer, Double> values = new TreeMap<>();
    for (RunRow row : rows) {
      int second = second(row) - (isMeasured(row) ? 0 : warmUp);
      if (second > -MOST_SECONDS && second < MOST_SECONDS) {
        values.merge(second, row.number(column), Double::sum);
      }
    }
    return values;
  }

  /**
   * Seconds that lie whole in a run's measured window. What ended in a part of a second, or after
   * the window, is no rate of operations, and looks like a collapse where it is drawn as one.
   *
   * @return all of them if the window's length is not known, or is less than a second
   */
  static int whole(RunRow run) {
    double seconds = run.number(LoadColumns.DURATION_S);
    return seconds >= 1 ? (int) Math.min(MOST_SECONDS, Math.floor(seconds + 1e-6)) : MOST_SECONDS;
  }

  /**
   * The values without those of seconds that do not lie whole in the window.
   *
   * @param first second of the first value
   */
  public static double[] onlyWhole(RunRow run, int first, double[] values) {
    double[] kept = values.clone();
    int from = Math.min(kept.length, Math.max(0, whole(run) - first));
    Arrays.fill(kept, from, kept.length, Double.NaN);
    return kept;
  }

  /** Seconds of the measured window. */
  public static int measured(List<RunRow> rows) {
    return (int) rows.stream().filter(OperationSeconds::isMeasured).count();
  }

  /** The row's second, rounded down; far before any run if it has none. */
  public static int second(RunRow row) {
    double second = row.number("second");
    return Double.isNaN(second) ? Integer.MIN_VALUE / 2 : (int) Math.floor(second);
  }

  /** Whether a second lies in the measured window. */
  public static boolean isMeasured(RunRow row) {
    return row.text("phase").equals(MEASURED);
  }
}
