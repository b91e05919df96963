package org.calando.report.column;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;

/**
 * What became of what clients were promised of reads. Immutable and thread safe.
 *
 * @param promise what was promised
 * @param seconds of the measured window in which records were read, or something failed, about
 * @param brokenSeconds of these in which more were stale, the slowest hundredth was slower or
 *     failed, or no read was answered
 */
public record KeptPromise(Promise promise, long seconds, long brokenSeconds) {
  /** The part of reads that may be slower than what is promised of 99 %. */
  public static final double SLOWEST = 0.01;

  /** Parts that a run broke as a whole, by their words; {@code none} if it kept all. */
  static String broken(KeptPromise found, RunRecord run) {
    List<String> broken = new ArrayList<>();
    double p99 = run.find(LoadFigures.class).map(KeptPromise::p99).orElse(Double.NaN);
    double stale =
        run.find(StaleFigures.class)
            .map(StaleFigures::staleness)
            .map(each -> each.staleRate())
            .orElse(Double.NaN);
    add(broken, found, Promised.STALE, stale);
    add(broken, found, Promised.READ_P99, p99);
    return broken.isEmpty() ? "none" : String.join(" ", broken);
  }

  /** Of all reads in seconds: what failed is slower than any limit. */
  private static double p99(LoadFigures load) {
    double reads = load.reads().getTotalCount();
    double ended = reads + load.errors();
    if (ended == 0) {
      return Double.NaN;
    }
    double answered = (1 - SLOWEST) * ended / reads;
    return answered <= 1
        ? load.reads().getValueAtPercentile(100 * answered) / 1e9
        : Double.POSITIVE_INFINITY;
  }

  private static void add(List<String> broken, KeptPromise found, Promised part, double figure) {
    OptionalDouble limit = found.promise().limit(part);
    if (limit.isPresent() && !(figure <= limit.getAsDouble())) {
      broken.add(Double.isNaN(figure) ? part.word() + "?" : part.word());
    }
  }

  /** The part of the seconds in which a part was broken; NaN if there were none. */
  double brokenShare() {
    return seconds == 0 ? Double.NaN : (double) brokenSeconds / seconds;
  }
}
