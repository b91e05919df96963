package org.calando.control;

import org.calando.core.policy.Decision;

/**
 * Hears what a {@link ControlLoop} is about to do. Called on the scheduler's thread, one call at a
 * time, so it is to be quick.
 */
@FunctionalInterface
public interface LoopListener {
  /**
   * A decision, before it is acted on. If this throws, the decision is not acted on, and {@link
   * Actor#failed}.
   *
   * @param inForce what is in force then, in words: see {@link Actor#inForce}
   */
  void decided(Decision<?> decision, String inForce);
}
