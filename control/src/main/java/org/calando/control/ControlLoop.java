package org.calando.control;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 * A period:
 *
 *   tick      asks the observer, and returns; nothing is asked while an answer is awaited
 *   answered  (handed to the scheduler by whatever thread the answer came on) decides, tells the
 *             listeners, sets the level, reads it back
 *   overdue   the deadline: an answer that comes later only makes way for the next question
 *   watch     what was decided holds for some periods; then the fallback is taken
 *
 * The tasks of a scheduler never run at the same time as each other, so what only they touch needs
 * no lock; the level itself may be closed from any thread (HeldLevel).
 *
 * Time: an answer counts only if the clock says that it came between the question and the deadline,
 * and that the observation was made meanwhile. So a clock that jumped forward makes an answer late
 * and a decision too old, and one that jumped back makes an answer one from the future. A jump back
 * also ends what was decided, for nobody knows how long it has held; it is seen when the next task
 * runs, which starts the rhythm anew.
 */
/**
 * Observes, decides and acts, again and again: drives a policy that sets the level of a table's
 * reads. Without a decision that is of late it holds the fallback.
 *
 * <p>Runs on an injected scheduler, whose thread it never makes wait. It starts no thread, and has
 * one observation under way at most: an observer that never answers leaves it at the fallback.
 * Thread safe.
 *
 * @param <S> what the policy remembers
 */
public final class ControlLoop<S> implements AutoCloseable {
  private final Scheduler scheduler;
  private final Clock clock;
  private final PolicyLoop<S> policy;
  private final Observer observer;
  private final Knob<ReadChoice> knob;
  private final HeldLevel level;
  private final List<LoopListener> listeners;
  private final long periodNanos;
  private final long deadlineNanos;
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
    knob = builder.knob;
    listeners = List.copyOf(builder.listeners);
    periodNanos = builder.periodNanos;
    deadlineNanos = builder.deadlineNanos();
    level = new HeldLevel(knob, builder.fallback, builder.dryRun, listeners, builder.validNanos());
  }

  /**
   * A loop from the policy's beginning.
   *
   * @param scheduler whose thread and clock it uses; stays open
   * @param policy decides
   * @param observer asks the world
   * @param knob what is set, and its target: the table
   * @param fallback what it is set to without a decision: the replicas of the table's fallback
   */
  public static <S> ControlLoopBuilder<S> builder(
      Scheduler scheduler,
      Policy<S> policy,
      Observer observer,
      Knob<ReadChoice> knob,
      ReadChoice fallback) {
    return builder(scheduler, new PolicyLoop<>(policy, knob.target()), observer, knob, fallback);
  }

  /**
   * A loop that goes on where another ended: see {@link #builder(Scheduler, Policy, Observer, Knob,
   * ReadChoice)}.
   *
   * @param policy of the knob's target; from now on the loop's alone
   */
  public static <S> ControlLoopBuilder<S> builder(
      Scheduler scheduler,
      PolicyLoop<S> policy,
      Observer observer,
      Knob<ReadChoice> knob,
      ReadChoice fallback) {
    return new ControlLoopBuilder<>(scheduler, policy, observer, knob, fallback);
  }

  /** How it stands. */
  public LoopState state() {
    return level.state();
  }

  /**
   * Ends the loop and sets the fallback, at once and on this thread. Idempotent. What is under way
   * comes to nothing.
   *
   * @throws org.calando.core.FailedWorkException if the fallback cannot be set; a further call
   *     tries again
   */
  @Override
  public void close() {
    closed = true;
    level.close(clock.nanos());
  }

  /** Sets the fallback and begins. */
  void start() {
    lastNanos = clock.nanos();
    plannedNanos = lastNanos;
    level.begin(lastNanos);
    planWatch();
    planTick(plannedNanos);
  }

  private void tick(int ofRhythm) {
    if (closed || ofRhythm != rhythm) {
      return;
    }
    long now = now();
    if (ofRhythm != rhythm) {
      return;
    }
    long next = plannedNanos + periodNanos;
    boolean inStep = next - now > 0 && next - now <= periodNanos;
    planTick(inStep ? next : now + periodNanos);
    level.check(now, lastMiss);
    if (asked == null || asked.answered) {
      ask(now);
    } else {
      miss("an observation is still under way");
    }
  }

  private void planTick(long atNanos) {
    plannedNanos = atNanos;
    int own = rhythm;
    at(atNanos, () -> tick(own));
  }

  private void ask(long now) {
    Question question = new Question(now);
    asked = question;
    try {
      CompletionStage<Observation> answer = observer.observe(now);
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
      miss("asking failed: " + e);
    }
  }

  private void overdue(Question question) {
    if (closed || question != asked || question.over) {
      return;
    }
    question.over = true;
    miss("the observation took more than " + deadlineNanos / 1e9 + " s");
    level.check(now(), lastMiss);
  }

  private void answered(
      Question question, @Nullable Observation observation, @Nullable Throwable error) {
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
      miss(obstacle.orElse("there is no observation"));
      level.check(now, lastMiss);
    } else {
      decide(observation, now);
    }
  }

  /** Why an answer cannot be decided on. */
  private Optional<String> obstacle(
      Question question, @Nullable Observation observation, @Nullable Throwable error, long now) {
    long took = now - question.atNanos;
    if (took < 0) {
      return Optional.of("the clock went back while an observation was under way");
    }
    if (took > deadlineNanos) {
      return Optional.of("the observation took %s s".formatted(took / 1e9));
    }
    if (error != null) {
      return Optional.of("asking failed: " + error);
    }
    if (observation == null) {
      return Optional.of("the observer answered with nothing");
    }
    return observation.atNanos() - question.atNanos < 0 || observation.atNanos() - now > 0
        ? Optional.of("the observation was not made between question and answer")
        : Optional.empty();
  }

  private void decide(Observation observation, long now) {
    Decision<S> decision;
    try {
      decision = policy.decide(observation);
    } catch (RuntimeException | Error e) {
      miss("deciding failed: " + e);
      level.fallBack(lastMiss, now);
      return;
    }
    try {
      listeners.forEach(listener -> listener.decided(decision));
    } catch (RuntimeException | Error e) {
      // What could not be noted is not done.
      miss("a decision could not be told: " + e);
      level.fallBack(lastMiss, now);
      return;
    }
    level.decided(decision.value(knob.id()), decision.step().reasons(), now);
    lastMiss = "nothing was asked meanwhile";
    if (!watching) {
      planWatch();
    }
  }

  private void watch() {
    watching = false;
    if (closed) {
      return;
    }
    long now = now();
    level.check(now, lastMiss);
    if (level.state().decided()) {
      planWatch();
    }
  }

  private void planWatch() {
    watching = true;
    at(level.validUntilNanos(), this::watch);
  }

  private void miss(String why) {
    lastMiss = why;
    level.missed();
  }

  /** The time; a clock that went back ends what was decided and starts the rhythm anew. */
  private long now() {
    long now = clock.nanos();
    long back = lastNanos - now;
    lastNanos = now;
    if (back > 0) {
      level.fallBack("the clock went back by " + back / 1e9 + " s", now);
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
      level.fallBack("the scheduler refuses tasks: " + e.getMessage(), clock.nanos());
    }
  }
}
