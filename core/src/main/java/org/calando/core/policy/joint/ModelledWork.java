package org.calando.core.policy.joint;

import java.util.Optional;
import org.calando.core.energy.PStates;

/** A cluster whose file says what operations cost. Immutable and thread safe. */
public interface ModelledWork {
  /**
   * One of which nobody says it: the ratios are those of a cluster that was measured, and what
   * nodes are seen to be busy corrects their scale.
   */
  ModelledWork LEARNT =
      new ModelledWork() {
        @Override
        public WorkCosts costs() {
          return WorkCosts.LI_2013;
        }
      };

  /** What operations cost. */
  WorkCosts costs();

  /** Clocks that cores can be set to; empty if they have one. */
  default Optional<PStates> states() {
    return Optional.empty();
  }

  /** Dynamic power of an idle core as a share of a busy one's, 0 .. below 1. */
  default double idleActivity() {
    return 0;
  }
}
