package org.calando.predict;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.study.config.schema.Units;

/**
 * What a profile was fitted on; a prediction beyond it extrapolates. Immutable.
 *
 * @param readShare share of reads
 * @param threads of closed loops; 0 to 0 if there were none
 * @param perSecond rates of open loops; 0 to 0 if there were none
 * @param readReplicas share of the replicas that reads waited for
 * @param writeReplicas share of the replicas that writes waited for
 * @param records of tables
 * @param delayMillis longest configured delays between nodes
 * @param zipf exponent of the popularity of keys in most configurations; 0 for uniform
 */
public record FittedRange(
    Bounds readShare,
    Bounds threads,
    Bounds perSecond,
    Bounds readReplicas,
    Bounds writeReplicas,
    Bounds records,
    Bounds delayMillis,
    double zipf) {
  /** From and to, both included. */
  public record Bounds(double from, double to) {
    private static final double ROUNDING = 1e-9;

    boolean hold(double value) {
      return value >= from - ROUNDING && value <= to + ROUNDING;
    }
  }

  static FittedRange of(List<Scenario> scenarios) {
    return new FittedRange(
        bounds(scenarios, Scenario::readShare),
        bounds(scenarios.stream().filter(s -> !s.isOpen()).toList(), s -> s.threads().orElse(0)),
        bounds(scenarios.stream().filter(Scenario::isOpen).toList(), Scenario::perSecond),
        bounds(scenarios, FittedRange::readReplicas),
        bounds(scenarios, FittedRange::writeReplicas),
        bounds(scenarios, s -> s.workload().records()),
        bounds(scenarios, s -> s.cluster().longestDelayNanos() / 1e6),
        zipf(scenarios.get(0).workload()));
  }

  private static double readReplicas(Scenario s) {
    return (double) s.readReplicas() / s.cluster().replicationFactor();
  }

  private static double writeReplicas(Scenario s) {
    return (double) s.writeReplicas() / s.cluster().replicationFactor();
  }

  private static Bounds bounds(List<Scenario> scenarios, ToDoubleFunction<Scenario> of) {
    DoubleSummaryStatistics all = scenarios.stream().mapToDouble(of).summaryStatistics();
    return scenarios.isEmpty() ? new Bounds(0, 0) : new Bounds(all.getMin(), all.getMax());
  }

  /** The exponent of a workload's keys; 0 if they are not zipfian. */
  private static double zipf(Workload workload) {
    if (workload.requests() instanceof RequestDistribution.Zipfian zipfian) {
      return zipfian.constant();
    }
    return workload.requests() instanceof RequestDistribution.ScrambledZipfian zipfian
        ? zipfian.constant()
        : 0;
  }

  /** In which respects a scenario is beyond what was fitted, a sentence each. */
  List<String> beyond(Scenario scenario, ClusterShape fitted) {
    List<String> words = new ArrayList<>();
    check(words, "share of reads", scenario.readShare(), readShare);
    if (scenario.isOpen()) {
      check(words, "rate (operations/s)", scenario.perSecond(), perSecond);
    } else {
      check(words, "threads", scenario.threads().orElse(0), threads);
    }
    check(words, "share of replicas that reads wait for", readReplicas(scenario), readReplicas);
    check(words, "share of replicas that writes wait for", writeReplicas(scenario), writeReplicas);
    check(words, "records", scenario.workload().records(), records);
    check(
        words,
        "longest delay between nodes (ms)",
        scenario.cluster().longestDelayNanos() / 1e6,
        delayMillis);
    ClusterShape cluster = scenario.cluster();
    same(words, "nodes", cluster.nodes(), fitted.nodes());
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

  private static void check(List<String> words, String what, double value, Bounds fitted) {
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
