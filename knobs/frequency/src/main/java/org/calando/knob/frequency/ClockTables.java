package org.calando.knob.frequency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.calando.report.Figures;
import org.calando.report.NonInferiority;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.ClockColumns;
import org.calando.report.column.Column;
import org.calando.report.column.LoadColumns;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** The tables on policies of clocks. Immutable. */
final class ClockTables {
  private static final double PERCENT = 100;
  private static final String ALL_YCSB = "all of YCSB, mean";
  private static final String ALL_OTHERS = "all others, mean";

  private final List<ClockGroup> groups;
  private final List<String> labels;
  private final List<String> policies;
  private final ClockSetup setup;
  private final ClockHeadroom headroom;

  ClockTables(List<ClockGroup> groups, ClockSetup setup, ClockHeadroom headroom) {
    this.groups = groups;
    this.labels = ClockGroup.labels(groups);
    this.policies =
        ClockGroup.policies(groups).stream()
            .filter(policy -> !policy.equals(ClockGroup.BASELINE))
            .toList();
    this.setup = setup;
    this.headroom = headroom;
  }

  /** Whether masters are as fast as at the highest clocks. */
  Table masters() {
    Table table = new Table("clock-masters", "Masters against all-high").text("Policy", "policy");
    table.under("Throughput of all-high").number("Ratio", "", "throughput", "low", "high");
    table.text("Verdict", "throughput_verdict");
    table.under("CPU an operation").number("Ratio", "", "cpu", "cpu_low", "cpu_high");
    table.text("Verdict", "cpu_verdict").under("").sectionsAre("workload");
    for (int i = 0; i < groups.size(); i++) {
      table.section(labels.get(i));
      for (String policy : policies) {
        ClockGroup.Pairs speed =
            groups.get(i).pairs(policy, r -> r.number(LoadColumns.THROUGHPUT_OPS_S));
        ClockGroup.Pairs cpu =
            groups.get(i).pairs(policy, r -> r.number(ClockColumns.MASTER_CPU_US_OP));
        if (speed.ours().length > 0) {
          List<Cell> cells = new ArrayList<>(List.of(Cell.of(policy)));
          cells.addAll(ratio(NonInferiority.ofMore(speed.ours(), speed.baseline()), false));
          cells.addAll(ratio(NonInferiority.ofLess(cpu.ours(), cpu.baseline()), true));
          table.row(cells);
        }
      }
    }
    return table;
  }

  /** A ratio to the baseline as one reads it, whichever way it was judged. */
  private static List<Cell> ratio(NonInferiority judged, boolean inverse) {
    Statistics.Ratio found = judged.ratio();
    if (!found.present()) {
      return List.of(new Cell(Figures.NONE, "", "", "", List.of("", "", "")), Cell.of(""));
    }
    double ratio = inverse ? 1 / found.ratio() : found.ratio();
    double low = inverse ? 1 / found.high() : found.low();
    double high = inverse ? 1 / found.low() : found.high();
    List<String> csv = List.of(Figures.exact(ratio), Figures.exact(low), Figures.exact(high));
    String interval = found.hasInterval() ? Figures.range(low, high) : "";
    String words = found.hasInterval() ? judged.verdict().words() : "one block";
    String more =
        judged.blocks().isPresent() ? judged.blocks().getAsInt() + " blocks would tell" : "";
    return List.of(new Cell(Figures.figure(ratio), interval, "", "key", csv), Cell.of(words, more));
  }

  /** What is saved, run against run and by the account of the same run. */
  Table energy() {
    Table table =
        new Table("clock-energy", "Energy of cores saved against all-high")
            .text("Policy", "policy");
    table.under("An operation, run against run");
    table.estimate("i = 1", "%", "saved_i1").estimate("i = 0", "%", "saved_i0");
    table.under("The same work at the fastest clock");
    table.estimate("i = 1", "%", "ledger_i1").estimate("i = 0", "%", "ledger_i0");
    table.under("").text("Published", "published").sectionsAre("workload");
    for (int i = 0; i < groups.size(); i++) {
      table.section(labels.get(i));
      energy(table, List.of(groups.get(i)));
    }
    means()
        .forEach(
            (title, of) -> {
              table.section(title);
              energy(table, of);
            });
    return table;
  }

  /** The groups that the paper tells a mean of, if there are several. */
  private Map<String, List<ClockGroup>> means() {
    Map<String, List<ClockGroup>> means = new LinkedHashMap<>();
    means.put(ALL_OTHERS, groups.stream().filter(group -> !group.isYcsb()).toList());
    means.put(ALL_YCSB, groups.stream().filter(ClockGroup::isYcsb).toList());
    means.values().removeIf(of -> of.size() < 2);
    return means;
  }

  private void energy(Table table, List<ClockGroup> of) {
    for (String policy : policies) {
      Estimate charged = saved(of, policy, ClockColumns.CLOCK_ENERGY_I1_J);
      if (charged.present()) {
        table.row(
            List.of(
                Cell.of(policy),
                Cell.of(charged).withClass("key"),
                Cell.of(saved(of, policy, ClockColumns.CLOCK_ENERGY_I0_J)).withClass("key"),
                Cell.of(ledger(of, policy, ClockColumns.CLOCK_SAVING_I1)),
                Cell.of(ledger(of, policy, ClockColumns.CLOCK_SAVING_I0)),
                Cell.of(published(policy, of.get(0).isYcsb()))));
      }
    }
  }

  private static Estimate saved(List<ClockGroup> of, String policy, Column column) {
    ToDoubleFunction<RunRow> joules = ConcertoFigures.joulesPerKop(column);
    return mean(of.stream().map(group -> group.saved(policy, joules)).toList());
  }

  private static Estimate ledger(List<ClockGroup> of, String policy, Column column) {
    return mean(of.stream().map(group -> group.byBlock(policy, r -> r.number(column))).toList());
  }

  /** The mean over groups within each block that all of them have, and over those blocks. */
  private static Estimate mean(List<Map<String, Double>> shares) {
    Set<String> blocks = new LinkedHashSet<>(shares.get(0).keySet());
    shares.forEach(each -> blocks.retainAll(each.keySet()));
    return Statistics.estimate(
        blocks.stream().mapToDouble(block -> rounded(PERCENT * mean(shares, block))).toArray());
  }

  private static double mean(List<Map<String, Double>> shares, String block) {
    return shares.stream()
        .mapToDouble(each -> each.getOrDefault(block, Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  /** Without what is left of arithmetic, which would look like scatter. */
  private static double rounded(double percent) {
    return Math.rint(percent * 1e9) / 1e9;
  }

  private static String published(String policy, boolean ycsb) {
    return switch (policy) {
      case "concerto" -> ycsb ? "44\u00A0% in the mean" : "27 to 36\u00A0%";
      case "all-low" -> ycsb ? "67\u00A0% in the mean" : "54\u00A0%";
      default -> Figures.NONE;
    };
  }

  /** Figure 3 as a table, with what is left of the time between two writes. */
  Table headroom() {
    Table table =
        new Table("clock-headroom", "Writes at a replica by P-state").number("Clock", "GHz", "ghz");
    table.estimate("Arrival", "us", "arrival_us").estimate("Processing", "us", "processing_us");
    table.estimate("Measured", "us", "measured_us").number("Head-room", "%", "headroom_percent");
    table.number("Busy", "%", "busy_percent").text("Verdict", "verdict").sectionsAre("workload");
    for (int i = 0; i < groups.size(); i++) {
      if (headroom.isOfWrites(groups.get(i))) {
        table.section(labels.get(i));
        headroom.of(groups.get(i)).forEach(state -> table.row(headroom(state)));
      }
    }
    return table;
  }

  private List<Cell> headroom(ClockHeadroom.State state) {
    Estimate arrival = Statistics.estimate(state.arrival());
    Estimate predicted = Statistics.estimate(state.predicted());
    double busy = Statistics.estimate(state.busy()).mean() * PERCENT;
    double left = (1 - predicted.mean() / arrival.mean()) * PERCENT;
    return List.of(
        Cell.of(Figures.exact(state.ghz())),
        Cell.of(arrival),
        Cell.of(predicted),
        Cell.of(Statistics.estimate(state.measured())),
        Cell.value(Figures.figure(left), left).withClass("key"),
        Cell.value(Figures.figure(busy), busy),
        Cell.of(keepsUp(busy)));
  }

  private String keepsUp(double busyPercent) {
    if (busyPercent >= PERCENT) {
      return "falls behind";
    }
    double limit = Double.isNaN(setup.busyLimit()) ? 1 : setup.busyLimit();
    return busyPercent <= limit * PERCENT ? "keeps up" : "tight";
  }

  /** How far replicas were behind, beside what they may be. */
  Table lag() {
    Table table =
        new Table("clock-lag", "Lag of replicas").text("Policy", "policy").under("Lag, bytes");
    table.spread("Median", "", "lag_p50_bytes").number("Greatest", "", "lag_max_bytes");
    table.under("Lag, ms").number("Greatest", "", "lag_max_ms").under("");
    table.text("Within limits", "within").number("Changes of clocks", "", "changes");
    table.sectionsAre("workload");
    for (int i = 0; i < groups.size(); i++) {
      table.section(labels.get(i));
      for (String policy : ClockGroup.policies(groups)) {
        if (!groups.get(i).of(policy).isEmpty()) {
          table.row(lag(groups.get(i), policy));
        }
      }
    }
    return table;
  }

  private List<Cell> lag(ClockGroup group, String policy) {
    double bytes = most(group.values(policy, r -> r.number(ClockColumns.LAG_MAX_BYTES)));
    double millis = most(group.values(policy, r -> r.number(ClockColumns.LAG_MAX_MS)));
    double changes =
        Arrays.stream(group.values(policy, r -> r.number(ClockColumns.CLOCK_CHANGES))).sum();
    return List.of(
        Cell.of(policy),
        Cell.of(
            Statistics.spread(group.values(policy, r -> r.number(ClockColumns.LAG_P50_BYTES))), 1),
        Cell.value(Figures.count(bytes), bytes),
        Cell.value(Figures.figure(millis), millis),
        Cell.of(within(bytes, millis)),
        Cell.count(changes));
  }

  private String within(double bytes, double millis) {
    if (Double.isNaN(bytes) || Double.isNaN(millis) || Double.isNaN(setup.lagBytes())) {
      return Figures.NONE;
    }
    boolean both = bytes <= setup.lagBytes() && millis <= setup.lagMillis();
    return both ? "yes" : "no";
  }

  private static double most(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).max().orElse(Double.NaN);
  }

  /** What the power manager itself took. */
  Table manager() {
    Table table =
        new Table("clock-manager", "The manager\u2019s own cost").text("Policy", "policy");
    table.estimate("CPU time", "% of a core", "manager_cpu_percent");
    table.estimate("Energy", "J a run", "manager_j");
    table.number("Of what is saved", "%, i = 1", "of_saved_i1").sectionsAre("workload");
    for (int i = 0; i < groups.size(); i++) {
      table.section(labels.get(i));
      for (String policy : ClockGroup.policies(groups)) {
        Estimate cpu =
            Statistics.estimate(
                groups
                    .get(i)
                    .values(
                        policy,
                        r ->
                            PERCENT
                                * r.number(ClockColumns.MANAGER_CPU_S)
                                / r.number(LoadColumns.DURATION_S)));
        if (cpu.present()) {
          table.row(manager(groups.get(i), policy, cpu));
        }
      }
    }
    return table;
  }

  private static List<Cell> manager(ClockGroup group, String policy, Estimate cpu) {
    Estimate joules =
        Statistics.estimate(group.values(policy, r -> r.number(ClockColumns.MANAGER_J)));
    // By the account of the same run: what was spent over what the share saved left of it.
    double saved =
        Statistics.estimate(
                group.values(
                    policy,
                    r -> {
                      double share = r.number(ClockColumns.CLOCK_SAVING_I1);
                      return r.number(ClockColumns.CLOCK_ENERGY_I1_J) * share / (1 - share);
                    }))
            .mean();
    double part = saved > 0 ? PERCENT * joules.mean() / saved : Double.NaN;
    return List.of(
        Cell.of(policy), Cell.of(cpu), Cell.of(joules), Cell.value(Figures.figure(part), part));
  }

  /** What limits of the lag are, in words. */
  String limits() {
    return Double.isNaN(setup.lagBytes())
        ? "Limits were not recorded."
        : String.format(
            Locale.ROOT,
            "Limits: %s bytes and %s ms, beyond which a replica is raised.",
            Figures.count(setup.lagBytes()),
            Figures.plain(setup.lagMillis()));
  }
}
