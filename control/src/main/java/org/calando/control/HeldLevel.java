package org.calando.control;

import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.policy.Plan.Action;
import org.calando.core.policy.ReadChoice;

/**
 * Holds a knob to what was decided, for as long as that holds, and else to the fallback. Thread
 * safe: the loop's thread decides, any thread may close.
 */
public final class HeldLevel implements Actor {
  private final Knob<ReadChoice> knob;
  private final ReadChoice fallback;
  private final long validNanos;
  private final boolean dryRun;

  private volatile State state;

  // Guarded by this.
  private boolean closed;
  private boolean fallbackIsSet;
  private Optional<String> whyFallback = Optional.empty();
  private long sinceNanos;

  /**
   * How it stands. Immutable and thread safe.
   *
   * @param choice what it holds reads to; in a dry run what it would
   * @param decided whether a decision is in force; else it is the fallback
   * @param reason why, in words
   * @param decisions decisions so far
   * @param missed observations so far that failed, came late or could not be decided on
   */
  public record State(
      ReadChoice choice, boolean decided, String reason, long decisions, long missed) {}

  /**
   * Holds nothing yet.
   *
   * @param knob what is set, and its target: the table
   * @param fallback what it is set to without a decision: the replicas of the table's fallback
   * @param validNanos how long a decision holds without another, above 0
   * @param dryRun whether it never touches the knob
   */
  public HeldLevel(Knob<ReadChoice> knob, ReadChoice fallback, long validNanos, boolean dryRun) {
    this.knob = knob;
    this.fallback = fallback;
    this.validNanos = ControlLoopBuilder.positive("validity", validNanos);
    this.dryRun = dryRun;
    this.state = new State(fallback, false, "not decided yet", 0, 0);
  }

  /** How it stands. */
  public State state() {
    return state;
  }

  /** Takes the fallback before the first decision. */
  @Override
  public synchronized void begin(ControlLoop<?> by, long nowNanos) {
    sinceNanos = nowNanos;
    requireFallback();
  }

  /** When what is held ends to hold, by the time of the last decision. */
  @Override
  public synchronized OptionalLong validUntilNanos() {
    return whyFallback.isPresent()
        ? OptionalLong.empty()
        : OptionalLong.of(sinceNanos + validNanos);
  }

  /** Sets what was decided; where that cannot be done, the fallback. */
  @Override
  public synchronized void act(Decision<?> decision, long nowNanos) {
    if (closed) {
      return;
    }
    Optional<ReadChoice> choice = decision.value(knob.id());
    sinceNanos = nowNanos;
    // A decision that sets nothing leaves the level as it is.
    boolean stays = choice.isEmpty() && !state.decided();
    Optional<String> problem = choice.flatMap(this::set);
    state =
        new State(
            choice.orElse(state.choice()),
            !stays,
            stays ? state.reason() : String.join("; ", decision.step().reasons()),
            state.decisions() + 1,
            state.missed());
    if (problem.isPresent()) {
      lost(problem.get(), nowNanos);
    } else if (!stays) {
      whyFallback = Optional.empty();
    }
  }

  /** An observation came to nothing: what is held stays for as long as it holds. */
  @Override
  public synchronized void missed(String why) {
    state =
        new State(
            state.choice(), state.decided(), state.reason(), state.decisions(), state.missed() + 1);
  }

  /** Takes the fallback if nothing was decided for too long, or if it could not be set before. */
  @Override
  public synchronized void check(long nowNanos, String whyNothing) {
    boolean tooOld = nowNanos - sinceNanos >= validNanos;
    Optional<String> why =
        whyFallback.isPresent()
            ? whyFallback.filter(known -> !fallbackIsSet)
            : Optional.of("no decision for %s s: %s".formatted(validNanos / 1e9, whyNothing))
                .filter(text -> tooOld);
    why.ifPresent(text -> lost(text, nowNanos));
  }

  /** Takes the fallback, unless closed. */
  @Override
  public synchronized void lost(String why, long nowNanos) {
    if (closed) {
      return;
    }
    Optional<String> problem = set(fallback);
    fallbackIsSet = problem.isEmpty();
    whyFallback = Optional.of(why);
    String reason = why + problem.map(text -> "; the fallback is not set: " + text).orElse("");
    state = new State(fallback, false, reason, state.decisions(), state.missed());
  }

  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    lost(why, nowNanos);
  }

  /**
   * Takes the fallback for good.
   *
   * @throws FailedWorkException if it cannot be set; it may then be tried again
   */
  @Override
  public synchronized void close(long nowNanos) {
    if (closed && fallbackIsSet) {
      return;
    }
    closed = true;
    state = new State(fallback, false, "closed", state.decisions(), state.missed());
    requireFallback();
  }

  private void requireFallback() {
    Optional<String> problem = set(fallback);
    fallbackIsSet = problem.isEmpty();
    if (problem.isPresent()) {
      throw new FailedWorkException(
          "the fallback is not set: " + problem.get(),
          "knob " + knob.id().name() + " of " + knob.target(),
          "set it by hand, or end what reads with it");
    }
  }

  /** Sets the knob and reads it back; tells why it is not set, or nothing if it is. */
  private Optional<String> set(ReadChoice choice) {
    if (dryRun) {
      return Optional.empty();
    }
    try {
      return perform(knob.plan(knob.current(), choice));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("setting " + knob.id().name() + " was interrupted");
    } catch (CalandoException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      return Optional.of("setting " + knob.id().name() + " failed: " + e);
    }
  }

  private static Optional<String> perform(Plan plan) throws InterruptedException {
    if (plan.steps().size() > 1) {
      return Optional.of(
          "a plan of %d steps for %s needs an executor with a journal"
              .formatted(plan.steps().size(), plan.knob()));
    }
    for (Action step : plan.steps()) {
      step.perform();
      if (!step.isDone()) {
        return Optional.of(step.describe() + ": does not read back as done");
      }
    }
    return Optional.empty();
  }
}
