package org.calando.study;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.calando.control.DecisionLog;
import org.calando.control.LoopListener;
import org.calando.control.LoopState;
import org.calando.core.observe.ObservedSession;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.knob.RunPart;
import org.calando.load.Levels;
import org.calando.report.column.LevelFigures;
import org.calando.report.column.RunRecord;
import org.calando.report.column.StaleFigures;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of who observes the table and decides the level of its reads while a run goes. At a
 * fixed level it only observes. Its methods belong to the run's thread, but for what the load
 * generator calls: {@link #levels} and the edges of the measured window.
 */
abstract class LevelRun implements RunPart {
  private final Optional<ConsistencyLevel> fixed;
  private final ReadLevels readLevels;
  private final SafeLevel safe;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final DecisionLog log;
  private final LevelAccount account;
  private final ReadCounts counts = new ReadCounts();
  private @Nullable ObservedSession observed;
  private Spent atStart = new Spent(0, 0);
  private Spent atEnd = new Spent(0, 0);

  /** What observing and deciding have cost so far; NaN is not known. */
  record Spent(long requests, double cpuSeconds) {}

  /** Reads of the measured window by level. Not thread safe. */
  static final class ReadCounts {
    private Optional<Map<ConsistencyLevel, Long>> before = Optional.empty();
    private Optional<Map<ConsistencyLevel, Long>> after = Optional.empty();

    void began(Map<ConsistencyLevel, Long> counts) {
      before = Optional.of(counts);
    }

    void ended(Map<ConsistencyLevel, Long> counts) {
      after = Optional.of(counts);
    }

    /**
     * Replicas that a read asked in the mean.
     *
     * @param replicas replicas of a key, N
     * @param second reads at ALL that were made only to compare with others: dual reads
     * @return empty if nothing was read
     */
    OptionalDouble meanReplicas(int replicas, long second) {
      if (before.isEmpty() || after.isEmpty()) {
        return OptionalDouble.empty();
      }
      long reads = 0;
      long asked = 0;
      for (ConsistencyLevel level : ConsistencyLevel.values()) {
        long count = after.get().getOrDefault(level, 0L) - before.get().getOrDefault(level, 0L);
        long own = level == ConsistencyLevel.ALL ? Math.max(0, count - second) : count;
        reads += own;
        asked += own * level.replicas(replicas);
      }
      return reads == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) asked / reads);
    }
  }

  LevelRun(RunTask task, ReadLevels readLevels, SafeLevel safe) {
    this.fixed = task.run().levels().fixedRead();
    this.readLevels = readLevels;
    this.safe = safe;
    this.log = task.files().decisions();
    this.account = new LevelAccount(readLevels, safe);
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, task.run().levels().write()));
    }
  }

  /** Whether a run has anything to observe. */
  static boolean isNeeded(StudySpec study, RunConfig run) {
    return run.levels().policy().isPresent() || study.monitor().staticLevels();
  }

  /**
   * What is read at where nothing is decided.
   *
   * @param replicas among which a read's level chooses, N
   */
  static ReadChoice fallback(Policy<?> policy, SafeLevel safe, int replicas) {
    return policy instanceof AdaptivePolicy adaptive
        ? adaptive.config().fallback(replicas)
        : ReadChoice.of(safe.replicas());
  }

  /** What predicts the canary's reads. */
  static LagModel model(StudySpec study, RunConfig run) {
    return RunControllers.adaptive(study, run)
        .map(AdaptivePolicy::ofOneRead)
        .orElse(LagModel.MEASURED);
  }

  /** Who hears of decisions, in this order. */
  final List<LoopListener> listeners(Policy<?> policy) {
    return List.of(
        log.ofTable(policy, readLevels, safe), (decision, inForce) -> account.decided(decision));
  }

  /** What learns how popular keys are. */
  abstract PopularitySketch sketch();

  /** The level of the next read; does not block. */
  abstract ConsistencyLevel next();

  abstract LoopState state();

  abstract Optional<String> failures();

  abstract Spent spent();

  /** The same session, from whose operations this learns. */
  final Session observing(Session session) {
    ObservedSession both = new ObservedSession(session, sketch());
    observed = both;
    return both;
  }

  /** The levels of the next operation; does not block. */
  final Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(fixed.orElseGet(this::next)));
  }

  @Override
  public final void measurementBegan(long nanos) {
    atStart = spent();
    account.measurementBegan();
    counts.began(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public final void measurementEnded(long nanos) {
    counts.ended(Objects.requireNonNull(observed).readsByLevel());
    account.measurementEnded();
    atEnd = spent();
  }

  @Override
  public final void record(RunRecord found) {
    // Second reads are at ALL, and made only to compare with others.
    long secondReads =
        found.find(StaleFigures.class).flatMap(StaleFigures::dual).map(DualRead::pairs).orElse(0L);
    LevelFigures figures =
        account.figures(
            counts.meanReplicas(readLevels.replicas(), secondReads),
            atEnd.requests() - atStart.requests(),
            atEnd.cpuSeconds() - atStart.cpuSeconds());
    found.add(figures).note(notes());
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    long missed = state().missed();
    if (missed > 0) {
      notes.add(missed + " observations came late, failed or could not be decided on");
    }
    failures().ifPresent(notes::add);
    account.note().ifPresent(notes::add);
    return notes;
  }

  @Override
  public abstract void close();
}
