package org.calando.session.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Canary;
import org.calando.session.DecisionListener;
import org.calando.session.Monitor;
import org.calando.session.PolicyFactory;
import org.calando.session.TruthSince;

/*
 * Every period: ask the nodes, and when they have answered or missed their deadline, decide for each
 * table and each share of stale reads that is tolerated of it. What a decision sets holds for some
 * periods only. All of it runs on one thread; the reads look at what it leaves behind.
 */
/** Observes, decides and sets, again and again. {@link #close} may be called from any thread. */
final class AdaptiveLoop implements AutoCloseable {
  private static final int PERIODS_VALID = 5;

  private final SessionFacts facts;
  private final Collection<WatchedTable> tables;
  private final Monitor monitor;
  private final Map<String, Canary> canaries;
  private final PolicyFactory policies;
  private final DecisionListener listener;
  private final ScheduledExecutorService timer;
  private final LongSupplier clock;
  private final long periodNanos;
  private final long popularityNanos;
  private final CostMeter cost = new CostMeter();
  private volatile boolean closed;

  // Of the loop's thread alone.
  private final Map<Target, Piloted> pilots = new HashMap<>();
  private final Map<WatchedTable, Optional<Observation.Popularity>> popularity = new HashMap<>();
  private long renewedNanos;

  /** A target's pilot, which sees each of the canary's reads once. */
  private static final class Piloted {
    final TableLevels levels;
    final Pilot<?> pilot;
    long truthSeen;

    Piloted(TableLevels levels, Pilot<?> pilot, long truthSeen) {
      this.levels = levels;
      this.pilot = pilot;
      this.truthSeen = truthSeen;
    }
  }

  /** How often, and who is told. */
  record Settings(
      Duration period,
      Duration popularityWindow,
      PolicyFactory policies,
      DecisionListener listener,
      LongSupplier clock) {}

  AdaptiveLoop(
      SessionFacts facts,
      Collection<WatchedTable> tables,
      Monitor monitor,
      Map<String, Canary> canaries,
      ScheduledExecutorService timer,
      Settings settings) {
    this.facts = facts;
    this.tables = tables;
    this.monitor = monitor;
    this.canaries = canaries;
    this.policies = settings.policies();
    this.listener = settings.listener();
    this.timer = timer;
    this.clock = settings.clock();
    this.periodNanos = settings.period().toNanos();
    this.popularityNanos = settings.popularityWindow().toNanos();
    this.renewedNanos = clock.getAsLong();
  }

  void start() {
    later(0);
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
      tables.forEach(table -> table.makeSafe("asking the nodes failed: " + e));
      later(periodNanos);
    }
  }

  private void ask(long begun) {
    var unused =
        monitor
            .ask()
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
    long sinceRenewed = now - renewedNanos;
    boolean renew = sinceRenewed < 0 || sinceRenewed >= popularityNanos;
    renewedNanos = renew ? now : renewedNanos;
    Set<Target> present = new HashSet<>();
    for (WatchedTable table : tables) {
      if (renew) {
        table
            .keys()
            .renew()
            .ifPresent(
                byKey ->
                    popularity.put(table, Optional.of(new Observation.Popularity(now, byKey))));
      }
      if (!followReplication(table)) {
        table.targets().forEach(present::add);
        continue;
      }
      for (Target target : table.targets()) {
        present.add(target);
        if (!closed) {
          decide(table, target, now);
        }
      }
    }
    pilots.keySet().retainAll(present);
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
        table.makeSafe(String.valueOf(e.getMessage()));
        return false;
      }
    }
    return true;
  }

  private void decide(WatchedTable table, Target target, long now) {
    TableLevels levels = table.levels();
    try {
      Canary canary = Objects.requireNonNull(canaries.get(table.name().keyspace()));
      Piloted piloted = piloted(table, target, levels, canary);
      TruthSince truth = canary.truthSince(piloted.truthSeen, piloted.pilot.ofOneRead());
      Decision<?> decision = piloted.pilot.decide(observation(table, levels, canary, truth));
      piloted.truthSeen = truth.seen();
      Optional<ReadChoice> choice = Pilot.choice(decision);
      if (choice.isPresent()) {
        table.set(
            target,
            levels,
            choice.get(),
            now,
            PERIODS_VALID * periodNanos,
            decision.step().reasons());
      }
      listener.decided(table.name(), target.tolerated(), decision);
    } catch (RuntimeException e) {
      // A policy or a listener that fails must not leave reads weaker than is known to be right.
      table.makeSafe(target, "deciding failed: " + e);
    }
  }

  private Piloted piloted(WatchedTable table, Target target, TableLevels levels, Canary canary) {
    Piloted known = pilots.get(target);
    if (known != null && known.levels.equals(levels)) {
      return known;
    }
    Policy<?> policy =
        policies.policy(table.name(), target.tolerated(), levels.safe(), levels.local());
    Piloted made =
        new Piloted(
            levels,
            Pilot.of(policy, table.name().toString()),
            canary.truthSince(0, LagModel.MEASURED).seen());
    pilots.put(target, made);
    return made;
  }

  private Observation observation(
      WatchedTable table, TableLevels levels, Canary canary, TruthSince truth) {
    int replicas = levels.replicas();
    Optional<Observation.Rates> rates = monitor.rates(table.name());
    Optional<Observation.Lags> lags =
        canary.lags().filter(known -> known.sample().replicas() == replicas);
    int live = Math.min(replicas, canary.liveReplicas());
    return new Observation(
        clock.getAsLong(), // after everything it knows
        table.name().toString(),
        replicas,
        levels.writeReplicas(),
        live,
        rates,
        lags,
        popularity.getOrDefault(table, Optional.empty()),
        truth.truth(),
        Optional.empty());
  }

  long cpuNanos() {
    return cost.cost().cpuNanos();
  }

  /** Ends the loop and turns all reads to the safe level. */
  @Override
  public void close() {
    closed = true;
    timer.shutdown();
    canaries.values().forEach(Canary::close);
    tables.forEach(table -> table.makeSafe("closed"));
  }
}
