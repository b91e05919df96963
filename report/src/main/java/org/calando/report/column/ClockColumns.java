package org.calando.report.column;

/** Columns of the clocks of processors. */
public final class ClockColumns {
  static final Contributor<ClockFigures> CLOCKS = new Contributor<>(ClockFigures.class);

  public static final Column CLOCK_ENERGY_I0_J =
      CLOCKS
          .column(
              "clock_energy_i0_j",
              "J",
              "modelled joules of the nodes' processors if idle cores draw no dynamic power")
          .number(found -> found.busyOnly().joules());
  public static final Column CLOCK_ENERGY_I1_J =
      CLOCKS
          .column("clock_energy_i1_j", "J", "the same if idle cores draw as much as busy ones")
          .number(found -> found.idleCharged().joules());
  public static final Column CLOCK_SAVING_I0 =
      CLOCKS
          .column(
              "clock_saving_i0",
              "share",
              "part saved against the same work at the fastest clock; below 0 if more was used")
          .number(found -> found.busyOnly().saving());
  public static final Column CLOCK_SAVING_I1 =
      CLOCKS
          .column("clock_saving_i1", "share", "the same if idle cores draw as much as busy ones")
          .number(found -> found.idleCharged().saving());
  public static final Column MASTER_CPU_US_OP =
      CLOCKS
          .column("master_cpu_us_op", "us", "CPU time of masters for an operation that succeeded")
          .number((found, run) -> found.masterCpuSeconds() * micros(run));
  public static final Column REPLICA_CPU_US_OP =
      CLOCKS
          .column("replica_cpu_us_op", "us", "the same of a replica, on average")
          .number((found, run) -> found.replicaCpuSeconds() * micros(run));
  public static final Column LAG_P50_BYTES =
      CLOCKS
          .column("lag_p50_bytes", "bytes", "median lag of replicas in the replication stream")
          .number(found -> found.lag().p50Bytes());
  public static final Column LAG_MAX_BYTES =
      CLOCKS
          .column("lag_max_bytes", "bytes", "greatest lag")
          .number(found -> found.lag().maxBytes());
  public static final Column LAG_MAX_MS =
      CLOCKS
          .column("lag_max_ms", "ms", "greatest age of data not yet applied")
          .number(found -> found.lag().maxNanos() / 1e6);
  public static final Column MANAGER_CPU_S =
      CLOCKS
          .column("manager_cpu_s", "s", "CPU time of watching roles and deciding on clocks")
          .number(ClockFigures::managerCpuSeconds);
  public static final Column MANAGER_J =
      CLOCKS
          .column("manager_j", "J", "its joules on a core at its fastest clock")
          .number(ClockFigures::managerJoules);
  public static final Column CLOCK_CHANGES =
      CLOCKS
          .column("clock_changes", "count", "clocks that were set to another than before")
          .number(ClockFigures::changes);

  private ClockColumns() {}

  private static double micros(RunRecord run) {
    return run.find(LoadFigures.class).map(load -> 1e6 / load.succeeded()).orElse(Double.NaN);
  }
}
