package org.calando.control;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.policy.Signal;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;

/**
 * A cluster that observes a table by itself, and has a policy decide the level of its reads in the
 * cluster's own time: a simulated one. A capability.
 */
public interface LevelledReads {
  /**
   * Begins to observe and to decide, at the policy's fallback.
   *
   * @param policy made for {@link Settings#safe}; one that holds a level is only observed with
   * @param listeners told of decisions, in their order
   */
  Deciding decide(
      Scheduler scheduler, Settings settings, Policy<?> policy, List<LoopListener> listeners);

  /**
   * How to observe and decide.
   *
   * @param table what is observed
   * @param periodNanos from one decision to the next
   * @param windowNanos over how long the popularity of keys is learned
   * @param seed of what is random
   */
  record Settings(TableTelemetry.Settings table, long periodNanos, long windowNanos, long seed) {
    private static final long SECOND = 1_000_000_000L;

    /** A decision a second, popularity over five. */
    public static Settings of(TableTelemetry.Settings table, long seed) {
      return new Settings(table, SECOND, 5 * SECOND, seed);
    }

    /** How replicas map to levels. */
    public ReadLevels levels() {
      return new ReadLevels(table.replicas(), table.isLocal());
    }

    /** The level at which no read is stale. */
    public SafeLevel safe() {
      return SafeLevel.weakest(table.placement(), table.write(), table.isLocal());
    }
  }

  /**
   * What observing and deciding have cost so far.
   *
   * @param cpuSeconds NaN if it is not known
   */
  record Spent(long requests, double cpuSeconds) {}

  /** Reads whose level is decided, until this is closed. */
  interface Deciding extends AutoCloseable {
    /** What learns how popular keys are; told of all reads and writes. */
    PopularitySketch sketch();

    /** The level of the next read; does not block. */
    ConsistencyLevel next();

    /** How the loop stands. */
    HeldLevel.State state();

    /** Canaries whose write failed, in words; empty if none did. */
    Optional<String> failures();

    /** What observing and deciding have cost so far. */
    Spent spent();

    /** {@inheritDoc} Nothing is decided any more. */
    @Override
    void close();
  }

  /**
   * A cluster that has one controller decide on levels, gear and clocks at once, in the cluster's
   * own time. A capability.
   */
  interface Joint {
    /**
     * Begins with all nodes on at their fastest clocks, and reads at the fallback.
     *
     * @param controller of signals of reads, of the gear, of nodes' clocks and of {@link
     *     ReadLatency}
     * @param latency what clients have seen of late; empty if nothing yet
     * @param listener hears of each decision
     */
    JointlyDeciding decide(
        Scheduler scheduler,
        JointSettings settings,
        Controller<?> controller,
        Supplier<Optional<Signal<ReadLatency>>> latency,
        LoopListener listener);
  }

  /**
   * How to observe and decide on all of a cluster.
   *
   * @param reads the table, and when to decide
   * @param fallback what reads ask while nothing is decided
   * @param gears whose nodes are those of the cluster; empty if it has none
   * @param shifts how gears are shifted
   */
  record JointSettings(
      Settings reads,
      ReadChoice fallback,
      Optional<GearModel> gears,
      ShiftedNodes.Settings shifts) {}

  /** A cluster that is decided on, until this is closed. */
  interface JointlyDeciding extends Deciding {
    /** What has come of shifts until now; empty without gears. */
    Optional<ShiftedNodes.Totals> totals();

    /** Why nothing is decided any more, though this is not closed. */
    Optional<Throwable> failure();
  }
}
