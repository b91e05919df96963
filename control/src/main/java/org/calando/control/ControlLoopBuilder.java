package org.calando.control;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link ControlLoop}. Not thread safe. */
public final class ControlLoopBuilder<S> {
  private static final long SECOND = 1_000_000_000L;

  final Scheduler scheduler;
  final PolicyLoop<S> policy;
  final @Nullable Observer observer;
  final @Nullable Sensor sensor;
  final Actor actor;
  final List<LoopListener> listeners = new ArrayList<>();
  long periodNanos = SECOND;
  long firstNanos;
  boolean atOnce;
  private long deadlineNanos;

  ControlLoopBuilder(
      Scheduler scheduler,
      PolicyLoop<S> policy,
      @Nullable Observer observer,
      @Nullable Sensor sensor,
      Actor actor) {
    this.scheduler = scheduler;
    this.policy = policy;
    this.observer = observer;
    this.sensor = sensor;
    this.actor = actor;
  }

  /** From one question to the next, above 0; default 1 s. */
  public ControlLoopBuilder<S> periodNanos(long newPeriodNanos) {
    periodNanos = positive("period", newPeriodNanos);
    return this;
  }

  /** From the start to the first question, 0 or more; default 0: a task of its own at once. */
  public ControlLoopBuilder<S> firstNanos(long newFirstNanos) {
    firstNanos = newFirstNanos;
    return this;
  }

  /** The first question is asked before {@link #start} returns, on the caller's thread. */
  public ControlLoopBuilder<S> atOnce() {
    atOnce = true;
    return this;
  }

  /** Time that an observer has, above 0; default the period. */
  public ControlLoopBuilder<S> deadlineNanos(long newDeadlineNanos) {
    deadlineNanos = positive("deadline", newDeadlineNanos);
    return this;
  }

  /** One more that listens, in the order in which they are added; by default there is none. */
  public ControlLoopBuilder<S> listener(LoopListener listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Begins.
   *
   * @throws org.calando.core.FailedWorkException if the actor cannot, such as one that cannot set
   *     the fallback
   */
  public ControlLoop<S> start() {
    ControlLoop<S> loop = new ControlLoop<>(this);
    loop.start();
    return loop;
  }

  long deadlineNanos() {
    return deadlineNanos == 0 ? periodNanos : deadlineNanos;
  }

  static long positive(String what, long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException(what + " of " + nanos + " ns");
    }
    return nanos;
  }
}
