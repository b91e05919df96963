package org.calando.knob.level;

import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.SafeLevel;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.store.SessionRequest;
import org.calando.knob.Axis;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.KnobRun;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Point;
import org.calando.knob.RunLevels;
import org.calando.knob.RunPart;
import org.calando.knob.StudyChecks;
import org.calando.load.Levels;
import org.calando.report.column.Column;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;

/** At which levels records are read and written, as what studies vary: levels, or policies. */
public final class LevelKnob implements DrivenKnob {
  private static final int RANK = 10;
  private static final int PERIODS_TO_FIGURES = 3;

  /** A policy has one decision at least before nodes leave. */
  private static final int PERIODS_OF_NOTICE = 2;

  /** Levels of reads and writes, or policies of reads. */
  static final Axis<LevelPair> AXIS =
      Axis.of(
              "consistency",
              LevelSchema.LEVELS,
              LevelPair::label,
              "Levels to compare; a bare level is that of both reads and writes. Required but for"
                  + " HDFS, which has none.",
              "[ONE, QUORUM, {read: {harmony: {tolerate: 5%}}, write: ONE}]")
          .named()
          .apart("give its prices a name of their own");

  /** For the service. */
  public LevelKnob() {}

  @Override
  public Axis<?> axis() {
    return AXIS;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Column column() {
    return RunColumns.CONSISTENCY;
  }

  @Override
  public void identify(Point point, RunRecord record) {
    DrivenKnob.super.identify(point, record);
    point
        .find(AXIS)
        .ifPresent(
            pair ->
                record
                    .give(RunColumns.READ_LEVEL, pair.read().label())
                    .give(RunColumns.WRITE_LEVEL, pair.write().name()));
    point
        .find(AXIS)
        .flatMap(LevelPair::policy)
        .ifPresent(
            policy ->
                record
                    .give(LevelColumns.POLICY, policy.kind().label())
                    .give(LevelColumns.TOLERATED, policy.tolerated()));
  }

  @Override
  public void checkKeys(StudyChecks study) {
    new LevelChecks(study).checkKeys();
  }

  @Override
  public void check(StudyChecks study) {
    new LevelChecks(study).check();
  }

  @Override
  public SessionRequest session(SessionRequest request, Point point) {
    return request.readFrom(point.get(AXIS).readFrom());
  }

  @Override
  public long noticeNanos(Configuration configuration) {
    return isDecided(configuration) ? PERIODS_OF_NOTICE * configuration.monitor().periodNanos() : 0;
  }

  @Override
  public long warmUpNanos(Configuration configuration) {
    MonitorSpec monitor = configuration.monitor();
    return isDecided(configuration)
        ? 2 * (monitor.windowNanos() + PERIODS_TO_FIGURES * monitor.periodNanos())
        : 0;
  }

  private static boolean isDecided(Configuration configuration) {
    return configuration.point().get(AXIS).policy().isPresent();
  }

  @Override
  public Optional<Controller<?>> controller(Configuration configuration) {
    return configuration.point().find(AXIS).flatMap(pair -> policy(configuration, pair));
  }

  /** Of the level of reads: a fixed one where runs with such levels are observed, too. */
  private static Optional<Policy<?>> policy(Configuration configuration, LevelPair pair) {
    ReplicaPlacement placement = configuration.store().placement();
    ConsistencyLevel write = pair.write();
    boolean local = write == ConsistencyLevel.LOCAL_ONE || write == ConsistencyLevel.LOCAL_QUORUM;
    Optional<AdaptivePolicy> adaptive =
        pair.policy().map(spec -> spec.policy(SafeLevel.weakest(placement, write, local), local));
    if (adaptive.isPresent() || !configuration.monitor().staticLevels()) {
      return adaptive.map(policy -> policy);
    }
    int among = placement.among(local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
    int fixed = pair.fixedRead().orElseThrow().replicas(among);
    return Optional.of(new StaticPolicy(ReadChoice.of(Math.min(among, fixed))));
  }

  @Override
  public Optional<RunPart> begin(KnobRun run) {
    LevelPair pair = run.point().get(AXIS);
    return Optional.of(
        policy(run.configuration(), pair)
            .<RunPart>map(policy -> new LevelDriver(run, pair, policy))
            .orElseGet(() -> Fixed.of(run, pair)));
  }

  /** Levels that nobody observes. */
  private record Fixed(Levels both, int asked) implements RunLevels {
    static Fixed of(KnobRun run, LevelPair pair) {
      ConsistencyLevel read = pair.fixedRead().orElseThrow();
      return new Fixed(
          new Levels(read, pair.write()),
          pair.asked(run.configuration().store().placement()).orElseThrow());
    }

    @Override
    public Supplier<Levels> levels() {
      return () -> both;
    }

    @Override
    public void record(RunRecord found) {
      found.give(LevelColumns.MEAN_REPLICAS, asked);
    }
  }
}
