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
 * @param seconds of the measured window in which records were read, about
 * @param brokenSeconds of these in which more were stale, or the slowest hundredth was slower
 */
public record PromiseFigures(Promise promise, long seconds, long brokenSeconds) {
  /** Parts that a run broke as a whole, by their words; {@code none} if it kept all. */
  static String broken(PromiseFigures found, RunRecord run) {
    List<String> broken = new ArrayList<>();
    double p99 =
        run.find(LoadFigures.class)
            .filter(load -> load.reads().getTotalCount() > 0)
            .map(load -> load.reads().getValueAtPercentile(99) / 1e9)
            .orElse(Double.NaN);
    double stale =
        run.find(StaleFigures.class)
            .map(StaleFigures::staleness)
            .map(each -> each.staleRate())
            .orElse(Double.NaN);
    add(broken, found, Promised.STALE, stale);
    add(broken, found, Promised.READ_P99, p99);
    return broken.isEmpty() ? "none" : String.join(" ", broken);
  }

  private static void add(List<String> broken, PromiseFigures found, Promised part, double figure) {
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
