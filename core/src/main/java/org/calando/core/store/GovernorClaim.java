package org.calando.core.store;

import java.util.Optional;

/**
 * The claim of one governor on the knobs of a cluster, which the cluster itself keeps: governors on
 * other machines are refused for as long, and find what this one has noted of knobs when it is
 * lost. Thread safe.
 */
public interface GovernorClaim extends KnobNotes, AutoCloseable {
  /** A cluster that keeps such a claim. */
  interface Source {
    /**
     * Claims the cluster until that is closed, or this process has ended; blocks.
     *
     * @throws org.calando.core.BadRequestException if another governor has it, or the user may not
     *     do what is needed
     * @throws org.calando.core.FailedWorkException if the cluster cannot be asked
     */
    GovernorClaim claim();

    /**
     * Who has it, and since when, in words; empty if nobody. Changes nothing; blocks.
     *
     * @throws org.calando.core.FailedWorkException if the cluster cannot be asked
     */
    Optional<String> holder();
  }

  /** Why it is held no more, so that nothing may be set; empty while it is held. */
  Optional<String> lost();

  /** Gives it back. Idempotent; what cannot be given back ends by itself. */
  @Override
  void close();
}
