package org.calando.control;

import java.util.concurrent.CompletionStage;
import org.calando.core.policy.Observed;

/** Asks the world what a policy decides from. Thread safe. */
@FunctionalInterface
public interface Observer {
  /**
   * Begins to ask, and returns at once.
   *
   * <p>The stage must end, with an observation or an error, whatever becomes of those who are
   * asked: until it has, nothing is asked again. It may end on any thread.
   *
   * @param nowNanos the time of the loop's clock
   * @return an observation taken since then: the time of its signals is of the loop's clock, and
   *     lies between now and the answer
   */
  CompletionStage<? extends Observed> observe(long nowNanos);
}
