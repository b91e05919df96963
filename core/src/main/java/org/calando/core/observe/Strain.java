package org.calando.core.observe;

import java.util.ArrayDeque;
import java.util.Deque;

/*
 * A node that failed leaves its own requests without an answer: of three replicas' a third, and no longer than
 * until it is known. Where most requests stay without one, whomever they ask, there is more work than
 * all can do. What is then found of lags says how long work waits, and nothing of the lags that reads at a
 * weaker level would meet.
 */
/** Whether most of the canary's requests of late had no answer in time. Thread safe. */
final class Strain {
  private static final long NANOS = 3_000_000_000L;
  private static final int FEWEST = 4;
  private static final long LATELY_NANOS = 60_000_000_000L;

  private final Deque<Outcome> outcomes = new ArrayDeque<>();
  private int unanswered;
  private boolean everOn;
  private long lastOnNanos;

  private record Outcome(long atNanos, boolean answered) {}

  /** Notes a request's end. */
  synchronized void ended(long nowNanos, boolean answered) {
    forget(nowNanos);
    outcomes.addLast(new Outcome(nowNanos, answered));
    unanswered += answered ? 0 : 1;
  }

  synchronized boolean isOn(long nowNanos) {
    forget(nowNanos);
    boolean on = outcomes.size() >= FEWEST && 2 * unanswered > outcomes.size();
    if (on) {
      everOn = true;
      lastOnNanos = nowNanos;
    }
    return on;
  }

  /** Whether it was on within a minute: nodes do not all work off at once what waits. */
  synchronized boolean wasOn(long nowNanos) {
    long age = nowNanos - lastOnNanos;
    return isOn(nowNanos) || (everOn && age >= 0 && age <= LATELY_NANOS);
  }

  private void forget(long nowNanos) {
    while (!outcomes.isEmpty() && isOld(nowNanos - outcomes.getFirst().atNanos())) {
      unanswered -= outcomes.removeFirst().answered() ? 0 : 1;
    }
  }

  // What lies in the future is from before the clock was set back.
  private static boolean isOld(long age) {
    return age < 0 || age > NANOS;
  }
}
