package org.calando.control;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observed;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 * A period:
 *
 *   tick      looks, and decides on what the sensor sees in the same task; or asks the observer, and returns: see Asking
 *   watch     what was decided holds for some periods; then the actor takes its fallback
 *
 * To decide is: the policy's step, the listeners, then the actor, which sets and reads back. What takes long, such as a
 * shift of minutes, the actor only begins; decisions go on meanwhile unless it is busy.
 *
 * The tasks of a scheduler never run at the same time as each other, so what only they touch needs
 * no lock; actors may be closed from any thread.
 *
 * Time: a clock that jumped back ends what was decided, for nobody knows how long it has held; it is seen when the next
 * task runs, which starts the rhythm anew.
 *
 * In a simulation the order of events of one instant is part of the result: what a decision schedules comes before the next
 * period.
 */
/**
 * Observes, decides, notes and acts, again and again: drives the controller of any knob.
 *
 * <p>Runs on an injected scheduler, whose thread it never makes wait. It starts no thread, and has
 * one observation under way at most: an observer that never answers leaves what is set to the
 * actor. Thread safe.
 *
 * @param <S> what the controller remembers
 */
public final class ControlLoop<S> implements AutoCloseable {
  private final Scheduler scheduler;
  private final Clock clock;
  private final PolicyLoop<S> policy;
  private final @Nullable Sensor sensor;
  private final @Nullable Asking asking;
  private final Actor actor;
  private final List<LoopListener> listeners;
  private final long periodNanos;
  private final long firstNanos;
  private final boolean atOnce;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private volatile boolean closed;

  // Of the scheduler's tasks alone.
  private String lastMiss = "the observer has not answered yet";
  private long lastNanos;
  private long plannedNanos;
  private int rhythm;
  private boolean watching;

  ControlLoop(ControlLoopBuilder<S> builder) {
    scheduler = builder.scheduler;
    clock = scheduler.clock();
    policy = builder.policy;
    sensor = builder.sensor;
    asking =
        builder.observer == null
            ? null
            : new Asking(this, builder.observer, builder.deadlineNanos());
    actor = builder.actor;
    listeners = List.copyOf(builder.listeners);
    periodNanos = builder.periodNanos;
    firstNanos = builder.firstNanos;
    atOnce = builder.atOnce;
  }

  /**
   * A loop that asks.
   *
   * @param scheduler whose thread and clock it uses; stays open
   * @param policy decides, from its beginning or from where another ended; the loop's alone
   * @param observer asks the world
   * @param actor sets what is decided
   */
  public static <S> ControlLoopBuilder<S> asking(
      Scheduler scheduler, PolicyLoop<S> policy, Observer observer, Actor actor) {
    return new ControlLoopBuilder<>(scheduler, policy, observer, null, actor);
  }

  /**
   * A loop that looks: see {@link #asking}.
   *
   * @param sensor sees at once
   */
  public static <S> ControlLoopBuilder<S> looking(
      Scheduler scheduler, PolicyLoop<S> policy, Sensor sensor, Actor actor) {
    return new ControlLoopBuilder<>(scheduler, policy, null, sensor, actor);
  }

  /**
   * Ends when nothing is decided any more: when it is closed, or, exceptionally, by what the actor
   * threw.
   */
  public CompletionStage<Void> end() {
    return end.minimalCompletionStage();
  }

  /** Why it ended, though it was not closed. */
  public Optional<Throwable> failure() {
    return end.isCompletedExceptionally()
        ? Optional.of(end.handle((nothing, why) -> why).join())
        : Optional.empty();
  }

  /** Observes and decides at once, beside the rhythm, in a task of its own. */
  public void wake() {
    if (woken.compareAndSet(false, true)) {
      boolean taken =
          at(
              clock.nanos(),
              () -> {
                woken.set(false);
                lookNow();
              });
      if (!taken) {
        woken.set(false);
      }
    }
  }

  /** The same in the present task of the scheduler, from which alone it may be called. */
  public void lookNow() {
    if (!closed) {
      observe(now());
    }
  }

  /** Ends it, because what the actor began has failed. */
  public void fail(Throwable why) {
    closed = true;
    var unused = end.completeExceptionally(why);
  }

  /** The time of its clock. */
  long nanos() {
    return clock.nanos();
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Ends the loop and closes the actor, at once and on this thread. Idempotent. What is under way
   * comes to nothing.
   *
   * @throws org.calando.core.FailedWorkException if the actor cannot be closed, such as one that
   *     cannot set the fallback; a further call tries again
   */
  @Override
  public void close() {
    closed = true;
    try {
      actor.close(clock.nanos());
    } finally {
      var unused = end.complete(null);
    }
  }

  void start() {
    lastNanos = clock.nanos();
    actor.begin(this, lastNanos);
    planWatch();
    plannedNanos = lastNanos + firstNanos;
    if (atOnce) {
      tick(rhythm);
    } else {
      planTick(plannedNanos);
    }
  }

  private void tick(int ofRhythm) {
    if (closed || ofRhythm != rhythm) {
      return;
    }
    long now = now();
    if (ofRhythm != rhythm) {
      return;
    }
    try {
      check(now);
      observe(now);
    } finally {
      long next = plannedNanos + periodNanos;
      boolean inStep = next - now > 0 && next - now <= periodNanos;
      if (!closed) {
        planTick(inStep ? next : now + periodNanos);
      }
    }
  }

  /** Nothing that the actor throws is lost with a task: schedulers run the next one. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      if (end.isCompletedExceptionally()) {
        throw e;
      }
      failed("a task failed: ", e, clock.nanos());
    }
  }

  private void planTick(long atNanos) {
    plannedNanos = atNanos;
    int own = rhythm;
    var unused = at(atNanos, () -> tick(own));
  }

  private void observe(long now) {
    if (closed || actor.isBusy()) {
      return;
    }
    if (sensor != null) {
      look(sensor, now);
    } else if (asking != null) {
      asking.ask(now);
    }
  }

  private void look(Sensor at, long now) {
    Optional<? extends Observed> seen;
    try {
      seen = at.look(now);
    } catch (RuntimeException | Error e) {
      failed("observing failed: ", e, now);
      return;
    }
    seen.ifPresent(observed -> decide(observed, now));
  }

  void decide(Observed observed, long now) {
    Decision<S> decision;
    try {
      if (!actor.accepts(observed, now)) {
        return;
      }
      decision = policy.decide(observed);
    } catch (RuntimeException | Error e) {
      failed("deciding failed: ", e, now);
      return;
    }
    try {
      String inForce = actor.inForce(decision);
      listeners.forEach(listener -> listener.decided(decision, inForce));
    } catch (RuntimeException | Error e) {
      // What could not be noted is not done.
      failed("a decision could not be recorded: ", e, now);
      return;
    }
    try {
      actor.act(decision, now);
    } catch (RuntimeException | Error e) {
      failed("setting failed: ", e, now);
      return;
    }
    lastMiss = "nothing was asked meanwhile";
    if (!watching) {
      planWatch();
    }
  }

  /** The actor says what comes of it, also if it cannot hear of the miss. */
  private void failed(String what, Throwable e, long now) {
    try {
      try {
        miss(what + e);
      } finally {
        actor.failed(lastMiss, e, now);
      }
    } catch (RuntimeException | Error fatal) {
      fail(fatal);
      throw fatal;
    }
  }

  private void watch() {
    watching = false;
    if (!closed) {
      try {
        check(now());
      } finally {
        planWatch();
      }
    }
  }

  private void planWatch() {
    OptionalLong until = actor.validUntilNanos();
    if (until.isPresent()) {
      watching = true;
      var unused = at(until.getAsLong(), this::watch);
    }
  }

  /** An observation came to nothing. */
  void miss(String why) {
    lastMiss = why;
    actor.missed(why);
  }

  /** An observation is under way; for how long is of no matter before its deadline. */
  void waits(String why) {
    lastMiss = why;
    actor.waits(why);
  }

  /** What is held may have become too old. */
  void check(long now) {
    actor.check(now, lastMiss);
  }

  /** The time; a clock that went back ends what was decided and starts the rhythm anew. */
  long now() {
    long now = clock.nanos();
    long back = lastNanos - now;
    lastNanos = now;
    if (back > 0) {
      rhythm++;
      planTick(now + periodNanos);
      actor.lost("the clock went back by " + back / 1e9 + " s", now);
    }
    return now;
  }

  /**
   * Hands in a task; a scheduler that refuses it ends the loop's decisions.
   *
   * @return whether it was taken
   */
  boolean at(long nanos, Runnable task) {
    try {
      scheduler.at(nanos, () -> run(task));
      return true;
    } catch (RejectedExecutionException e) {
      actor.lost("the scheduler refuses tasks: " + e.getMessage(), clock.nanos());
      return false;
    }
  }
}
