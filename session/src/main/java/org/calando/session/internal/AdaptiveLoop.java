package org.calando.session.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.DecisionListener;
import org.calando.session.PolicyFactory;
import org.calando.session.TruthSince;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.SharedSignals;
import org.calando.session.internal.shared.StateKeeper;
import org.jspecify.annotations.Nullable;

/*
 * Every period: ask the nodes, and when they have answered or missed their deadline, decide for each
 * table and each share of stale reads that is tolerated of it. What a decision sets holds for some
 * periods only. All of it runs on one thread; the reads look at what it leaves behind.
 */
/** Observes, decides and sets, again and again. {@link #close} may be called from any thread. */
final class AdaptiveLoop implements AutoCloseable {
  private static final int PERIODS_VALID = 5;

  /** How long what an earlier session knew stands in for figures that are not there yet. */
  private static final long RESUMED_NANOS = 10_000_000_000L;

  /** How long a table that nobody reads keeps what was decided for it. */
  private static final long IDLE_NANOS = 600_000_000_000L;

  private final SessionFacts facts;
  private final Collection<WatchedTable> tables;
  private final Map<WatchedTable, ShadowReads> shadows;
  private final Map<WatchedTable, KeySpread> spreads = new HashMap<>();
  private final Map<WatchedTable, Long> readsSeen = new HashMap<>();
  private final Map<String, SharedSignals> signals;
  private final PolicyFactory policies;
  private final DecisionListener listener;
  private final ScheduledExecutorService timer;
  private final LongSupplier clock;
  private final long periodNanos;
  private final Optional<StateKeeper> keeper;
  private final CostMeter cost = new CostMeter();
  private volatile boolean closed;

  // Of the loop's thread alone.
  private final Map<Target, TargetRun> runs = new HashMap<>();
  private long decidedNanos;
  private Optional<String> listenerFailure = Optional.empty();
  private final Map<WatchedTable, Long> keptNanos = new HashMap<>();
  private final Set<Target> idle = new HashSet<>();

  /** A target's run, which sees each of the canary's reads once. */
  private static final class TargetRun {
    final TableLevels levels;
    final PolicyRun<?> run;
    long truthSeen;

    TargetRun(TableLevels levels, PolicyRun<?> run, long truthSeen) {
      this.levels = levels;
      this.run = run;
      this.truthSeen = truthSeen;
    }
  }

  /** How often, and who is told. */
  record Settings(
      Duration period,
      Duration popularityWindow,
      PolicyFactory policies,
      DecisionListener listener,
      LongSupplier clock,
      Optional<StateKeeper> keeper) {}

  AdaptiveLoop(
      SessionFacts facts,
      Map<WatchedTable, ShadowReads> shadows,
      Map<String, SharedSignals> signals,
      ScheduledExecutorService timer,
      Settings settings) {
    this.facts = facts;
    this.shadows = shadows;
    this.tables = shadows.keySet();
    this.signals = signals;
    this.policies = settings.policies();
    this.listener = settings.listener();
    this.timer = timer;
    this.clock = settings.clock();
    this.keeper = settings.keeper();
    this.periodNanos = settings.period().toNanos();
    this.decidedNanos = clock.getAsLong();
    long window = settings.popularityWindow().toNanos();
    tables.forEach(table -> spreads.put(table, new KeySpread(table, window, decidedNanos)));
  }

  void start() {
    keeper.map(StateKeeper::earlier).ifPresent(earlier -> earlier.forEach(this::resume));
    later(0);
  }

  /** Begins where an earlier session was, if replication and writes are as they were then. */
  private void resume(SavedState.Table saved) {
    long now = clock.getAsLong();
    for (WatchedTable table : tables) {
      TableLevels levels = table.levels();
      if (table.name().toString().equals(saved.name())
          && table.main().tolerated() == saved.tolerated()
          && levels.write() == saved.write()
          && levels.replication().equals(saved.replication())
          && saved.choice().replicas() <= levels.safe().replicas()) {
        saved
            .popularity()
            .map(p -> new Observation.Popularity(now, p.byKey(), p.unseenWrites()))
            .ifPresent(Objects.requireNonNull(spreads.get(table))::assume);
        TargetRun targetRun = targetRun(table, table.main(), levels, signals(table));
        if (targetRun.run.resume(saved.policy())) {
          table.set(
              table.main(),
              levels,
              saved.choice(),
              false,
              now,
              RESUMED_NANOS,
              List.of(
                  "as an earlier session left it %d s ago"
                      .formatted((System.currentTimeMillis() - saved.savedMillis()) / 1000)));
          keptNanos.put(table, now);
        }
      }
    }
  }

  private List<SavedState.Table> known() {
    List<SavedState.Table> known = new ArrayList<>();
    for (WatchedTable table : tables) {
      TargetRun targetRun = runs.get(table.main());
      boolean isIdle = idle.contains(table.main());
      if (targetRun != null && !isIdle && !table.inUse(table.main()).fallback()) {
        known.add(
            new SavedState.Table(
                System.currentTimeMillis(),
                table.name().toString(),
                table.main().tolerated(),
                targetRun.levels.replication(),
                targetRun.levels.write(),
                table.main().choice(),
                targetRun.run.state(),
                Objects.requireNonNull(spreads.get(table)).known()));
      }
    }
    return known;
  }

  /**
   * Whether what an earlier session knew, or this one before it slept, stands in for figures that
   * are not there yet.
   */
  private boolean isKept(WatchedTable table, Observation o) {
    @Nullable Long kept = keptNanos.get(table);
    long since = kept == null ? Long.MAX_VALUE : o.atNanos() - kept;
    return since >= 0
        && since < RESUMED_NANOS
        && !(isNew(o.rates().map(Rates::atNanos), kept)
            && isNew(o.lags().map(Lags::atNanos), kept)
            && o.popularity().isPresent());
  }

  private static boolean isNew(Optional<Long> atNanos, @Nullable Long kept) {
    return atNanos.isPresent() && kept != null && atNanos.get() - kept > 0;
  }

  private void later(long delayNanos) {
    try {
      // No longer than a period, even if the clock was set back meanwhile.
      long delay = Math.min(periodNanos, Math.max(0, delayNanos));
      var unused = timer.schedule(this::round, delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      closed = true;
    }
  }

  private void round() {
    long begun = clock.getAsLong();
    try {
      ask(begun);
    } catch (RuntimeException | Error e) {
      tables.forEach(table -> table.fallBack("asking the nodes failed: " + e));
      later(periodNanos);
    }
  }

  private void ask(long begun) {
    var unused =
        CompletableFuture.allOf(
                signals.values().stream()
                    .map(SharedSignals::refresh)
                    .toArray(CompletableFuture<?>[]::new))
            .whenCompleteAsync(
                (answered, error) -> {
                  try {
                    cost.run(this::decideAll);
                  } finally {
                    later(periodNanos - (clock.getAsLong() - begun));
                  }
                },
                command -> {
                  try {
                    timer.execute(command);
                  } catch (RejectedExecutionException e) {
                    closed = true;
                  }
                });
  }

  private void decideAll() {
    long now = clock.getAsLong();
    Set<Target> present = new HashSet<>();
    for (WatchedTable table : tables) {
      plan(table, now);
      if (!followReplication(table)) {
        table.targets().forEach(present::add);
        continue;
      }
      for (Target target : table.targets()) {
        present.add(target);
        if (signals(table).isIdle()) {
          if (idle.add(target)) {
            target.keep(now, IDLE_NANOS, "nobody reads the table: kept as it was");
          }
          keptNanos.put(table, now);
        } else if (!closed) {
          idle.remove(target);
          decide(table, target, now);
        }
      }
    }
    decidedNanos = now;
    runs.keySet().retainAll(present);
    idle.retainAll(present);
    keeper.ifPresent(each -> each.saveIfDue(now, this::known));
  }

  /** How many of the table's reads are sampled until the next decision. */
  private void plan(WatchedTable table, long now) {
    long reads = table.reads();
    long before = Objects.requireNonNullElse(readsSeen.put(table, reads), 0L);
    double seconds = Math.max(1, now - decidedNanos) / 1e9;
    SharedSignals signals = signals(table);
    Optional<Observation.Lags> lags = signals.lags();
    double perSecond = (reads - before) / seconds;
    @Nullable TargetRun main = runs.get(table.main());
    shadows(table)
        .returned()
        .plan(
            perSecond,
            1.0 / (signals.instances() * tables.size()),
            main == null ? -1 : main.run.sinceReturnNanos());
    shadows(table)
        .plan(
            perSecond,
            signals.instances(),
            lags.map(known -> known.sample().leastAckSeconds()).orElse(0.0));
  }

  private List<String> reasons(WatchedTable table, Decision<?> decision, SharedSignals known) {
    List<String> reasons = new ArrayList<>(decision.step().reasons());
    if (decision.observation().popularity().isEmpty()) {
      table.keylessReads().ifPresent(reasons::add);
    }
    if (!table.mayRetry()) {
      reasons.add(
          "reads are sent at the application's own level: every second one got no answer at "
              + "stronger ones");
    }
    keeper.flatMap(StateKeeper::problem).ifPresent(reasons::add);
    listenerFailure.ifPresent(reasons::add);
    reasons.addAll(known.troubles());
    return reasons;
  }

  private ShadowReads shadows(WatchedTable table) {
    return Objects.requireNonNull(shadows.get(table));
  }

  private SharedSignals signals(WatchedTable table) {
    return Objects.requireNonNull(signals.get(table.name().keyspace()));
  }

  /** Whether the table's levels fit its replication. */
  private boolean followReplication(WatchedTable table) {
    Optional<ReplicaPlacement> placement = facts.placement(table.name().keyspace());
    TableLevels levels = table.levels();
    if (placement.isPresent() && !placement.get().equals(levels.placement())) {
      try {
        table.relevel(
            TableLevels.of(placement.get(), levels.write(), levels.local()),
            "the replication changed");
      } catch (BadRequestException e) {
        table.fallBack(String.valueOf(e.getMessage()));
        return false;
      }
    }
    return true;
  }

  private void decide(WatchedTable table, Target target, long now) {
    TableLevels levels = table.levels();
    try {
      SharedSignals known = signals(table);
      TargetRun targetRun = targetRun(table, target, levels, known);
      TruthSince truth = known.truthSince(targetRun.truthSeen, targetRun.run.ofOneRead());
      Decision<?> decision = targetRun.run.decide(observation(table, levels, known, truth));
      targetRun.truthSeen = truth.seen();
      target.predict(targetRun.run.predicted(decision.observation()));
      Optional<ReadChoice> choice = decision.value(KnobId.READ_LEVEL);
      if (choice.isPresent() && !isKept(table, decision.observation())) {
        table.set(
            target,
            levels,
            choice.get(),
            targetRun.run.isFallback(decision.observation()),
            now,
            PERIODS_VALID * periodNanos,
            reasons(table, decision, known));
      }
      report(table, target, decision);
    } catch (RuntimeException e) {
      // A policy that fails must not leave reads weaker than is known to be right.
      table.fallBack(target, "deciding failed: " + e);
    }
  }

  /** What an application does with a decision does not change levels. */
  private void report(WatchedTable table, Target target, Decision<?> decision) {
    try {
      listener.decided(table.name(), target.tolerated(), decision);
      listenerFailure = Optional.empty();
    } catch (RuntimeException e) {
      listenerFailure = Optional.of("the listener failed: " + e);
    }
  }

  private TargetRun targetRun(
      WatchedTable table, Target target, TableLevels levels, SharedSignals known) {
    TargetRun before = runs.get(target);
    if (before != null && before.levels.equals(levels)) {
      return before;
    }
    Policy<?> policy =
        policies.policy(table.name(), target.tolerated(), levels.safe(), levels.local());
    TargetRun made =
        new TargetRun(
            levels,
            PolicyRun.of(policy, table.name().toString()),
            known.truthSince(0, LagModel.MEASURED).seen());
    runs.put(target, made);
    return made;
  }

  private Observation observation(
      WatchedTable table, TableLevels levels, SharedSignals known, TruthSince truth) {
    int replicas = levels.replicas();
    Optional<Observation.Rates> rates = known.rates(table);
    Optional<Observation.Lags> lags =
        known.lags().filter(lag -> lag.sample().replicas() == replicas);
    int live = Math.min(replicas, known.liveReplicas());
    Optional<Observation.Shadow> shadow = shadows(table).figures();
    // A mix of reads that tolerate unlike shares says nothing of either.
    Optional<Observation.Missed> missed =
        table.targets().size() == 1 ? shadows(table).returned().figures() : Optional.empty();
    long now = clock.getAsLong(); // after everything it knows
    Optional<Observation.Popularity> popularity =
        Objects.requireNonNull(spreads.get(table)).at(now, rates);
    return new Observation(
        now,
        table.name().toString(),
        replicas,
        levels.writeReplicas(),
        live,
        0,
        rates,
        lags,
        popularity,
        truth.truth(),
        shadow,
        missed,
        Optional.empty(),
        known.isStrained());
  }

  long cpuNanos() {
    return cost.cost().cpuNanos();
  }

  /** Ends the loop and turns all reads to the fallback. */
  @Override
  public void close() {
    closed = true;
    keeper.ifPresent(this::save);
    timer.shutdown();
    signals.values().forEach(SharedSignals::close);
    tables.forEach(table -> table.fallBack("closed"));
  }

  /** On the loop's thread, whose state it is. What cannot be saved within a second is lost. */
  private void save(StateKeeper into) {
    try {
      timer.submit(() -> into.save(known())).get(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException | ExecutionException | TimeoutException e) {
      // It was closed before, or hangs: the file is as it was ten seconds ago at most.
    }
  }
}
