package org.calando.knob.level;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.knob.level.Promise.Verdict;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** The tables on policies, a section for each scenario. Immutable. */
final class AdaptiveTables {
  /** Share of decisions at ONE that is wanted where ONE is within tolerance. */
  static final double AT_ONE_TARGET = 0.8;

  /** An interval of less than this is none but for rounding. */
  private static final double SMALL = 1e-9;

  /** A larger change says that the other figure is close to 0, and no more. */
  private static final double MOST_PERCENT = 99_900;

  private final List<AdaptiveScenario> scenarios;
  private final String joules;

  /**
   * Tables of these scenarios.
   *
   * @param provenance the provenance word of all joules, empty if runs differ
   */
  AdaptiveTables(List<AdaptiveScenario> scenarios, String provenance) {
    this.scenarios = scenarios;
    this.joules = provenance.isEmpty() ? "J per op" : "J per op, " + provenance;
  }

  /** What was promised, whether it was kept, and at how many replicas. */
  Table promises() {
    Table table =
        new Table("adaptive-promises", "Stale reads of each policy against what it promised")
            .text("Policy", "policy")
            .number("Tolerated", "", "tolerated")
            .estimate("Stale reads", "of reads checked", "stale_rate")
            .text("Promise", "promise")
            .estimate("Replicas", "a read asked", "mean_replicas")
            .estimate("Best fixed", "replicas", "best_replicas")
            .estimate("Regret", "replicas", "regret")
            .estimate("At ONE", "of decisions", "one_share")
            .number("Static ONE", "stale", "one_stale_rate", "one_within");
    for (AdaptiveScenario scenario : scenarios) {
      table.section(scenario.title());
      scenario.policies().forEach(policy -> table.row(promise(scenario, policy)));
    }
    return table;
  }

  private static List<Cell> promise(AdaptiveScenario scenario, Configuration policy) {
    Promise promise = scenario.promise(policy);
    Estimate one =
        scenario.one(policy).map(c -> c.estimate(RunRow::staleRate)).orElse(Statistics.estimate());
    boolean within = one.present() && one.mean() <= promise.tolerated();
    String verdict = promise.verdict().word();
    Cell said = Cell.of(verdict.isEmpty() ? Figures.NONE : verdict);
    if (promise.verdict() == Verdict.BROKEN) {
      said = said.withClass("bad");
    }
    if (scenario.isAlmostStrong(policy)) {
      said = said.withDetail(strong(policy.estimate(LevelColumns.ONE_SHARE).mean()));
    } else if (promise.verdict() == Verdict.UNDECIDED && !promise.stale().hasInterval()) {
      said = said.withDetail("one block");
    }
    boolean comparable = one.present() && Double.isFinite(promise.tolerated());
    return List.of(
        Cell.of(policy.label()),
        Cell.value(Figures.percent(promise.tolerated()), promise.tolerated()),
        share(promise.stale()),
        said.withClass((said.css() + " remark").strip()),
        replicas(scenario.asked(policy)),
        replicas(scenario.best(policy)),
        replicas(scenario.regret(policy)).withClass("key"),
        atOne(policy.estimate(LevelColumns.ONE_SHARE), comparable && within),
        staticOne(one, comparable ? (within ? "within" : "above") : ""));
  }

  /** Decisions are few at the weak level, and reads too; one alone makes a policy adaptive. */
  private static String strong(double oneShare) {
    return oneShare > 0
        ? "strong in " + Figures.percent(1 - oneShare) + " of decisions"
        : "always strong: not adaptive";
  }

  private static Cell staticOne(Estimate one, String word) {
    List<String> csv = List.of(Figures.exact(one.mean()), word);
    return new Cell(Figures.percent(one.mean()), word, "", "", csv);
  }

  /** Replicas over their interval, in hundredths. */
  private static Cell replicas(Estimate replicas) {
    if (!replicas.present()) {
      return Cell.of(replicas);
    }
    Cell cell = Cell.of(replicas, hundredths(replicas.mean()));
    String low = hundredths(replicas.low());
    String high = hundredths(replicas.high());
    return replicas.hasInterval() && !low.equals(high)
        ? cell.withDetail(low + " to " + high)
        : cell;
  }

  private static String hundredths(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.equals("-0.00") ? "0.00" : text.replace("-", "\u2212");
  }

  private static Cell atOne(Estimate share, boolean wanted) {
    Cell cell = share(share);
    return wanted && share.present() && share.mean() < AT_ONE_TARGET ? cell.withClass("bad") : cell;
  }

  /** Each policy beside the static levels that it stands between, by block. */
  Table against() {
    Table table =
        new Table("adaptive-against", "Each policy against static levels")
            .text("Policy", "policy")
            .text("Strong level", "strong");
    table.under("Against ONE").estimate("Stale reads", "", "stale_change_one");
    table.estimate("Read p99", "", "p99_change_one");
    table.estimate("Energy", joules, "joules_change_one");
    table.under("Against the strong level").estimate("Throughput", "", "throughput_change_strong");
    table.estimate("Read p99", "", "p99_change_strong");
    table.estimate("Energy", joules, "joules_change_strong");
    for (AdaptiveScenario scenario : scenarios) {
      table.section(scenario.title());
      for (Configuration policy : scenario.policies()) {
        Optional<Configuration> one = scenario.one(policy);
        Optional<Configuration> strong = scenario.strong(policy);
        ToDoubleFunction<RunRow> p99 = row -> row.number(LoadColumns.READ_P99_US);
        table.row(
            List.of(
                Cell.of(policy.label()),
                Cell.of(strong.map(Configuration::label).orElse(Figures.NONE)),
                staleChange(policy, one),
                change(policy, one, p99),
                energyChange(policy, one),
                change(policy, strong, row -> row.number(LoadColumns.THROUGHPUT_OPS_S)),
                change(policy, strong, p99),
                energyChange(policy, strong)));
      }
    }
    return table;
  }

  /** What watching and deciding cost. */
  Table monitor() {
    Table table =
        new Table("adaptive-monitor", "What each policy\u2019s monitor cost, mean over repeats")
            .text("Policy", "policy")
            .number("Decisions", "all repeats", "decisions")
            .estimate("Requests", "per s", "monitor_requests_s")
            .estimate("Requests", "of operations", "monitor_request_share")
            .estimate("CPU", "s", "monitor_cpu_s")
            .number("Canary reads", "all repeats", "canary_reads")
            .number("Stale", "of canary reads", "canary_stale_rate");
    for (AdaptiveScenario scenario : scenarios) {
      table.section(scenario.title());
      for (Configuration c : scenario.policies()) {
        double reads = c.sum(LevelColumns.CANARY_READS);
        double stale = c.sum(LevelColumns.CANARY_STALE) / reads;
        Estimate share =
            c.estimate(
                r -> r.number(LevelColumns.MONITOR_REQUESTS) / r.number(LoadColumns.OPERATIONS));
        table.row(
            List.of(
                Cell.of(c.label()),
                Cell.count(c.sum(LevelColumns.DECISIONS)),
                Cell.of(
                    c.estimate(
                        r ->
                            r.number(LevelColumns.MONITOR_REQUESTS)
                                / r.number(LoadColumns.DURATION_S))),
                share(share),
                Cell.of(c.estimate(LevelColumns.MONITOR_CPU_S)),
                Cell.count(reads),
                Cell.value(Figures.percent(stale), stale)));
      }
    }
    return table;
  }

  /** A level without stale reads has no logarithm, so blocks' changes are taken as they are. */
  private static Cell staleChange(Configuration policy, Optional<Configuration> one) {
    double[] changes =
        one.map(
                reference ->
                    policy.ok().stream().mapToDouble(row -> staleChange(row, reference)).toArray())
            .orElse(new double[0]);
    Estimate change = Statistics.estimate(changes);
    return changeCell(change.mean(), change.low(), change.high());
  }

  private static double staleChange(RunRow row, Configuration reference) {
    return reference.ok().stream()
        .filter(other -> other.text(RunColumns.REPEAT).equals(row.text(RunColumns.REPEAT)))
        .mapToDouble(RunRow::staleRate)
        .filter(rate -> rate > 0)
        .map(rate -> row.staleRate() / rate - 1)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Cell energyChange(Configuration policy, Optional<Configuration> reference) {
    boolean sameOrigin =
        reference
            .map(r -> r.provenance().equals(policy.provenance()) && !r.provenance().contains(" + "))
            .orElse(false);
    return change(policy, sameOrigin ? reference : Optional.empty(), RunRow::joulesPerKop);
  }

  private static Cell change(
      Configuration policy, Optional<Configuration> reference, ToDoubleFunction<RunRow> figure) {
    if (reference.isEmpty()) {
      return changeCell(Double.NaN, Double.NaN, Double.NaN);
    }
    Ratio ratio = policy.ratioTo(reference.get(), figure);
    return changeCell(ratio.ratio() - 1, ratio.low() - 1, ratio.high() - 1);
  }

  private static Cell changeCell(double change, double low, double high) {
    List<String> csv = List.of(Figures.exact(change), Figures.exact(low), Figures.exact(high));
    String range = Double.isFinite(low) ? signed(low) + " to " + signed(high) : "";
    return new Cell(signed(change), range, "", "", csv);
  }

  /** A change in percent with its sign, in as many digits as matter. */
  static String signed(double change) {
    double percent = change * 100;
    if (!Double.isFinite(percent)) {
      return Figures.NONE;
    }
    if (percent > MOST_PERCENT) {
      return "> +%,.0f\u00A0%%".formatted(MOST_PERCENT);
    }
    String digits = String.format(Locale.ROOT, Math.abs(percent) < 10 ? "%.1f" : "%.0f", percent);
    String text = digits.replace("-", "\u2212");
    boolean zero = Double.parseDouble(digits) == 0;
    return (zero ? "0" : percent > 0 ? "+" + text : text) + "\u00A0%";
  }

  /** A share in percent over its interval, which ends at what a share can be. */
  static Cell share(Estimate share) {
    Cell cell = Cell.of(share, Figures.percent(share.mean()));
    if (!share.hasInterval() || share.halfWidth() < SMALL) {
      return cell;
    }
    String low = Figures.percent(Math.max(0, share.low()));
    String high = Figures.percent(Math.min(1, share.high()));
    return low.equals(high) ? cell : cell.withDetail(low + Figures.NONE + high);
  }
}
