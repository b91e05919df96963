package org.calando.core.policy.joint;

import java.util.Optional;
import org.calando.core.energy.PStates;

/** A cluster whose file says what operations cost. Immutable and thread safe. */
public interface ModelledWork {
  /** What operations cost. */
  WorkCosts costs();

  /** Clocks that cores can be set to; empty if they have one. */
  Optional<PStates> states();

  /** Dynamic power of an idle core as a share of a busy one's, 0 .. below 1. */
  double idleActivity();
}
