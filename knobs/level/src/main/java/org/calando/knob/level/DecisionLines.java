package org.calando.knob.level;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import org.calando.report.ClusterEvent;
import org.calando.report.OperationSeconds;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.column.LevelColumns;
import org.calando.report.page.RunLines;
import org.calando.report.page.TimeLines;

/**
 * Runs with decisions for the page's script: panels of lines, the events, and what is tolerated; as
 * many runs as fit the page. Not thread safe.
 */
final class DecisionLines extends RunLines {
  /** Text of all runs together. */
  static final int MOST_CHARS = 1_000_000;

  private static final double PERCENT = 100;

  private final Decisions decisions;

  DecisionLines(Results results, Decisions decisions) {
    this(results, decisions, MOST_CHARS);
  }

  DecisionLines(Results results, Decisions decisions, int mostChars) {
    super(mostChars, "theirs are in runs/*/decisions.csv");
    this.decisions = decisions;
    for (RunRow row : TimeLines.inOrder(results)) {
      decisions.of(row).ifPresent(seconds -> add(row, run(row, seconds)));
    }
  }

  private ObjectNode run(RunRow row, DecisionSeconds seconds) {
    int step = TimeLines.step(seconds.length());
    ObjectNode run = JsonNodeFactory.instance.objectNode().put("id", row.id());
    run.put("label", TimeLines.label(row)).put("first", seconds.first()).put("step", step);
    run.put("measured", seconds.measured());
    run.put("steps", (seconds.length() + step - 1) / step);
    ArrayNode events = run.putArray("events");
    for (ClusterEvent event : decisions.eventsOf(row)) {
      events.addObject().put("second", event.second()).put("text", event.text());
    }
    ArrayNode panels = run.putArray("panels");
    load(panels.addObject(), row, seconds, step);
    staleRates(panels.addObject(), row, seconds, step);
    ofOne(panels.addObject(), row, seconds, step);
    ObjectNode level = panels.addObject().put("title", "Replicas that a read asks").put("unit", "");
    level.put("stairs", true).put("whole", true);
    line(level, "replicas", -1, true, seconds.figure("mean_replicas"), step);
    for (int i = panels.size() - 1; i >= 0; i--) {
      if (panels.get(i).path("lines").isEmpty()) {
        panels.remove(i);
      }
    }
    return run;
  }

  private static void load(ObjectNode panel, RunRow row, DecisionSeconds seconds, int step) {
    panel.put("title", "Load").put("unit", "per second");
    // What the clients did, if it was recorded; else what the monitor saw.
    boolean recorded = seconds.has("reads");
    double[] reads = seconds.figure(recorded ? "reads" : "reads_per_s");
    double[] writes = seconds.figure(recorded ? "writes" : "writes_per_s");
    int first = seconds.first();
    line(panel, "reads", 0, true, OperationSeconds.onlyWhole(row, first, reads), step);
    line(panel, "writes", 1, true, OperationSeconds.onlyWhole(row, first, writes), step);
  }

  private static void staleRates(ObjectNode panel, RunRow row, DecisionSeconds seconds, int step) {
    panel.put("title", "Stale reads").put("unit", "%");
    double most = tolerated(panel, row);
    double[] measured = percent(seconds.figure("stale_rate"));
    double[] canary = percent(seconds.figure("canary_rate"));
    line(panel, "measured", -1, true, measured, step);
    line(panel, "canary", 5, false, canary, step);
    most = Math.max(most, Math.max(most(measured), most(canary)));
    for (Estimator estimator : Estimator.values()) {
      double[] predicted = percent(seconds.figure(estimator.inUse()));
      boolean own = estimator.decides(row.text(LevelColumns.POLICY));
      line(panel, estimator.brief(), estimator.tone(), own, predicted, step);
      most = own ? Math.max(most, most(predicted)) : most;
    }
    panel.put("most", most > 0 ? most * 1.1 : 1);
  }

  private static void ofOne(ObjectNode panel, RunRow row, DecisionSeconds seconds, int step) {
    panel.put("title", "Stale reads predicted for reads of one replica").put("unit", "%");
    panel.put("log", true);
    tolerated(panel, row);
    for (Estimator estimator : Estimator.values()) {
      double[] predicted = percent(seconds.figure(estimator.ofOne()));
      boolean own = estimator.decides(row.text(LevelColumns.POLICY));
      line(panel, estimator.brief(), estimator.tone(), own, predicted, step);
    }
  }

  private static double tolerated(ObjectNode panel, RunRow row) {
    double tolerated = row.number(LevelColumns.TOLERATED) * PERCENT;
    if (Double.isFinite(tolerated)) {
      panel.put("tolerated", tolerated);
      return tolerated;
    }
    return 0;
  }

  private static void line(
      ObjectNode panel, String name, int tone, boolean strong, double[] values, int step) {
    ArrayNode lines = panel.withArray("lines");
    if (Arrays.stream(values).anyMatch(Double::isFinite)) {
      ObjectNode line = lines.addObject().put("name", name).put("tone", tone);
      line.put("strong", strong).set("values", TimeLines.line(values, step, i -> false));
    }
  }

  private static double[] percent(double[] shares) {
    return Arrays.stream(shares).map(share -> share * PERCENT).toArray();
  }

  private static double most(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).max().orElse(0);
  }
}
