package org.calando.predict;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.calando.schema.Units;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.FittedRange;

/** What scenarios range over, and which are beyond. Stateless and thread safe. */
final class FittedRanges {
  private FittedRanges() {}

  /** That of scenarios, one or more. */
  static FittedRange of(List<Scenario> scenarios) {
    return new FittedRange(
        bounds(scenarios, Scenario::readShare),
        bounds(scenarios.stream().filter(s -> !s.isOpen()).toList(), s -> s.threads().orElse(0)),
        bounds(scenarios.stream().filter(Scenario::isOpen).toList(), Scenario::perSecond),
        bounds(scenarios, FittedRanges::readReplicas),
        bounds(scenarios, FittedRanges::writeReplicas),
        bounds(scenarios, s -> (double) s.workload().records()),
        bounds(scenarios, s -> s.cluster().longestDelayNanos() / 1e6),
        scenarios.stream()
            .map(scenario -> FittedRange.popularity(scenario.workload().requests()))
            .distinct()
            .toList());
  }

  private static double readReplicas(Scenario s) {
    return (double) s.readReplicas() / s.cluster().replicationFactor();
  }

  private static double writeReplicas(Scenario s) {
    return (double) s.writeReplicas() / s.cluster().replicationFactor();
  }

  private static FittedRange.Bounds bounds(
      List<Scenario> scenarios, ToDoubleFunction<Scenario> of) {
    DoubleSummaryStatistics all = scenarios.stream().mapToDouble(of).summaryStatistics();
    return scenarios.isEmpty()
        ? FittedRange.Bounds.NONE
        : new FittedRange.Bounds(all.getMin(), all.getMax());
  }

  /** In which respects a scenario is beyond what was fitted, a sentence each. */
  static List<String> beyond(FittedRange range, Scenario scenario, ClusterShape fitted) {
    List<String> words = new ArrayList<>();
    check(words, "share of reads", scenario.readShare(), range.readShare());
    if (scenario.isOpen()) {
      loop(words, "rate (operations/s)", scenario.perSecond(), range.perSecond(), "open loops");
    } else {
      loop(words, "threads", scenario.threads().orElse(0), range.threads(), "closed loops");
    }
    check(
        words,
        "share of replicas that reads wait for",
        readReplicas(scenario),
        range.readReplicas());
    check(
        words,
        "share of replicas that writes wait for",
        writeReplicas(scenario),
        range.writeReplicas());
    check(words, "records", (double) scenario.workload().records(), range.records());
    check(
        words,
        "longest delay between nodes (ms)",
        scenario.cluster().longestDelayNanos() / 1e6,
        range.delayMillis());
    String popularity = FittedRange.popularity(scenario.workload().requests());
    if (!range.popularities().contains(popularity)) {
      words.add(
          "popularity %s: fitted on %s"
              .formatted(popularity, String.join(", ", range.popularities())));
    }
    ClusterShape cluster = scenario.cluster();
    same(words, "nodes", cluster.nodes(), fitted.nodes());
    same(words, "racks", cluster.racks(), fitted.racks());
    if (!sameDelays(cluster, fitted)) {
      words.add("delays that differ from link to link otherwise than what was fitted");
    }
    same(words, "replicas", cluster.replicationFactor(), fitted.replicationFactor());
    same(words, "cores of a machine", cluster.cores(), fitted.cores());
    if (cluster.sharedMachine() != fitted.sharedMachine()) {
      words.add(
          cluster.sharedMachine()
              ? "nodes share a machine, where they had one each"
              : "each node has a machine of its own, where all shared one");
    }
    if (!cluster.layout().equals(fitted.layout())) {
      words.add("another token layout");
    }
    return words;
  }

  /** Uniform delays range; others are those that were fitted, or are not. */
  private static boolean sameDelays(ClusterShape cluster, ClusterShape fitted) {
    boolean uniform = cluster.delayNanos().size() == 1 && fitted.delayNanos().size() == 1;
    return uniform || cluster.delayNanos().equals(fitted.delayNanos());
  }

  private static void loop(
      List<String> words, String what, double value, FittedRange.Bounds fitted, String loops) {
    if (fitted.equals(FittedRange.Bounds.NONE)) {
      words.add("%s %s: fitted on no %s".formatted(what, number(value), loops));
    } else {
      check(words, what, value, fitted);
    }
  }

  private static void check(
      List<String> words, String what, double value, FittedRange.Bounds fitted) {
    if (!fitted.hold(value)) {
      words.add(
          "%s %s: fitted on %s to %s"
              .formatted(what, number(value), number(fitted.from()), number(fitted.to())));
    }
  }

  private static void same(List<String> words, String what, int value, int fitted) {
    if (value != fitted) {
      words.add("%d %s: fitted on %d".formatted(value, what, fitted));
    }
  }

  private static String number(double value) {
    return Units.formatNumber(Double.parseDouble(String.format(Locale.ROOT, "%.4g", value)));
  }
}
