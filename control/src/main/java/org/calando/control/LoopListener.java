package org.calando.control;

import org.calando.core.policy.Decision;

/**
 * Hears what a {@link ControlLoop} is about to do. Called on the scheduler's thread, one call at a
 * time (but {@link #fallback}, which may come from the thread that closes the loop), so it is to be
 * quick.
 */
@FunctionalInterface
public interface LoopListener {
  /**
   * A decision, before it is acted on. If this throws, the decision is not acted on, and {@link
   * Actor#failed}.
   */
  void decided(Decision<?> decision);

  /**
   * The same, and what the loop calls.
   *
   * @param inForce what is in force then: see {@link Actor#inForce}
   */
  default void decided(Decision<?> decision, String inForce) {
    decided(decision);
  }

  /**
   * Nothing is decided, and why; what this throws is ignored.
   *
   * @param atNanos the time of the loop's clock
   */
  default void missed(long atNanos, String why) {}

  /**
   * The fallback is taken without a decision, and why. Reported once for as long as it stays so for
   * the same reason; what this throws is ignored.
   *
   * @param atNanos the time of the loop's clock
   */
  default void fallback(long atNanos, String reason) {}
}
