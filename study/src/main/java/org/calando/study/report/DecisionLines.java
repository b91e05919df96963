package org.calando.study.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs with decisions for the page's script: panels of lines, the events, and what is tolerated; as
 * many runs as fit the page. Not thread safe.
 */
final class DecisionLines {
  /** Text of all runs together. */
  static final int MOST_CHARS = 1_000_000;

  private static final double PERCENT = 100;

  private final Decisions decisions;
  private final ArrayNode runs = JsonNodeFactory.instance.arrayNode();
  private final List<String> left = new ArrayList<>();
  private int chars;
  private int longest;

  DecisionLines(Results results, Decisions decisions) {
    this(results, decisions, MOST_CHARS);
  }

  DecisionLines(Results results, Decisions decisions, int mostChars) {
    this.decisions = decisions;
    for (RunRow row : TimeLines.inOrder(results)) {
      DecisionSeconds seconds = decisions.of(row).orElse(null);
      if (seconds == null) {
        continue;
      }
      ObjectNode run = run(row, seconds);
      int length = run.toString().length();
      if (chars + length > mostChars && !runs.isEmpty()) {
        left.add(row.id());
      } else {
        chars += length;
        longest = Math.max(longest, run.path("step").asInt());
        runs.add(run);
      }
    }
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** An array of the runs. */
  String json() {
    return runs.toString();
  }

  /** What was cut to keep the page small, in words; empty if nothing was. */
  String cut() {
    List<String> words = new ArrayList<>();
    if (longest > 1) {
      words.add("Long runs are drawn in steps of up to " + longest + " seconds.");
    }
    if (!left.isEmpty()) {
      int all = left.size() + runs.size();
      words.add(left.size() + " of " + all + " runs are left out to keep this page small;");
      words.add("theirs are in runs/*/decisions.csv: " + TimeLines.named(left) + ".");
    }
    return String.join(" ", words);
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
      boolean own = estimator.decides(row.text("policy"));
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
      boolean own = estimator.decides(row.text("policy"));
      line(panel, estimator.brief(), estimator.tone(), own, predicted, step);
    }
  }

  private static double tolerated(ObjectNode panel, RunRow row) {
    double tolerated = row.number("tolerated") * PERCENT;
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
