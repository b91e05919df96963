package org.calando.report.column;

/** Columns of policies of read levels, and of what observing them took. */
public final class LevelColumns {
  static final Contributor<LevelFigures> LEVELS = new Contributor<>(LevelFigures.class);

  public static final Column POLICY =
      LEVELS.column("policy", "text", "the policy that chose the level of reads").given();
  public static final Column TOLERATED =
      LEVELS.column("tolerated", "share", "stale rate that the policy keeps to").given();
  public static final Column MEAN_REPLICAS =
      LEVELS.column("mean_replicas", "count", "replicas that a read asked, on average").given();
  public static final Column ONE_SHARE =
      LEVELS
          .column("one_share", "share", "part of the policy's decisions that were for ONE alone")
          .number(LevelFigures::shareAtOne);
  public static final Column FALLBACK_SHARE =
      LEVELS
          .column(
              "fallback_share",
              "share",
              "part of the policy's decisions that were the fallback, for lack of figures")
          .number(LevelFigures::shareAtFallback);
  public static final Column DECISIONS =
      LEVELS
          .column("decisions", "count", "decisions that the policy took")
          .number(LevelFigures::decisions);
  public static final Column MONITOR_REQUESTS =
      LEVELS
          .column("monitor_requests", "count", "requests that observing the table sent")
          .number(LevelFigures::monitorRequests);
  public static final Column MONITOR_CPU_S =
      LEVELS
          .column("monitor_cpu_s", "s", "CPU time that observing and deciding took")
          .number(LevelFigures::monitorCpuSeconds);
  public static final Column HARMONY_ONE =
      LEVELS
          .column(
              "harmony_one",
              "share",
              "stale rate of reads at ONE by Harmony as published, on average")
          .number(found -> found.ofOne().harmony());
  public static final Column EXACT_ONE =
      LEVELS
          .column("exact_one", "share", "the same by the exact model for each key")
          .number(found -> found.ofOne().exact());
  public static final Column PBS_ONE =
      LEVELS
          .column("pbs_one", "share", "the same by PBS, from measured lags of each replica")
          .number(found -> found.ofOne().pbs());
  public static final Column HARMONY_RATE =
      LEVELS
          .column("harmony_rate", "share", "stale rate of the decisions by Harmony, on average")
          .number(found -> found.ofChoice().harmony());
  public static final Column EXACT_RATE =
      LEVELS
          .column("exact_rate", "share", "the same by the exact model")
          .number(found -> found.ofChoice().exact());
  public static final Column PBS_RATE =
      LEVELS.column("pbs_rate", "share", "the same by PBS").number(found -> found.ofChoice().pbs());
  public static final Column CANARY_READS =
      LEVELS
          .column(
              "canary_reads", "count", "canary reads that were compared with the policy's estimate")
          .number(LevelFigures::canaryReads);
  public static final Column CANARY_STALE =
      LEVELS
          .column("canary_stale", "count", "of these, stale ones")
          .number(LevelFigures::canaryStale);

  private LevelColumns() {}
}
