package org.calando.report.column;

/** Columns of what was run, and of how it ended. */
public final class RunColumns {
  /** The status of a run whose figures count. */
  public static final String OK = "ok";

  static final Contributor<RunRecord> RUN = new Contributor<>(RunRecord.class);

  public static final Column ID =
      RUN.column("run", "text", "the run's id, and the name of its folder below `runs`").given();
  public static final Column ENGINE =
      RUN.column("engine", "text", "cassandra, redis, hbase, hdfs or sim").given();
  public static final Column WORKLOAD =
      RUN.column("workload", "text", "name, preset or file of the workload").given();
  public static final Column THREADS =
      RUN.column("threads", "count", "clients of a closed loop, each of which waits for its answer")
          .given();
  public static final Column RATE =
      RUN.column("rate", "text", "rate of an open loop as the study has it").given();
  public static final Column CONSISTENCY =
      RUN.column("consistency", "text", "levels or policy as the study has them").given();
  public static final Column READ_LEVEL =
      RUN.column("read_level", "text", "level of reads, or the policy that chooses it").given();
  public static final Column WRITE_LEVEL =
      RUN.column("write_level", "text", "level of writes").given();
  public static final Column LAYOUT =
      RUN.column("layout", "text", "layout of tokens or blocks").given();
  public static final Column GEAR =
      RUN.column("gear", "text", "gear, or the policy that chooses it").given();
  public static final Column CLOCK =
      RUN.column("clock", "text", "policy that sets the clocks of processors").given();
  public static final Column WRITE_BUFFER =
      RUN.column(
              "write_buffer", "text", "how writes are sent: strong, deferred, or fresh by a policy")
          .given();
  public static final Column REPEAT =
      RUN.column("repeat", "count", "the block, from 1: each holds every configuration once")
          .given();
  public static final Column STATUS =
      RUN.column("status", "text", "ok or failed: a failed run's figures do not count")
          .text(run -> run.failed() ? "failed" : OK);
  public static final Column MESSAGE = RUN.column("message", "text", "why the run failed").given();
  public static final Column INTENDED_RATE =
      RUN.column("intended_rate", "ops/s", "rate of an open loop, where it is one number").given();
  public static final Column NODES = RUN.column("nodes", "count", "nodes of the cluster").given();
  public static final Column WARM_UP_S =
      RUN.column("warm_up_s", "s", "how long the load ran before the window; empty if simulated")
          .given();
  public static final Column STARTED =
      RUN.column("started", "text", "when the run began, ISO 8601 in UTC; empty if simulated")
          .given();
  public static final Column RESUMES =
      RUN.column(
              "resumes",
              "count",
              "how often the study had been resumed by then; empty if simulated")
          .given();

  private RunColumns() {}
}
