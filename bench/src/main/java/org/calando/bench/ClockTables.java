package org.calando.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.calando.report.NonInferiority;
import org.calando.report.NonInferiority.Verdict;
import org.calando.report.Statistics.Ratio;

/**
 * What studies of clocks come to, as tables: are masters as fast and as cheap as at the highest
 * clock, what is saved, and how far replicas lag.
 */
final class ClockTables {
  private static final List<String> CAREFUL = List.of("concerto", "slack");
  private static final List<String> POLICIES = List.of("concerto", "slack", "all-low");

  /** Workloads that papers put together, in the order of the tables. */
  private static final Map<String, Predicate<ClockRun>> FAMILIES =
      Map.of("memtier", run -> !run.isYcsb(), "YCSB", ClockRun::isYcsb, "all", run -> true);

  private final ClockRuns all;

  ClockTables(ClockRuns all) {
    this.all = all;
  }

  /** Each workload's throughput and master CPU time an operation, beside the highest clocks'. */
  MarkdownTable masters() {
    MarkdownTable table =
        new MarkdownTable(
            "replicas",
            "workload",
            "policy",
            "blocks",
            "throughput of all-high's",
            "",
            "master's CPU an operation, of all-high's",
            "",
            "us/op at all-high");
    for (int replicas : all.replicas()) {
      ClockRuns some = all.where(run -> run.replicas() == replicas);
      for (String workload : some.workloads()) {
        ClockRuns runs = some.where(run -> run.workload().equals(workload));
        for (String policy : CAREFUL) {
          NonInferiority throughput = runs.more(policy, "throughput_ops_s");
          NonInferiority cpu = runs.less(policy, "master_cpu_us_op");
          table.add(
              String.valueOf(replicas),
              workload,
              policy,
              String.valueOf(throughput.ratio().blocks()),
              interval(throughput.ratio(), "%.4f"),
              verdict(throughput),
              interval(inverse(cpu.ratio()), "%.3f"),
              verdict(cpu),
              number(runs.mean(ClockRuns.BASELINE, "master_cpu_us_op"), "%.1f"));
        }
      }
    }
    return table;
  }

  /** Energy saved, by both accountings, beside what is published. */
  MarkdownTable energy() {
    MarkdownTable table =
        new MarkdownTable(
            "replicas",
            "workloads",
            "policy",
            "saved, idle cores charged (i = 1)",
            "by its own account",
            "saved, busy time only (i = 0)",
            "by its own account",
            "published");
    for (int replicas : all.replicas()) {
      for (String family : List.of("memtier", "YCSB", "all")) {
        ClockRuns runs =
            all.where(
                run ->
                    run.replicas() == replicas
                        && FAMILIES.getOrDefault(family, any -> true).test(run));
        if (runs.runs().isEmpty()) {
          continue;
        }
        for (String policy : POLICIES) {
          table.add(
              String.valueOf(replicas),
              family,
              policy,
              saved(runs.ratioOfSums(policy, "clock_energy_i1_j")),
              percent(runs.mean(policy, "clock_saving_i1")),
              saved(runs.ratioOfSums(policy, "clock_energy_i0_j")),
              percent(runs.mean(policy, "clock_saving_i0")),
              published(family, policy));
        }
      }
    }
    return table;
  }

  /** How far replicas lagged, what they cost, and what the manager did. */
  MarkdownTable lag() {
    MarkdownTable table =
        new MarkdownTable(
            "replicas",
            "policy",
            "runs",
            "greatest lag, KiB",
            "greatest lag, ms",
            "median of medians, bytes",
            "replica's CPU, of all-high's",
            "changes of clocks a run",
            "manager, % of a core",
            "manager, J a run");
    for (int replicas : all.replicas()) {
      ClockRuns some = all.where(run -> run.replicas() == replicas);
      for (String policy : List.of("all-high", "concerto", "slack", "all-low")) {
        ClockRuns runs = some.where(run -> run.clock().equals(policy));
        table.add(
            String.valueOf(replicas),
            policy,
            String.valueOf(runs.runs().size()),
            number(runs.greatest(policy, "lag_max_bytes") / 1024, "%.1f"),
            number(runs.greatest(policy, "lag_max_ms"), "%.1f"),
            number(median(runs, "lag_p50_bytes"), "%.0f"),
            interval(some.ratioOfSums(policy, "replica_cpu_us_op"), "%.2f"),
            number(runs.mean(policy, "clock_changes"), "%.1f"),
            number(
                runs.estimate(
                        policy, run -> 100 * run.figure("manager_cpu_s") / run.figure("duration_s"))
                    .mean(),
                "%.2f"),
            number(runs.mean(policy, "manager_j"), "%.3f"));
      }
    }
    return table;
  }

  /** How many of the verdicts are what. */
  String summary() {
    int good = 0;
    int bad = 0;
    int open = 0;
    for (List<String> row : masters().body()) {
      for (String verdict : List.of(row.get(5), row.get(7))) {
        good += verdict.equals(Verdict.NON_INFERIOR.words()) ? 1 : 0;
        bad += verdict.equals(Verdict.INFERIOR.words()) ? 1 : 0;
        open += verdict.startsWith(Verdict.UNDECIDED.words()) ? 1 : 0;
      }
    }
    return "%d blocks, %d runs: %d of %d comparisons non-inferior, %d inferior, %d undecided"
        .formatted(all.blocks(), all.runs().size(), good, good + bad + open, bad, open);
  }

  /** Lee and Lee 2021: at which value sizes or replicas is not told. */
  private static String published(String family, String policy) {
    return switch (policy) {
      case "concerto" ->
          switch (family) {
            case "memtier" -> "27-36 %";
            case "YCSB" -> "44 %";
            default -> "32 %, at most 51 %";
          };
      case "all-low" -> family.equals("all") ? "54 %, 67 %" : "";
      default -> "";
    };
  }

  private static String verdict(NonInferiority judged) {
    String words = judged.verdict().words();
    if (judged.verdict() != Verdict.UNDECIDED) {
      return words;
    }
    return judged.blocks().isPresent()
        ? words + ": " + judged.blocks().getAsInt() + " blocks"
        : words;
  }

  private static Ratio inverse(Ratio ratio) {
    return new Ratio(
        ratio.blocks(),
        1 / ratio.ratio(),
        1 / ratio.high(),
        1 / ratio.low(),
        ratio.p(),
        ratio.detectable());
  }

  private static String saved(Ratio ratio) {
    if (!ratio.present()) {
      return "";
    }
    String mean = percent(1 - ratio.ratio());
    return ratio.hasInterval()
        ? String.format(
            Locale.ROOT, "%s [%.1f, %.1f]", mean, 100 * (1 - ratio.high()), 100 * (1 - ratio.low()))
        : mean;
  }

  private static String interval(Ratio ratio, String format) {
    if (!ratio.present()) {
      return "";
    }
    String mean = number(ratio.ratio(), format);
    return ratio.hasInterval()
        ? mean + " [" + number(ratio.low(), format) + ", " + number(ratio.high(), format) + "]"
        : mean;
  }

  private static double median(ClockRuns runs, String column) {
    double[] sorted =
        runs.runs().stream()
            .mapToDouble(run -> run.figure(column))
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
  }

  private static String percent(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : "";
  }

  private static String number(double value, String format) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "";
  }
}
