package org.calando.report;

import java.util.Comparator;
import java.util.List;

/**
 * Something that was done to the cluster during a run.
 *
 * @param second seconds since the measured window began
 * @param text what was done
 */
public record ClusterEvent(double second, String text) {
  /** A run's events in the order of their time; none if nothing was done. */
  public static List<ClusterEvent> of(ResultsFolder study, String run) {
    return study.runCsv(run, "events.csv").stream()
        .filter(row -> Math.abs(row.number("second")) < OperationSeconds.MOST_SECONDS)
        .map(row -> new ClusterEvent(row.number("second"), Figures.brief(row.text("event"))))
        .sorted(Comparator.comparingDouble(ClusterEvent::second))
        .toList();
  }
}
