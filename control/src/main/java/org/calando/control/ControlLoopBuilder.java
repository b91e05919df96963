package org.calando.control;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.policy.Knob;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.time.Scheduler;

/** Collects the settings of a {@link ControlLoop}. Not thread safe. */
public final class ControlLoopBuilder<S> {
  private static final long SECOND = 1_000_000_000L;
  private static final int PERIODS_VALID = 5;

  final Scheduler scheduler;
  final PolicyLoop<S> policy;
  final Observer observer;
  final Knob<ReadChoice> knob;
  final ReadChoice fallback;
  final List<LoopListener> listeners = new ArrayList<>();
  long periodNanos = SECOND;
  boolean dryRun;
  private long deadlineNanos;
  private long validNanos;

  ControlLoopBuilder(
      Scheduler scheduler,
      PolicyLoop<S> policy,
      Observer observer,
      Knob<ReadChoice> knob,
      ReadChoice fallback) {
    this.scheduler = scheduler;
    this.policy = policy;
    this.observer = observer;
    this.knob = knob;
    this.fallback = fallback;
  }

  /** From one question to the next, above 0; default 1 s. */
  public ControlLoopBuilder<S> periodNanos(long newPeriodNanos) {
    periodNanos = positive("period", newPeriodNanos);
    return this;
  }

  /** Time that an observation has, above 0; default the period. */
  public ControlLoopBuilder<S> deadlineNanos(long newDeadlineNanos) {
    deadlineNanos = positive("deadline", newDeadlineNanos);
    return this;
  }

  /** How long a decision holds without another, above 0; default 5 periods. */
  public ControlLoopBuilder<S> validNanos(long newValidNanos) {
    validNanos = positive("validity", newValidNanos);
    return this;
  }

  /** One more that is told, in the order in which they are added; by default there is none. */
  public ControlLoopBuilder<S> listener(LoopListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Whether it decides and tells, but never touches the knob; default no. */
  public ControlLoopBuilder<S> dryRun(boolean newDryRun) {
    dryRun = newDryRun;
    return this;
  }

  /**
   * Sets the fallback and begins; the first question is asked at once, on the scheduler.
   *
   * @throws org.calando.core.FailedWorkException if the fallback cannot be set
   */
  public ControlLoop<S> start() {
    ControlLoop<S> loop = new ControlLoop<>(this);
    loop.start();
    return loop;
  }

  long deadlineNanos() {
    return deadlineNanos == 0 ? periodNanos : deadlineNanos;
  }

  long validNanos() {
    return validNanos == 0 ? PERIODS_VALID * periodNanos : validNanos;
  }

  private static long positive(String what, long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException(what + " of " + nanos + " ns");
    }
    return nanos;
  }
}
