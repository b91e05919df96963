package org.calando.control;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observed;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 * A period:
 *
 *   tick      looks, and decides on what the sensor sees in the same task; or asks the observer, and returns: nothing is
 *             asked while an answer is awaited
 *   answered  (handed to the scheduler by whatever thread the answer came on) decides
 *   overdue   the deadline: an answer that comes later only makes way for the next question
 *   watch     what was decided holds for some periods; then the actor takes its fallback
 *
 * To decide is: the policy's step, the listeners, then the actor, which sets and reads back. What takes long, such as a
 * shift of minutes, the actor only begins; decisions go on meanwhile unless it is busy.
 *
 * The tasks of a scheduler never run at the same time as each other, so what only they touch needs
 * no lock; actors may be closed from any thread.
 *
 * Time: an answer counts only if the clock says that it came between the question and the deadline,
 * and that the observation was made meanwhile. So a clock that jumped forward makes an answer late
 * and a decision too old, and one that jumped back makes an answer one from the future. A jump back
 * also ends what was decided, for nobody knows how long it has held; it is seen when the next task
 * runs, which starts the rhythm anew.
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
  private final @Nullable Observer observer;
  private final @Nullable Sensor sensor;
  private final Actor actor;
  private final List<LoopListener> listeners;
  private final long periodNanos;
  private final long firstNanos;
  private final boolean atOnce;
  private final long deadlineNanos;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private volatile boolean closed;

  // Of the scheduler's tasks alone.
  private @Nullable Question asked;
  private String lastMiss = "the observer has not answered yet";
  private long lastNanos;
  private long plannedNanos;
  private int rhythm;
  private boolean watching;

  /** What the observer was asked. */
  private static final class Question {
    final long atNanos;

    /** Nothing is decided on its answer any more, or it has been. */
    boolean over;

    /** Set by the thread on which the answer comes. */
    volatile boolean answered;

    Question(long atNanos) {
      this.atNanos = atNanos;
    }
  }

  ControlLoop(ControlLoopBuilder<S> builder) {
    scheduler = builder.scheduler;
    clock = scheduler.clock();
    policy = builder.policy;
    observer = builder.observer;
    sensor = builder.sensor;
    actor = builder.actor;
    listeners = List.copyOf(builder.listeners);
    periodNanos = builder.periodNanos;
    firstNanos = builder.firstNanos;
    atOnce = builder.atOnce;
    deadlineNanos = builder.deadlineNanos();
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
      at(
          clock.nanos(),
          () -> {
            woken.set(false);
            lookNow();
          });
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

  /** Tells listeners that the actor has taken its fallback. */
  void tellFallback(long nowNanos, String reason) {
    tell(listener -> listener.fallback(nowNanos, reason));
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
    actor.check(now, lastMiss);
    observe(now);
    long next = plannedNanos + periodNanos;
    boolean inStep = next - now > 0 && next - now <= periodNanos;
    if (!closed) {
      planTick(inStep ? next : now + periodNanos);
    }
  }

  private void planTick(long atNanos) {
    plannedNanos = atNanos;
    int own = rhythm;
    at(atNanos, () -> tick(own));
  }

  private void observe(long now) {
    if (actor.isBusy()) {
      return;
    }
    if (sensor != null) {
      look(sensor, now);
    } else if (asked == null || asked.answered) {
      ask(now);
    } else {
      miss("an observation is still under way", now);
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

  private void ask(long now) {
    Question question = new Question(now);
    asked = question;
    try {
      CompletionStage<? extends Observed> answer = observer().observe(now);
      var unused =
          answer.whenComplete(
              (observation, error) -> {
                question.answered = true;
                at(clock.nanos(), () -> answered(question, observation, error));
              });
      at(now + deadlineNanos, () -> overdue(question));
    } catch (RuntimeException | Error e) {
      question.answered = true;
      question.over = true;
      miss(words(e), now);
    }
  }

  private Observer observer() {
    if (observer == null) {
      throw new IllegalStateException("neither observer nor sensor");
    }
    return observer;
  }

  private void overdue(Question question) {
    if (closed || question != asked || question.over) {
      return;
    }
    question.over = true;
    long now = now();
    miss("the observation took more than " + deadlineNanos / 1e9 + " s", now);
    actor.check(now, lastMiss);
  }

  private void answered(
      Question question, @Nullable Observed observation, @Nullable Throwable error) {
    if (closed) {
      return;
    }
    long now = now();
    if (question != asked || question.over) {
      return;
    }
    // From here on the deadline has nothing to say.
    question.over = true;
    Optional<String> obstacle = obstacle(question, observation, error, now);
    if (obstacle.isPresent() || observation == null) {
      miss(obstacle.orElse("there is no observation"), now);
      actor.check(now, lastMiss);
    } else {
      decide(observation, now);
    }
  }

  /** Why an answer cannot be decided on. */
  private Optional<String> obstacle(
      Question question, @Nullable Observed observation, @Nullable Throwable error, long now) {
    long took = now - question.atNanos;
    if (took < 0) {
      return Optional.of("the clock went back while an observation was under way");
    }
    if (took > deadlineNanos) {
      return Optional.of("the observation took %s s".formatted(took / 1e9));
    }
    if (error != null) {
      return Optional.of(words(error));
    }
    if (observation == null) {
      return Optional.of("the observer answered with nothing");
    }
    long at = observation.signals().atNanos();
    return at - question.atNanos < 0 || at - now > 0
        ? Optional.of("the observation was not made between question and answer")
        : Optional.empty();
  }

  private static String words(Throwable error) {
    @Nullable Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof CalandoException known
        ? known.problem()
        : "asking failed: " + (cause == null ? error : cause);
  }

  private void decide(Observed observed, long now) {
    Decision<S> decision;
    try {
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
      failed("a decision could not be noted: ", e, now);
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

  private void failed(String what, Throwable e, long now) {
    miss(what + e, now);
    try {
      actor.failed(lastMiss, e, now);
    } catch (RuntimeException | Error fatal) {
      fail(fatal);
      throw fatal;
    }
  }

  private void watch() {
    watching = false;
    if (!closed) {
      actor.check(now(), lastMiss);
      planWatch();
    }
  }

  private void planWatch() {
    OptionalLong until = actor.validUntilNanos();
    if (until.isPresent()) {
      watching = true;
      at(until.getAsLong(), this::watch);
    }
  }

  private void miss(String why, long now) {
    lastMiss = why;
    actor.missed();
    tell(listener -> listener.missed(now, why));
  }

  private void tell(Consumer<LoopListener> what) {
    for (LoopListener listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error e) {
        // The next listener is to hear of it too.
      }
    }
  }

  /** The time; a clock that went back ends what was decided and starts the rhythm anew. */
  private long now() {
    long now = clock.nanos();
    long back = lastNanos - now;
    lastNanos = now;
    if (back > 0) {
      actor.lost("the clock went back by " + back / 1e9 + " s", now);
      rhythm++;
      planTick(now + periodNanos);
    }
    return now;
  }

  /** Hands in a task; a scheduler that refuses it ends the loop's decisions. */
  private void at(long nanos, Runnable task) {
    try {
      scheduler.at(nanos, task);
    } catch (RejectedExecutionException e) {
      actor.lost("the scheduler refuses tasks: " + e.getMessage(), clock.nanos());
    }
  }
}
