package org.calando.knob.level;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Policy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.knob.KnobRun;
import org.calando.knob.MonitorSpec;
import org.calando.knob.ReadCounts;
import org.calando.knob.RunLevels;
import org.calando.load.Levels;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LevelFigures;
import org.calando.report.column.RunRecord;
import org.calando.report.column.StaleFigures;
import org.jspecify.annotations.Nullable;

/**
 * Has the table observed and a policy decide the level of its reads while a run goes, and keeps
 * account of it. At a fixed level it only observes. Its methods belong to the run's thread, but for
 * what the load generator calls: {@link #levels} and the edges of the measured window.
 */
final class LevelDriver implements RunLevels {
  /** Time that a node has to tell its counts. */
  private static final Duration MONITOR_DEADLINE = Duration.ofMillis(500);

  /** Which decides. */
  static final String THREAD = "calando-levels";

  private final Optional<ConsistencyLevel> fixed;
  private final Optional<Integer> asked;
  private final int replicas;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final LevelAccount account;
  private final ReadCounts counts = new ReadCounts();
  private final LevelledReads.Deciding reads;
  private @Nullable ObservedSession observed;
  private LevelledReads.Spent atStart = new LevelledReads.Spent(0, 0);
  private LevelledReads.Spent atEnd = new LevelledReads.Spent(0, 0);

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  LevelDriver(KnobRun run, LevelPair pair, Policy<?> policy) {
    ReplicaPlacement placement = run.configuration().store().placement();
    MonitorSpec monitor = run.configuration().monitor();
    LevelledReads.Settings settings =
        new LevelledReads.Settings(
            new TableTelemetry.Settings(
                run.workload().table(),
                placement,
                pair.write(),
                monitor.canariesPerSecond(),
                MONITOR_DEADLINE),
            monitor.periodNanos(),
            monitor.windowNanos(),
            run.seed());
    this.fixed = pair.fixedRead();
    this.asked = pair.asked(placement);
    this.replicas = settings.table().replicas();
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, pair.write()));
    }
    this.account = new LevelAccount(settings.levels(), settings.safe());
    List<LoopListener> heard =
        List.of(
            run.decisions().get().ofTable(policy, settings.levels(), settings.safe()),
            (decision, inForce) -> account.decided(decision));
    this.reads =
        run.cluster()
            .find(LevelledReads.class)
            .map(all -> all.decide(run.schedulers().apply(THREAD), settings, policy, heard))
            .orElseGet(() -> TableLevels.start(run, settings, policy, heard));
  }

  @Override
  public Session observing(Session session) {
    ObservedSession both = new ObservedSession(session, reads.sketch());
    observed = both;
    return both;
  }

  @Override
  public Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(fixed.orElseGet(reads::next)));
  }

  @Override
  public void measurementBegan(long nanos) {
    atStart = reads.spent();
    account.measurementBegan();
    counts.began(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public void measurementEnded(long nanos) {
    counts.ended(Objects.requireNonNull(observed).readsByLevel());
    account.measurementEnded();
    atEnd = reads.spent();
  }

  @Override
  public void record(RunRecord found) {
    // Second reads are at ALL, and made only to compare with others.
    long secondReads =
        found.find(StaleFigures.class).flatMap(StaleFigures::dual).map(DualRead::pairs).orElse(0L);
    LevelFigures figures =
        account.figures(
            counts.meanReplicas(replicas, secondReads),
            atEnd.requests() - atStart.requests(),
            atEnd.cpuSeconds() - atStart.cpuSeconds());
    asked.ifPresent(each -> found.give(LevelColumns.MEAN_REPLICAS, each));
    figures.meanReplicas().ifPresent(mean -> found.give(LevelColumns.MEAN_REPLICAS, mean));
    found.add(figures).note(notes());
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    long missed = reads.state().missed();
    if (missed > 0) {
      notes.add(missed + " observations came late, failed or could not be decided on");
    }
    reads.failures().ifPresent(notes::add);
    account.note().ifPresent(notes::add);
    return notes;
  }

  @Override
  public void close() {
    reads.close();
  }
}
