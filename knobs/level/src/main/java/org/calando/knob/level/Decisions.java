package org.calando.knob.level;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.report.ClusterEvent;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.page.TimeLines;

/**
 * The decisions of a study's runs, and what was done to the cluster in them. Immutable.
 *
 * @param seconds what each run with decisions saw, decided and got, by run
 * @param events what was done in each run, by run
 */
record Decisions(Map<String, DecisionSeconds> seconds, Map<String, List<ClusterEvent>> events) {
  /** The decisions of all runs that succeeded. */
  static Decisions read(ResultsFolder study) {
    Map<String, DecisionSeconds> seconds = new LinkedHashMap<>();
    Map<String, List<ClusterEvent>> events = new LinkedHashMap<>();
    for (RunRow row : TimeLines.inOrder(study.results())) {
      List<RunRow> decisions =
          study.runCsv(row.id(), "decisions.csv").stream().filter(Decisions::isOfLevels).toList();
      DecisionSeconds run =
          decisions.isEmpty()
              ? null
              : DecisionSeconds.of(decisions, study.runCsv(row.id(), "ops.csv"));
      if (run != null) {
        seconds.put(row.id(), run);
        events.put(row.id(), ClusterEvent.of(study, row.id()));
      }
    }
    return new Decisions(seconds, events);
  }

  /** Files of earlier versions have no other rows. */
  private static boolean isOfLevels(RunRow decision) {
    String knobs = decision.text("knobs");
    return knobs.isEmpty() || knobs.equals("read-level");
  }

  Optional<DecisionSeconds> of(RunRow row) {
    return Optional.ofNullable(seconds.get(row.id()));
  }

  /** In the order of their time. */
  List<ClusterEvent> eventsOf(RunRow row) {
    return events.getOrDefault(row.id(), List.of());
  }
}
