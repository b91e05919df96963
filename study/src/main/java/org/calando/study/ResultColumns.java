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

  private static final String COLUMNS =
      """
      run | text | the run's id, and the name of its folder below `runs`
      engine | text | cassandra, redis, hbase, hdfs or sim
      workload | text | name, preset or file of the workload
      threads | count | clients of a closed loop, each of which waits for its answer
      rate | text | rate of an open loop as the study has it
      consistency | text | levels or policy as the study has them
      read_level | text | level of reads, or the policy that chooses it
      write_level | text | level of writes
      layout | text | layout of tokens or blocks
      gear | text | gear, or the policy that chooses it
      clock | text | policy that sets the clocks of processors
      write_buffer | text | how writes are sent: strong, deferred, or fresh by a policy
      repeat | count | the block, from 1: each holds every configuration once
      operations | count | operations that ended, errors included
      errors | count | operations that failed, those without an answer included
      duration_s | s | length of the measured window
      throughput_ops_s | ops/s | operations that succeeded over the window's length
      read_p50_us | us | median latency of reads; open loops: from the intended start
      read_p99_us | us | 99th percentile of the same
      write_p50_us | us | median latency of writes, likewise
      write_p99_us | us | 99th percentile of the same
      reads | count | reads that were checked for staleness
      stale_reads | count | of these, reads older than the newest version acknowledged when they began
      stale_rate | share | `stale_reads` over `reads`
      stale_p99_ms | ms | 99th percentile, over stale reads, of how long the version returned had been obsolete when the read began
      freshness_p99_ms | ms | 99th percentile of the time from a deferred write's call until the server had it
      at_risk | count | mean number of writes that were acknowledged and not yet on the store
      energy_j | J | gross energy of all nodes; of clients and `sampling_j` nothing, unless the meter covers the machine they run on
      energy_net_j | J | the same less what the nodes draw idle in that time, by their mean power in `power.baseline` just before the run; of simulated ones by the profile
      joules_per_kop | J | `energy_j` for 1000 operations that succeeded
      power_mean_w | W | mean power of all nodes together
      power_cv | 1 | population standard deviation of the nodes' mean powers over their mean
      power_max_min | W | highest less lowest of the nodes' mean powers
      cpu_cv | 1 | as `power_cv`, of the nodes' mean processor use
      cpu_max_min | % | as `power_max_min`, of the nodes' mean processor use
      meter | text | what energy was read from
      provenance | text | measured, modelled, attributed or simulated
      status | text | ok or failed: a failed run's figures do not count
      cpu_s | s | CPU time of all nodes
      stale_max_versions | count | how many versions the worst stale read was behind
      stale_coverage | share | part of the stale reads whose age and versions are known
      ryw_violations | count | reads older than what the same client had written before
      monotonic_violations | count | reads older than what the same client had read before
      dual_reads | count | reads that were repeated at ALL (`staleness: dual-read`)
      dual_stale_reads | count | of these, reads whose repetition had a newer version
      intended_rate | ops/s | rate of an open loop, where it is one number
      message | text | why the run failed
      nodes | count | nodes of the cluster
      power_scope | text | what the meter covers: node, package or host
      energy_kwh | kWh | `energy_j` in kWh
      cost | currency | its price by `power.price-per-kwh`, times `pue`
      co2e_g | g | its CO2e by `power.carbon-intensity`, times `pue`
      sampling_cpu_s | s | CPU time that sampling of power and nodes took
      sampling_j | J | modelled joules of that time
      client_cpu_s | s | CPU time of clients: Calando's own process; of simulated clients by `client-work`
      dual_stale_rate | share | `dual_stale_reads` over `dual_reads`
      policy | text | the policy that chose the level of reads
      tolerated | share | stale rate that the policy keeps to
      mean_replicas | count | replicas that a read asked, in the mean
      one_share | share | part of the policy's decisions that were for ONE alone
      decisions | count | decisions that the policy took
      monitor_requests | count | requests that observing the table sent
      monitor_cpu_s | s | CPU time that observing and deciding took
      harmony_one | share | stale rate of reads at ONE by Harmony as published, in the mean
      exact_one | share | the same by the exact model for each key
      pbs_one | share | the same by PBS, from measured lags of each replica
      harmony_rate | share | stale rate of what was decided by Harmony, in the mean
      exact_rate | share | the same by the exact model
      pbs_rate | share | the same by PBS
      canary_reads | count | canary reads that were compared with the policy's estimate
      canary_stale | count | of these, stale ones
      clock_energy_i0_j | J | modelled joules of the nodes' processors if idle cores draw no dynamic power
      clock_energy_i1_j | J | the same if idle cores draw as much as busy ones
      clock_saving_i0 | share | part saved against the same work at the fastest clock; below 0 if more was used
      clock_saving_i1 | share | the same if idle cores draw as much as busy ones
      master_cpu_us_op | us | CPU time of masters for an operation that succeeded
      replica_cpu_us_op | us | the same of a replica, in the mean
      lag_p50_bytes | bytes | median lag of replicas in the replication stream
      lag_max_bytes | bytes | greatest lag
      lag_max_ms | ms | greatest age of what was yet to be applied
      manager_cpu_s | s | CPU time of watching roles and deciding on clocks
      manager_j | J | its joules on a core at its fastest clock
      clock_changes | count | clocks that were set to another than before
      gear_shifts | count | shifts of gear: of a fixed gear those around the run, else those in it
      shift_energy_j | J | modelled energy of shifts: of nodes that boot, and catch-up
      moved_bytes | bytes | what nodes that were off had missed and were sent
      shift_s | s | time that shifts took; empty for simulated clusters
      read_bytes | bytes | what clients read from files
      written_bytes | bytes | what clients wrote to files
      joules_per_mb | J | `energy_j` for 10^6 bytes read or written
      freshness_p50_ms | ms | as `freshness_p99_ms`, the median
      freshness_max_ms | ms | as `freshness_p99_ms`, the longest
      flushes | count | buffers of deferred writes that were sent
      at_risk_max | count | as `at_risk`, the most at any time
      lost_writes | count | writes that were acknowledged and failed later
      ops_per_joule | 1/J | operations that the store acknowledged, lost and unsent writes not among them, for a gross joule
      promised_ms | ms | time within which writes were promised to be visible
      fresh_share | share | part of the writes that kept that promise
      sla_per_budget | 1/J | `fresh_share` over the joules of 1000 operations; 0 where it is below 99 %
      warm_up_s | s | how long the load ran before the window; empty if simulated
      read_mean_us | us | mean latency of reads, from where percentiles count
      write_mean_us | us | mean latency of writes, likewise
      lost_hints | count | writes for nodes that were away that a simulated cluster had no room to keep
      started | text | when the run began, ISO 8601 in UTC; empty if simulated
      resumes | count | how often the study had been resumed by then; empty if simulated
      fallback_share | share | part of the policy's decisions that were the fallback, for want of figures
      """;

  /** In their order; new ones are added at the end. */
  static final List<Column> ALL = COLUMNS.lines().map(ResultColumns::column).toList();

  private ResultColumns() {}

  /**
   * A column.
   *
   * @param name in the header
   * @param unit of its values, or what they are
   * @param meaning in words, Markdown
   */
  record Column(String name, String unit, String meaning) {}

  private static Column column(String line) {
    String[] parts = line.split(" \\| ", 3);
    return new Column(parts[0], parts[1], parts[2]);
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
