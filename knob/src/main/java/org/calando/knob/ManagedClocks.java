package org.calando.knob;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.control.ClockedNodes;
import org.calando.core.CpuSet;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.policy.clock.SlackLimits;
import org.calando.report.column.ClockFigures;

/**
 * How runs with a policy of clocks manage the processors of nodes. Immutable and thread safe.
 *
 * @param cpus the processors of each node; empty where the cluster is simulated
 * @param tree the folder of the machine's processors, or one that looks like it
 * @param pin whether threads of a node are moved onto its processors; empty: wherever the tree is
 *     the machine's own and lets us
 * @param states P-states by which joules are modelled; empty: the machine's own clocks
 * @param power what a core draws beside that
 * @param coreWatts power of a core that is busy at its fastest clock, above 0
 * @param limits how carefully clocks are lowered
 * @param slack what the policy that predicts must keep to
 * @param times how often roles are asked for and clocks are decided
 * @param readOffload processors, always fast, on which I/O threads of all nodes run; empty: they
 *     stay with their nodes
 */
public record ManagedClocks(
    Map<String, CpuSet> cpus,
    Path tree,
    Optional<Boolean> pin,
    Optional<PStates> states,
    CorePower power,
    double coreWatts,
    ClockLimits limits,
    SlackLimits slack,
    Times times,
    Optional<CpuSet> readOffload) {
  /**
   * How often what is done.
   *
   * @param pollNanos between two questions for a node's role
   * @param silenceNanos how long an answer may take before the node counts as silent
   * @param decideNanos between two decisions without an event
   */
  public record Times(long pollNanos, long silenceNanos, long decideNanos) {}

  private static final Path MACHINE = Path.of("/sys/devices/system/cpu");

  /** Of a simulated cluster whose study says nothing of it: every default. */
  public static final ManagedClocks SIMULATED =
      new ManagedClocks(
          Map.of(),
          MACHINE,
          Optional.empty(),
          Optional.empty(),
          new CorePower(0, 0),
          8.5,
          ClockLimits.defaults(),
          SlackLimits.defaults(),
          new Times(100_000_000L, 1_000_000_000L, 1_000_000_000L),
          Optional.empty());

  /** Copies the mapping. */
  public ManagedClocks {
    cpus = Collections.unmodifiableMap(new LinkedHashMap<>(cpus));
  }

  /** All processors whose clocks are set. */
  public CpuSet all() {
    List<CpuSet> all = new ArrayList<>(cpus.values());
    readOffload.ifPresent(all::add);
    return CpuSet.union(all);
  }

  /** Whether the tree is the machine's own, and not one made of files. */
  public boolean isRealTree() {
    return tree.equals(MACHINE);
  }

  /**
   * A policy by its name.
   *
   * @throws org.calando.core.BadRequestException if there is none
   */
  public ClockPolicy policy(String name) {
    return ClockPolicies.byName(name, limits, slack, "matrix.clock");
  }

  /** What clocks came to that were managed so. */
  public ClockFigures figures(ClockedNodes.Totals all, LagRecord lag) {
    return new ClockFigures(
        energy(all, power.busyOnly()),
        energy(all, power.idleCharged()),
        all.masterSeconds(),
        all.replicaSeconds(),
        lag.lag(),
        all.managerSeconds(),
        all.managerSeconds() * coreWatts,
        all.changes());
  }

  private ClockFigures.Energy energy(ClockedNodes.Totals all, CorePower of) {
    return new ClockFigures.Energy(
        of.joules(all.time(), coreWatts), of.saving(all.time(), all.atFastest()));
  }
}
