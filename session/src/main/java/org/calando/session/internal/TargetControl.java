package org.calando.session.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.Observer;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.AdaptiveState;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observed;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.session.TruthSince;
import org.calando.session.internal.SessionControl.Watched;
import org.calando.session.internal.governed.ShadowEvidence;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.SharedSignals;
import org.jspecify.annotations.Nullable;

/*
 *   check     a table that nobody reads keeps what was decided; another replication or weaker writes end this for another one
 *   observe   asks the nodes, and takes all that is known when they have answered or missed their deadline
 *   act       leaves what was decided to the reads, which look at it without waiting: see Target
 */
/**
 * Observes for the loop of one target, and holds its reads to what is decided: for as long as the
 * table's levels are those that the policy was made for. Of the loop's thread, but for {@link
 * #close}.
 */
final class TargetControl implements Observer, Actor {
  private static final int PERIODS_VALID = 5;

  /** How long what was known before this one slept stands in for figures not there yet. */
  private static final long WOKEN_NANOS = 10_000_000_000L;

  /** How long others decide while figures are not there yet. */
  private static final long AWAITED_NANOS = 30_000_000_000L;

  /** How often it looks for figures meanwhile. */
  private static final long LOOK_NANOS = 250_000_000L;

  private static final long RECENT_NANOS = 5_000_000_000L;

  /** How long a table that nobody reads keeps what was decided for it. */
  private static final long IDLE_NANOS = 600_000_000_000L;

  private final SessionControl session;
  private final Watched watched;
  private final WatchedTable table;
  private final Target target;
  private final TableLevels levels;
  private final LagModel ofOneRead;

  private @Nullable ControlLoop<?> loop;
  private boolean idle;
  private boolean hindered;
  private long doneNanos;
  private long truthSeen;
  private long truthAsked;
  private volatile long sinceReturnNanos = -1;
  private @Nullable Long keptNanos;
  private long holdNanos = WOKEN_NANOS;
  private long keysNanos;
  private boolean awaits; // figures of its own, with nothing that stands in for them
  private boolean looks; // before the period is over
  private boolean left; // reads are still as another left them
  private @Nullable Decision<?> decided;
  private boolean closed; // guarded by this

  /**
   * Where a loop begins.
   *
   * @param by who left it there
   * @param holdNanos how long reads stay so without figures
   * @param keysNanos how long its popularity of keys stands for what this session sees of them
   */
  record Earlier(SavedState.Table state, String by, long holdNanos, long keysNanos) {}

  TargetControl(
      SessionControl session,
      Watched watched,
      Target target,
      TableLevels levels,
      Policy<?> policy) {
    this.session = session;
    this.watched = watched;
    this.table = watched.table();
    this.target = target;
    this.levels = levels;
    this.ofOneRead = policy.ofOneRead();
    this.truthSeen = watched.signals().truthSince(0, LagModel.MEASURED).seen();
  }

  WatchedTable table() {
    return table;
  }

  /** What it decides for. */
  String name() {
    return table.name().toString();
  }

  /** Begins where another was. */
  void resume(Earlier earlier, long now) {
    SavedState.Table saved = earlier.state();
    saved
        .popularity()
        .map(known -> new Observation.Popularity(now, known.byKey(), known.unseenWrites()))
        .ifPresent(known -> watched.spread().assume(known, now, earlier.keysNanos()));
    long seconds = (System.currentTimeMillis() - saved.savedMillis()) / 1000;
    table.set(
        target,
        levels,
        saved.choice(),
        false,
        now,
        earlier.holdNanos(),
        List.of("as %s left it %d s ago".formatted(earlier.by(), seconds)));
    keptNanos = now;
    holdNanos = earlier.holdNanos();
    keysNanos = earlier.keysNanos();
    left = true;
  }

  /**
   * Decides nothing for want of figures for a while: what reads ask meanwhile is for others to say,
   * and the policy would begin with its fallback, which it leaves by steps only.
   *
   * @param keys how requests spread over the keys, as another knew it; stands until it is known
   *     here
   */
  void awaitFigures(long now, Optional<Observation.Popularity> keys) {
    keptNanos = now;
    holdNanos = AWAITED_NANOS;
    awaits = true;
    watched.spread().awaitAll(now, keys);
  }

  /** Whether it does so, and has decided nothing yet. */
  boolean awaitsFigures() {
    return awaits && decided == null;
  }

  /**
   * Has what another left stand in for figures no more.
   *
   * @return whether reads are still as it left them
   */
  boolean release() {
    boolean was = left;
    if (was) {
      left = false;
      keptNanos = null;
    }
    return was;
  }

  /** What is worth to be saved; empty if nothing was decided, or on figures that are too old. */
  Optional<SavedState.Table> known() {
    return Optional.<Decision<?>>ofNullable(decided)
        .filter(last -> !idle && !table.inUse(target).fallback())
        .map(
            last ->
                new SavedState.Table(
                    System.currentTimeMillis(),
                    name(),
                    target.tolerated(),
                    levels.replication(),
                    levels.write(),
                    target.choice(),
                    last.stateAfter(),
                    watched.spread().known()));
  }

  /** Since the last replica that was away is back; below 0 if none is late. */
  long sinceReturnNanos() {
    return sinceReturnNanos;
  }

  @Override
  public void begin(ControlLoop<?> by, long nowNanos) {
    loop = by;
  }

  /** Ends the loop; reads stay as they are for as long as that holds. */
  void end() {
    Objects.requireNonNull(loop).close();
  }

  @Override
  public void check(long nowNanos, String whyNothing) {
    target.expire(whyNothing);
    // Not after what has just come to nothing as well.
    if (target == table.main() && Math.abs(nowNanos - doneNanos) >= session.periodNanos() / 2) {
      doneNanos = nowNanos;
      session.eachPeriod(watched, sinceReturnNanos, nowNanos);
    }
    hindered = !session.followsReplication(table);
    if (!levels.equals(table.levels())) {
      end();
      session.begin(watched, target);
      return;
    }
    boolean wasIdle = idle;
    idle = !hindered && !session.isGoverned() && watched.signals().isIdle();
    if (idle) {
      keptNanos = nowNanos;
      holdNanos = WOKEN_NANOS;
      if (!wasIdle) {
        target.keep(nowNanos, IDLE_NANOS, "nobody reads the table: kept as it was");
      }
    }
  }

  @Override
  public boolean isBusy() {
    return hindered || idle || session.isGoverned();
  }

  @Override
  public CompletionStage<Observation> observe(long nowNanos) {
    return session
        .refreshed(watched.signals())
        .thenApplyAsync(done -> observation(), session::soon);
  }

  private Observation observation() {
    SharedSignals signals = watched.signals();
    TruthSince truth = signals.truthSince(truthSeen, ofOneRead);
    truthAsked = truth.seen();
    int replicas = levels.replicas();
    Optional<Rates> rates = signals.rates(table);
    Optional<Lags> lags = signals.lags().filter(lag -> lag.sample().replicas() == replicas);
    int live = Math.min(replicas, signals.liveReplicas());
    Optional<Observation.Shadow> shadow = watched.shadows().figures();
    // A mix of reads that tolerate unlike shares says nothing of either.
    Optional<Observation.Missed> missed =
        table.targets().size() == 1 ? watched.shadows().missed() : Optional.empty();
    long now = session.now(); // after everything it knows
    return new Observation(
        now,
        name(),
        replicas,
        levels.writeReplicas(),
        live,
        0,
        rates,
        lags,
        watched.spread().at(now, rates),
        truth.truth(),
        shadow,
        missed,
        Optional.empty(),
        signals.isStrained());
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    truthSeen = truthAsked;
    decided = decision;
    Observation known = decision.observation();
    boolean unknown = false;
    if (decision.controller() instanceof AdaptivePolicy policy
        && decision.step().state() instanceof AdaptiveState state) {
      unknown = policy.isFallback(state, known);
      sinceReturnNanos = policy.sinceReturnNanos(state);
      target.predict(policy.predicted(state, known));
    }
    Optional<ReadChoice> choice = decision.value(KnobId.READ_LEVEL);
    if (isKept(known)) {
      keep(nowNanos);
    } else if (choice.isPresent()) {
      left = false;
      set(choice.get(), unknown, nowNanos, reasons(decision));
    }
    session.tell(listener -> listener.decided(table.name(), target.tolerated(), decision));
  }

  /**
   * Not for want of figures while what was known before stands in for them: the policy would take
   * its fallback, and leave that only by steps, though reads never were at it. A replica that is
   * away counts, whatever else is known.
   */
  @Override
  public boolean accepts(Observed observed, long nowNanos) {
    if (observed instanceof Observation known && known.awayReplicas() == 0 && isKept(known)) {
      keep(nowNanos);
      lookSoon();
      return false;
    }
    return true;
  }

  /** Levels that others hold to meanwhile are those of an earlier time. */
  private void lookSoon() {
    if (awaitsFigures() && !looks) {
      looks = true;
      session.in(
          LOOK_NANOS,
          () -> {
            looks = false;
            Objects.requireNonNull(loop).lookNow();
          });
    }
  }

  private synchronized void set(
      ReadChoice choice, boolean unknown, long nowNanos, List<String> reasons) {
    if (!closed) {
      long validNanos = PERIODS_VALID * session.periodNanos();
      table.set(target, levels, choice, unknown, nowNanos, validNanos, reasons);
    }
  }

  private List<String> reasons(Decision<?> decision) {
    List<String> reasons = new ArrayList<>(decision.step().reasons());
    if (decision.observation().popularity().isEmpty()) {
      table.keylessReads().ifPresent(reasons::add);
    }
    if (!table.mayRetry()) {
      reasons.add(
          "reads are sent at the application's own level: every second one got no answer at "
              + "stronger ones");
    }
    session.addTroubles(reasons);
    reasons.addAll(watched.signals().troubles());
    return reasons;
  }

  /**
   * Whether what an earlier session knew, or this one before it slept, stands in for figures that
   * are not there yet.
   */
  private boolean isKept(Observation o) {
    @Nullable Long kept = keptNanos;
    long since = kept == null ? Long.MAX_VALUE : o.atNanos() - kept;
    boolean isKnown =
        isNew(o.rates().map(Rates::atNanos), kept)
            && isNew(o.lags().map(Lags::atNanos), kept)
            && o.popularity().isPresent();
    // Of a store that is strained the policy makes something without figures.
    if (since < 0 || isKnown || (awaits && o.strained())) {
      return false;
    }
    ShadowEvidence shadow = new ShadowEvidence(o.shadow(), target.tolerated());
    return since < holdNanos ? !shadow.refutes() : since < keysNanos && shadow.confirms();
  }

  /** What a governor left holds beyond its time while this session's own reads confirm it. */
  private void keep(long nowNanos) {
    @Nullable Long kept = keptNanos;
    if (kept != null && keysNanos > 0 && nowNanos - kept >= holdNanos / 2) {
      target.keep(
          nowNanos,
          PERIODS_VALID * session.periodNanos(),
          "held, as own shadow reads do not say otherwise");
    }
  }

  /** What a leader measured just before counts where nothing else is kept. */
  private boolean isNew(Optional<Long> atNanos, @Nullable Long kept) {
    long before = awaits ? RECENT_NANOS : 0;
    return atNanos.isPresent() && kept != null && atNanos.get() - kept + before > 0;
  }

  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    lost(why, nowNanos);
  }

  @Override
  public synchronized void lost(String why, long nowNanos) {
    if (!closed) {
      table.fallBack(target, why);
    }
  }

  @Override
  public synchronized void close(long nowNanos) {
    closed = true;
  }
}
