package org.calando.control;

import java.util.Optional;
import org.calando.core.policy.Observed;

/**
 * Sees at once what a policy decides from. Called by the tasks of the loop's scheduler, one at a
 * time.
 */
@FunctionalInterface
public interface Sensor {
  /**
   * Looks.
   *
   * @param nowNanos the time of the loop's clock
   * @return what is to be decided on in the same task; empty if nothing is to be decided yet
   */
  Optional<? extends Observed> look(long nowNanos);
}
