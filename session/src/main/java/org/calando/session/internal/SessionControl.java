package org.calando.session.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.calando.control.ControlLoop;
import org.calando.core.BadRequestException;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.time.Scheduler;
import org.calando.session.Cost;
import org.calando.session.DecisionListener;
import org.calando.session.internal.TargetControl.Earlier;
import org.calando.session.internal.governed.Reading;
import org.calando.session.internal.governed.TableLevel;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.SharedSignals;
import org.calando.session.internal.shared.StateKeeper;
import org.jspecify.annotations.Nullable;

/*
 * Each share of stale reads that is tolerated of a table is a target with a loop of its own. All begin at the same time or with
 * the main target of their table, so that they ask at once, and the nodes are asked once for all of them.
 */
/**
 * The loops that set the levels of a session's reads. Of the loops' thread, but for {@link #close},
 * which any thread may call.
 */
final class SessionControl implements AutoCloseable {
  /** How long what a file kept stands in for figures that are not there yet. */
  private static final long RESUMED_NANOS = 10_000_000_000L;

  private final Adaptation.Settings settings;
  private final Optional<StateKeeper> keeper;
  private final Function<String, Optional<ReplicaPlacement>> placements;
  private final Map<WatchedTable, ShadowReads> shadows;
  private final Scheduler scheduler;
  private final ExecutorService thread;
  private final Map<Target, TargetControl> controls = new ConcurrentHashMap<>();
  private final Set<Target> begun = new HashSet<>();
  private final Map<Target, Earlier> saved = new HashMap<>();
  private final Optional<GovernedLoops> governed;
  private BiFunction<WatchedTable, Target, Optional<Reading>> others =
      (table, target) -> Optional.empty();
  private Function<WatchedTable, Optional<Popularity>> keys = table -> Optional.empty();
  private Optional<String> listenerFailure = Optional.empty();

  // Written while this is locked.
  private volatile List<Watched> tables = List.of();
  private volatile boolean closed;

  /** A table with what is known of it. */
  record Watched(
      WatchedTable table, ShadowReads shadows, SharedSignals signals, KeySpread spread) {}

  /**
   * Decides nothing yet.
   *
   * @param placements the replicas of a keyspace; empty if it is not there, or not known
   * @param shadows the tables, and what samples their reads
   * @param scheduler of the loops
   * @param thread that of the scheduler; shut down with this
   */
  SessionControl(
      Adaptation.Settings settings,
      Function<String, Optional<ReplicaPlacement>> placements,
      Map<WatchedTable, ShadowReads> shadows,
      Scheduler scheduler,
      ExecutorService thread) {
    this.settings = settings;
    this.placements = placements;
    this.shadows = shadows;
    this.scheduler = scheduler;
    this.thread = thread;
    this.keeper = settings.state().map(file -> new StateKeeper(file, now()));
    this.governed =
        settings.governor().map(transport -> new GovernedLoops(this, scheduler, transport));
  }

  /** Time that the nodes have for their answers: one that misses its own is still one of others. */
  static long deadlineNanos(Adaptation.Settings settings) {
    return Math.max(
        settings.pace().period().toNanos(), 2 * settings.pace().monitorDeadline().toNanos());
  }

  /**
   * Begins to measure and to decide, unless it is closed.
   *
   * @param signals of each keyspace; closed with this
   * @param others where others left tables
   * @return whether it began
   */
  synchronized boolean start(Map<String, SharedSignals> signals, List<SavedState.Table> others) {
    if (closed) {
      return false;
    }
    long window = settings.pace().popularityWindow().toNanos();
    List<Watched> all = new ArrayList<>();
    shadows.forEach(
        (table, sampled) ->
            all.add(
                new Watched(
                    table,
                    sampled,
                    Objects.requireNonNull(signals.get(table.name().keyspace())),
                    new KeySpread(table, window, now()))));
    tables = List.copyOf(all);
    resume(others);
    resume(keeper.map(StateKeeper::earlier).orElseGet(List::of));
    tables.forEach(each -> begin(each, each.table().main()));
    governed.ifPresent(GovernedLoops::start);
    signals().forEach(SharedSignals::start);
    return true;
  }

  /**
   * Has loops of which nothing earlier is known begin with what others' reads ask, and decide as
   * soon as figures are known. Before {@link #start}.
   *
   * @param spread how requests spread over a table's keys, as another knew it
   */
  void beginFrom(
      BiFunction<WatchedTable, Target, Optional<Reading>> reading,
      Function<WatchedTable, Optional<Popularity>> spread) {
    others = reading;
    keys = spread;
  }

  /** Begins a target's loop again with what others' reads ask by now, unless it has decided. */
  void beginAnew(Watched watched, Target target) {
    TargetControl before = controls.get(target);
    if (before != null && before.awaitsFigures()) {
      before.end();
      begin(watched, target);
    }
  }

  private void resume(List<SavedState.Table> earlier) {
    for (Watched each : tables) {
      Target main = each.table().main();
      earlier.stream()
          .filter(known -> each.table().isAsIn(known, main))
          .forEach(
              known -> saved.put(main, new Earlier(known, "an earlier session", RESUMED_NANOS, 0)));
    }
  }

  /** Has a target decided for from where another left it, if its table is as it was then. */
  void takeOver(Watched watched, Target target, Earlier earlier) {
    TargetControl before = controls.get(target);
    if (before != null && watched.table().isAsIn(earlier.state(), target)) {
      before.end();
      saved.put(target, earlier);
      begin(watched, target);
    }
  }

  /** As {@link TargetControl#release}. */
  boolean release(Target target) {
    TargetControl its = controls.get(target);
    return its != null && its.release();
  }

  /** Whether a governor decides in place of the loops. */
  boolean isGoverned() {
    return governed.isPresent() && governed.get().isGoverned();
  }

  /** What is to count how long reads take; empty unless a governor is told. */
  Optional<LatencyCounts.Recorder> readTimes() {
    return governed.map(GovernedLoops::readTimes);
  }

  /** The tables, and what is known of them; none before it begins. */
  List<Watched> tables() {
    return tables;
  }

  /** Turns reads to the fallback for as long as it has not begun. */
  synchronized void fallBack(String reason) {
    if (!closed && tables.isEmpty()) {
      shadows.keySet().forEach(table -> table.fallBack(reason));
    }
  }

  private Stream<SharedSignals> signals() {
    return tables.stream().map(Watched::signals).distinct();
  }

  /** What measuring and sampling have cost. */
  Stream<Cost> costs() {
    return Stream.concat(
        signals().map(SharedSignals::cost), shadows.values().stream().map(ShadowReads::cost));
  }

  /** Begins a loop for a target, from its table's levels as they are now. */
  void begin(Watched watched, Target target) {
    begun.add(target);
    WatchedTable table = watched.table();
    TableLevels levels = table.levels();
    try {
      Policy<?> policy =
          settings
              .policies()
              .policy(table.name(), target.tolerated(), levels.safe(), levels.local());
      begin(policy, new TargetControl(this, watched, target, levels, policy), target);
    } catch (RuntimeException e) {
      // A policy that fails must not leave reads weaker than is known to be right.
      table.fallBack(target, "deciding failed: " + e);
      scheduler.at(now() + periodNanos(), () -> again(watched, target));
    }
  }

  /** Replication may have changed since, and this target has no loop that would see it. */
  private void again(Watched watched, Target target) {
    if (followsReplication(watched.table())) {
      begin(watched, target);
    } else {
      scheduler.at(now() + periodNanos(), () -> again(watched, target));
    }
  }

  private <S> void begin(Policy<S> policy, TargetControl control, Target target) {
    PolicyLoop<S> loop = new PolicyLoop<>(policy, control.name());
    @Nullable Earlier earlier = saved.remove(target);
    Optional<Reading> reading = others.apply(control.table(), target);
    if (earlier == null && reading.isPresent() && policy instanceof AdaptivePolicy adaptive) {
      String state = adaptive.begunAt(reading.get().choice(), reading.get().policy());
      loop = new PolicyLoop<>(policy, control.name(), state);
      control.awaitFigures(now(), keys.apply(control.table()));
    }
    if (earlier != null) {
      try {
        loop = new PolicyLoop<>(policy, control.name(), earlier.state().policy());
        control.resume(earlier, now());
      } catch (IllegalArgumentException e) {
        // Of another policy: this one begins by itself.
      }
    }
    var unused =
        ControlLoop.asking(scheduler, loop, control, control)
            .periodNanos(periodNanos())
            .deadlineNanos(deadlineNanos(settings))
            .start();
    controls.put(target, control);
    if (closed) {
      control.end();
    }
  }

  /** What is to be done once a period for a table, whatever becomes of its decisions. */
  void eachPeriod(Watched watched, long sinceReturnNanos, long now) {
    watched.table().targets().stream()
        .filter(target -> !begun.contains(target))
        .forEach(target -> begin(watched, target));
    SharedSignals known = watched.signals();
    double ack = known.lags().map(lags -> lags.sample().leastAckSeconds()).orElse(0.0);
    Optional<TableLevel> told = governed.flatMap(each -> each.told(watched.table()));
    watched
        .shadows()
        .plan(
            now,
            known.instances(),
            tables.size(),
            told.map(TableLevel::leastAckSeconds).orElse(ack),
            told.map(TableLevel::sinceReturnNanos).orElse(sinceReturnNanos));
    keeper.ifPresent(each -> each.saveIfDue(now, this::known));
  }

  /** Whether a table's levels fit its replication; follows it if they can. */
  boolean followsReplication(WatchedTable table) {
    Optional<ReplicaPlacement> placement = placements.apply(table.name().keyspace());
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

  /**
   * Ends when the nodes have answered or missed their deadline: one question for all targets, in a
   * task of its own, which counts for itself what it costs.
   */
  CompletionStage<Void> refreshed(SharedSignals known) {
    return CompletableFuture.completedFuture(known)
        .thenComposeAsync(each -> each.refresh(periodNanos() / 2), thread);
  }

  /** Runs a task on the loops' thread. */
  void soon(Runnable task) {
    in(0, task);
  }

  /** Runs a task on the loops' thread, later. */
  void in(long nanos, Runnable task) {
    scheduler.at(now() + nanos, task);
  }

  /** What an application does with news does not change levels. */
  void tell(Consumer<DecisionListener> news) {
    try {
      news.accept(settings.listener());
      listenerFailure = Optional.empty();
    } catch (RuntimeException e) {
      listenerFailure = Optional.of("the listener failed: " + e);
    }
  }

  /** Adds what goes wrong around decisions, in words. */
  void addTroubles(List<String> reasons) {
    keeper.flatMap(StateKeeper::problem).ifPresent(reasons::add);
    listenerFailure.ifPresent(reasons::add);
    governed.map(GovernedLoops::trouble).filter(why -> !why.isEmpty()).ifPresent(reasons::add);
  }

  /** Whether reads rather fail than be stale while figures are unknown. */
  boolean isFreshFirst() {
    return settings.freshFirst();
  }

  long periodNanos() {
    return settings.pace().period().toNanos();
  }

  long now() {
    return scheduler.clock().nanos();
  }

  private List<SavedState.Table> known() {
    return tables.stream().flatMap(each -> known(each.table().main()).stream()).toList();
  }

  /** What is worth to be left to another; empty if nothing was decided on figures of now. */
  Optional<SavedState.Table> known(Target target) {
    return Optional.ofNullable(controls.get(target)).flatMap(TargetControl::known);
  }

  /** Since the last replica that was away is back; below 0 if none is late. */
  long sinceReturnNanos(Target target) {
    TargetControl its = controls.get(target);
    return its == null ? -1 : its.sinceReturnNanos();
  }

  /** Ends all loops and turns all reads to the fallback. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    if (tables.isEmpty()) {
      thread.shutdownNow(); // what prepares it may wait for the nodes
    }
    governed.ifPresent(GovernedLoops::close);
    keeper.ifPresent(this::save);
    controls.values().forEach(TargetControl::end);
    thread.shutdown();
    signals().forEach(SharedSignals::close);
    shadows.keySet().forEach(table -> table.fallBack("closed"));
  }

  /** On the loops' thread, whose state it is. What cannot be saved within a second is lost. */
  private void save(StateKeeper into) {
    try {
      thread.submit(() -> into.save(known())).get(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException | ExecutionException | TimeoutException e) {
      // It was closed before, or hangs: the file is as it was ten seconds ago at most.
    }
  }
}
