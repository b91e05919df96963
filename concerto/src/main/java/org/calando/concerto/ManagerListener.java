package org.calando.concerto;

import java.util.List;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.core.policy.Decision;
import org.calando.core.replication.RoleEvent;

/** Hears what a power manager does, on its thread; is not to block. */
public interface ManagerListener {
  /** Hears nothing. */
  ManagerListener SILENT = new ManagerListener() {};

  /**
   * Clocks were decided and set.
   *
   * @param decided what, and from what
   * @param outcomes of those settings that differ from what was in force; mostly empty
   */
  default void decided(Decision<?> decided, List<ClockOutcome> outcomes) {}

  /**
   * A node may be the master, and what its policy then wanted is set.
   *
   * @param event the change
   * @param afterNanos from when the change was seen until its clock was set
   */
  default void raised(RoleEvent event, long afterNanos) {}

  /**
   * Clocks or threads were not as they had been set, or could be set at last.
   *
   * @param drifts each change once; not empty
   */
  default void drifted(List<Drift> drifts) {}

  /** Something could not be done; the manager goes on. */
  default void trouble(String what) {}
}
