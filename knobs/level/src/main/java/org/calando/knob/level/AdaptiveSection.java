package org.calando.knob.level;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.RunRow;
import org.calando.report.Scenarios;
import org.calando.report.page.Chart;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Parts;
import org.calando.report.page.Section;
import org.calando.report.page.Table;

/** Policies that choose the level of reads: promise, regret, figures and time lines. */
public final class AdaptiveSection extends Section {
  private static final String INTRO =
      "A policy chooses how many replicas each read asks, so that no more than a tolerated share of"
          + " reads is stale. Its monitor\u2019s requests are no operations of the workload.";

  private static final String PROMISES =
      "Stale reads: over blocks, with the 95\u00A0% Student interval of the blocks\u2019 rates."
          + " Kept: the upper end is at most one point above what is tolerated; broken: the lower"
          + " end is above that; undecided: neither, or one block only. Regret: replicas a read"
          + " asked, less those of the best static level, or the best fixed mix of two, that was"
          + " within the tolerated rate in the same block; only levels with the same writes count."
          + " A regret below 0 with a broken promise is no merit. Decisions at ONE: 80\u00A0% are"
          + " wanted where ONE is within tolerance.";

  private static final String AGAINST =
      "Changes within a block, mean of the blocks over its 95\u00A0% interval; stale reads as they"
          + " are, the others as ratios. Strong level: the weakest whose reads meet every write,"
          + " R\u00A0+\u00A0W\u00A0>\u00A0N. The paper reports stale reads \u221280\u00A0% against"
          + " ONE and throughput +45\u00A0% against strong reads; at a fixed rate throughput cannot"
          + " differ.";

  private static final String MONITOR =
      "Requests that the monitor and its canary sent in the measured window, CPU time of their"
          + " threads, and what the canary read: at the level in use, or at ONE where that cannot"
          + " miss a write, and at ages at which much is stale.";

  private static final String LINES =
      "Second 0 is the first of the measured window. Measured: stale reads of the clients\u2019"
          + " over the last "
          + DecisionSeconds.SMOOTHED
          + " seconds; canary: over the last "
          + DecisionSeconds.CANARY
          + ", it reads seldom. Thick: the model that the policy decides on. The dashed line across"
          + " is what is tolerated. A model that leaves the panel upwards is in the table.";

  private static final String EVENTS =
      "Seconds: middle of the repeats over their range, from the event to the first second from"
          + " which on the reads of the next "
          + Recovery.PROOF
          + " seconds, and all until the next event together, were stale at most at the tolerated"
          + " rate and one point, and no later choice asked more replicas (but for a quarter of"
          + " one). Over the promise: stale reads until then, less those that were tolerated; until"
          + " the next event where the level was never right. Settled: no choice from then on is"
          + " more than a quarter of a replica from that of the last five seconds.";

  private static final Pattern REPLICATION = Pattern.compile("(?m)^[^#\n]*\\brf:\\s*(\\d{1,3})\\b");

  private static final String DATA = "decisions-data";

  /** As a service. */
  public AdaptiveSection() {
    super("adaptive", "Adaptive consistency", 500);
  }

  @Override
  public Optional<String> data() {
    return Optional.of(DATA);
  }

  /** Empty if no run had a policy or an estimate. */
  @Override
  public Optional<Content> of(PageStudy study) {
    Decisions decisions = Decisions.read(study.folder());
    DecisionLines lines = new DecisionLines(study.results(), decisions);
    return applies(study.results()) || !lines.isEmpty()
        ? Optional.of(parts -> write(study, decisions, lines, parts))
        : Optional.empty();
  }

  private static void write(
      PageStudy study, Decisions decisions, DecisionLines lines, Parts parts) {
    Results results = study.results();
    parts.data(DATA, lines.json()).note(INTRO);
    List<AdaptiveScenario> scenarios =
        AdaptiveScenario.all(results, replication(study.folder().studyText()));
    tables(parts, scenarios, study);
    if (!lines.isEmpty()) {
      parts.figure(lines(lines));
    }
    parts.table("After each event", new RecoveryTable(scenarios, decisions).table(), EVENTS);
    figures(parts, decisions, study);
    new EstimatorParts(results).render(parts);
  }

  private static boolean applies(Results results) {
    return results.rows().stream()
        .filter(row -> !row.failed())
        .anyMatch(row -> AdaptiveScenario.isPolicy(row) || isEstimated(row));
  }

  private static boolean isEstimated(RunRow row) {
    for (Estimator estimator : Estimator.values()) {
      if (Double.isFinite(row.number(estimator.rate()))) {
        return true;
      }
    }
    return false;
  }

  private static void tables(Parts parts, List<AdaptiveScenario> scenarios, PageStudy study) {
    if (scenarios.isEmpty()) {
      return;
    }
    AdaptiveTables tables = new AdaptiveTables(scenarios, study.results().commonProvenance());
    parts.table("What was promised, and kept", tables.promises(), PROMISES);
    parts.table("Against static levels", tables.against(), AGAINST + " " + study.origin());
    parts.table("What watching cost", tables.monitor(), MONITOR);
  }

  /** The figures of the paper, of each kind of loop that the study has. */
  private static void figures(Parts parts, Decisions decisions, PageStudy study) {
    Results results = study.results();
    String origin = study.origin();
    for (Load.Kind kind : Load.Kind.values()) {
      boolean ran = results.measured().stream().anyMatch(c -> c.load().kind() == kind);
      if (ran) {
        Scenarios all = Scenarios.of(results, kind);
        HarmonyFigures figures =
            new HarmonyFigures(all, kind, decisions, results.commonProvenance());
        parts.figures(
            figures.charts().stream().map(c -> c.withNote(c.note() + " " + origin)).toList());
        List<Chart> overPropagation =
            figures.overPropagation().stream()
                .map(c -> c.id().contains("energy") ? c.withNote(c.note() + " " + origin) : c)
                .toList();
        if (!overPropagation.isEmpty()) {
          parts.pair(overPropagation);
        }
      }
    }
  }

  /** N as the study's file says it, 0 if it does not. */
  private static int replication(String studyText) {
    Matcher matcher = REPLICATION.matcher(studyText);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static Chart lines(DecisionLines lines) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-decisions").put("kind", "decisions").put("picker", "Run");
    data.put("source", DATA).put("rows", "data-decisions");
    Table table =
        new Table("data-decisions", "Seconds and decisions of the run that is picked")
            .text("Second", "second")
            .text("Line", "line");
    String words =
        "Load, stale reads measured and predicted, what is tolerated, and the replicas that a read"
            + " asks, second by second, with what was done to the cluster, of the run that is"
            + " picked; the figures are in the table.";
    String note = (LINES + " " + lines.cut()).strip();
    return new Chart("Decisions, second by second", words, note, data, table);
  }
}
