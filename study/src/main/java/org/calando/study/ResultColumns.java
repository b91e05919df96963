package org.calando.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The columns of results.csv: the one source of the file's header and of the page that explains it.
 * Immutable.
 */
public final class ResultColumns {
  private static final String TEXT = "text";
  private static final String COUNT = "count";
  private static final String SHARE = "share";

  private static final String INTRODUCTION =
      """
      # results.csv

      Generated from the list that the file is written by; do not edit.

      A row a run, in the order of the study's plan. CSV by RFC 4180 with a header; columns may be added at the end, none is renamed. A column
      is empty where it does not apply or nothing is known: empty is never 0. Figures are of the measured window; what began in the warm-up is in none. Shares are
      0 to 1. Percentiles are of the run's whole histogram, never averaged. Joules are all nodes', of the `meter`, `provenance` and `power_scope` beside them.
      `runs/ID/summary.json` has the same row and more.

      | column | unit | meaning |
      |---|---|---|
      """;

  /** In their order; new ones are added at the end. */
  static final List<Column> ALL =
      List.of(
          text("run", "the run's id, and the name of its folder below `runs`"),
          text("engine", "cassandra, redis, hbase, hdfs or sim"),
          text("workload", "name, preset or file of the workload"),
          count("threads", "clients of a closed loop, each of which waits for its answer"),
          text("rate", "rate of an open loop as the study has it"),
          text("consistency", "levels or policy as the study has them"),
          text("read_level", "level of reads, or the policy that chooses it"),
          text("write_level", "level of writes"),
          text("layout", "layout of tokens or blocks"),
          text("gear", "gear, or the policy that chooses it"),
          text("clock", "policy that sets the clocks of processors"),
          text("write_buffer", "how writes are sent: strong, deferred, or fresh by a policy"),
          count("repeat", "the block, from 1: each holds every configuration once"),
          count("operations", "operations that ended, errors included"),
          count("errors", "operations that failed, those without an answer included"),
          of("duration_s", "s", "length of the measured window"),
          of("throughput_ops_s", "ops/s", "operations that succeeded over the window's length"),
          of("read_p50_us", "us", "median latency of reads; open loops: from the intended start"),
          of("read_p99_us", "us", "99th percentile of the same"),
          of("write_p50_us", "us", "median latency of writes, likewise"),
          of("write_p99_us", "us", "99th percentile of the same"),
          count("reads", "reads that were checked for staleness"),
          count(
              "stale_reads",
              "of these, reads older than the newest version acknowledged when they began"),
          share("stale_rate", "`stale_reads` over `reads`"),
          of("stale_p99_ms", "ms", "99th percentile of how long what stale reads returned was old"),
          of(
              "freshness_p99_ms",
              "ms",
              "99th percentile of the time from a deferred write's call until the server had it"),
          of(
              "at_risk",
              COUNT,
              "mean number of writes that were acknowledged and not yet on the store"),
          of("energy_j", "J", "gross energy of all nodes"),
          of("energy_net_j", "J", "the same above what the nodes draw idle in that time"),
          of("joules_per_kop", "J", "`energy_j` for 1000 operations that succeeded"),
          of("power_mean_w", "W", "mean power of all nodes together"),
          of(
              "power_cv",
              "1",
              "population standard deviation of the nodes' mean powers over their mean"),
          of("power_max_min", "W", "highest less lowest of the nodes' mean powers"),
          of("cpu_cv", "1", "as `power_cv`, of the nodes' mean processor use"),
          of("cpu_max_min", "%", "as `power_max_min`, of the nodes' mean processor use"),
          text("meter", "what energy was read from"),
          text("provenance", "measured, modelled, attributed or simulated"),
          text("status", "ok or failed: a failed run's figures do not count"),
          of("cpu_s", "s", "CPU time of all nodes"),
          count("stale_max_versions", "how many versions the worst stale read was behind"),
          share("stale_coverage", "part of the stale reads whose age and versions are known"),
          count("ryw_violations", "reads older than what the same client had written before"),
          count("monotonic_violations", "reads older than what the same client had read before"),
          count("dual_reads", "reads that were repeated at ALL (`staleness: dual-read`)"),
          count("dual_stale_reads", "of these, reads whose repetition had a newer version"),
          of("intended_rate", "ops/s", "rate of an open loop, where it is one number"),
          text("message", "why the run failed"),
          count("nodes", "nodes of the cluster"),
          text("power_scope", "what the meter covers: node, package or host"),
          of("energy_kwh", "kWh", "`energy_j` in kWh"),
          of("cost", "currency", "its price by `power.price-per-kwh`, times `pue`"),
          of("co2e_g", "g", "its CO2e by `power.carbon-intensity`, times `pue`"),
          of("sampling_cpu_s", "s", "CPU time that sampling of power and nodes took"),
          of("sampling_j", "J", "modelled joules of that time"),
          of(
              "client_cpu_s",
              "s",
              "CPU time of clients: Calando's own process; of simulated clients by `client-work`"),
          share("dual_stale_rate", "`dual_stale_reads` over `dual_reads`"),
          text("policy", "the policy that chose the level of reads"),
          share("tolerated", "stale rate that the policy keeps to"),
          of("mean_replicas", COUNT, "replicas that a read asked, in the mean"),
          share("one_share", "part of the policy's decisions that were for ONE alone"),
          count("decisions", "decisions that the policy took"),
          count("monitor_requests", "requests that observing the table sent"),
          of("monitor_cpu_s", "s", "CPU time that observing and deciding took"),
          share("harmony_one", "stale rate of reads at ONE by Harmony as published, in the mean"),
          share("exact_one", "the same by the exact model for each key"),
          share("pbs_one", "the same by PBS, from measured lags of each replica"),
          share("harmony_rate", "stale rate of what was decided by Harmony, in the mean"),
          share("exact_rate", "the same by the exact model"),
          share("pbs_rate", "the same by PBS"),
          count("canary_reads", "canary reads that were compared with the policy's estimate"),
          count("canary_stale", "of these, stale ones"),
          of(
              "clock_energy_i0_j",
              "J",
              "modelled joules of the nodes' processors if idle cores draw no dynamic power"),
          of("clock_energy_i1_j", "J", "the same if idle cores draw as much as busy ones"),
          share(
              "clock_saving_i0",
              "part saved against the same work at the fastest clock; below 0 if more was used"),
          share("clock_saving_i1", "the same if idle cores draw as much as busy ones"),
          of("master_cpu_us_op", "us", "CPU time of masters for an operation that succeeded"),
          of("replica_cpu_us_op", "us", "the same of a replica, in the mean"),
          of("lag_p50_bytes", "bytes", "median lag of replicas in the replication stream"),
          of("lag_max_bytes", "bytes", "greatest lag"),
          of("lag_max_ms", "ms", "greatest age of what was yet to be applied"),
          of("manager_cpu_s", "s", "CPU time of watching roles and deciding on clocks"),
          of("manager_j", "J", "its joules on a core at its fastest clock"),
          count("clock_changes", "clocks that were set to another than before"),
          count(
              "gear_shifts",
              "shifts of gear: of a fixed gear those around the run, else those in it"),
          of("shift_energy_j", "J", "modelled energy of shifts: of nodes that boot, and catch-up"),
          of("moved_bytes", "bytes", "what nodes that were off had missed and were sent"),
          of("shift_s", "s", "time that shifts took; empty for simulated clusters"),
          of("read_bytes", "bytes", "what clients read from files"),
          of("written_bytes", "bytes", "what clients wrote to files"),
          of("joules_per_mb", "J", "`energy_j` for 10^6 bytes read or written"),
          of("freshness_p50_ms", "ms", "as `freshness_p99_ms`, the median"),
          of("freshness_max_ms", "ms", "as `freshness_p99_ms`, the longest"),
          count("flushes", "buffers of deferred writes that were sent"),
          count("at_risk_max", "as `at_risk`, the most at any time"),
          count("lost_writes", "writes that were acknowledged and failed later"),
          of(
              "ops_per_joule",
              "1/J",
              "operations that the store acknowledged, lost and unsent writes not among them, for a"
                  + " gross joule"),
          of("promised_ms", "ms", "time within which writes were promised to be visible"),
          share("fresh_share", "part of the writes that kept that promise"),
          of(
              "sla_per_budget",
              "1/J",
              "`fresh_share` over the joules of 1000 operations; 0 where it is below 99 %"),
          of("warm_up_s", "s", "how long the load ran before the window; empty if simulated"),
          of("read_mean_us", "us", "mean latency of reads, from where percentiles count"),
          of("write_mean_us", "us", "mean latency of writes, likewise"),
          count(
              "lost_hints",
              "writes for nodes that were away that a simulated cluster had no room to keep"));

  private ResultColumns() {}

  /**
   * A column.
   *
   * @param name in the header
   * @param unit of its values, or what they are
   * @param meaning in words, Markdown
   */
  record Column(String name, String unit, String meaning) {}

  private static Column of(String name, String unit, String meaning) {
    return new Column(name, unit, meaning);
  }

  private static Column text(String name, String meaning) {
    return new Column(name, TEXT, meaning);
  }

  private static Column count(String name, String meaning) {
    return new Column(name, COUNT, meaning);
  }

  private static Column share(String name, String meaning) {
    return new Column(name, SHARE, meaning);
  }

  /** The page {@code results-csv.md} of the reference. */
  static String page() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    for (Column column : ALL) {
      page.append("| `%s` | %s | %s |\n".formatted(column.name, column.unit, column.meaning));
    }
    return page.toString();
  }

  /**
   * Writes {@code results-csv.md}.
   *
   * @param arguments the folder to write to, docs by default
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments.length == 0 ? "docs" : arguments[0]);
    Files.writeString(folder.resolve("results-csv.md"), page());
  }
}
