package org.calando.control;

import java.util.List;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.core.time.Scheduler;

/**
 * A cluster with a master and replicas the clocks of whose cores a policy sets: one whose clocks
 * are on lease, or a simulated one. A capability.
 */
public interface ClockedNodes {
  /**
   * Begins to set them; the first ones are set when this returns.
   *
   * @param scheduler for looks at the nodes
   * @throws org.calando.core.CalandoException if they cannot be set
   */
  Managing manage(Scheduler scheduler, Settings settings, ClockPolicy policy, Listener listener);

  /**
   * How closely to watch.
   *
   * @param writeBytes bytes of a write in the replication stream, above 0
   * @param lookNanos from one look at roles and lags to the next, above 0
   * @param decideNanos from one decision to the next where no role changes, above 0
   */
  record Settings(double writeBytes, long lookNanos, long decideNanos) {
    /** Checks the figures. */
    public Settings {
      if (!(writeBytes > 0 && lookNanos > 0 && decideNanos > 0)) {
        throw new IllegalArgumentException(
            "writes of %s bytes, looks each %d ns, decisions each %d ns"
                .formatted(writeBytes, lookNanos, decideNanos));
      }
    }
  }

  /** Hears what is seen and done. */
  interface Listener {
    /** Hears nothing. */
    Listener SILENT = new Listener() {};

    /** All nodes were looked at. */
    default void looked(List<NodeView> nodes) {}

    /** A decision was taken. */
    default void decided(Decision<?> decision) {}
  }

  /**
   * A node.
   *
   * @param view what is known of it since the last look
   * @param kiloHertz its clock; 0 if it is not known
   * @param cpuSeconds CPU time since the account's begin; NaN if it is not known
   */
  record Node(NodeView view, long kiloHertz, double cpuSeconds) {}

  /**
   * What all nodes came to since the account's begin. A figure that is not known is NaN.
   *
   * @param time of their cores at their clocks
   * @param atFastest as much time with the same work, had the clock been the fastest throughout
   * @param masterSeconds CPU time of nodes while they were masters
   * @param replicaSeconds CPU time of a replica, in the mean of those that there were
   * @param managerSeconds CPU time of watching and deciding
   * @param changes clocks that were set to another than before
   */
  record Totals(
      CoreSeconds time,
      CoreSeconds atFastest,
      double masterSeconds,
      double replicaSeconds,
      double managerSeconds,
      long changes) {}

  /** Clocks that are set, until this is closed. */
  interface Managing extends AutoCloseable {
    /** The nodes as they are now, in their order. */
    List<Node> nodes();

    /**
     * What clocks wait for before they are as the policy wants them; empty if for nothing. In
     * simulated time nobody waits: they settle in the warm-up.
     */
    default List<String> unsettled() {
      return List.of();
    }

    /** Begins the account anew, with the measured window. */
    void beginAccount();

    /** The measured window may end now; told where it is simulated. */
    default void mayEndAccount() {}

    /**
     * Ends the account.
     *
     * @param nanos when the window ended, on the load's clock
     */
    Totals endAccount(long nanos);

    /** What a reader of the account should know; nothing by default. */
    default List<String> notes() {
      return List.of();
    }

    /**
     * {@inheritDoc} Nothing is decided any more.
     *
     * @throws org.calando.core.FailedWorkException if clocks are not as the next run needs them
     */
    @Override
    void close();
  }
}
