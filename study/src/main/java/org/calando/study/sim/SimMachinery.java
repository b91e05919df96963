package org.calando.study.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.sim.cluster.ClientWork;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.Host;
import org.calando.studyfile.profile.CalibratedModel;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.sim.SimMachines;
import org.calando.studyfile.sim.SimMachines.ClientsWork;
import org.calando.studyfile.sim.SimMachines.Machine;
import org.calando.studyfile.sim.SimSpec;

/**
 * What the nodes of a study's simulated clusters run on. Immutable and thread safe.
 *
 * <p>Of a calibrated cluster every node is on a declared machine: its busy time is CPU time of the
 * machine that was measured, which the power profile scales.
 */
final class SimMachinery {
  private final SimMachines machines;
  private final List<Host> hosts;
  private final Optional<CalibratedModel> calibrated;
  private final Optional<Clocks> clocks;

  /**
   * Machines.
   *
   * @param managed states of clocks that somebody will set; empty if nobody does
   */
  SimMachinery(SimSpec sim, List<String> names, Optional<PStates> managed) {
    this.machines = sim.machines();
    Optional<Clocks> told = machines.clocks().map(SimMachines.NodeClocks::clocks);
    this.clocks =
        managed
            .map(
                states ->
                    new Clocks(
                        states,
                        told.map(Clocks::idleActivity).orElse(0.0),
                        told.map(Clocks::memoryShare).orElse(0.0)))
            .or(() -> told);
    this.calibrated = sim.profile().map(profile -> new CalibratedModel(profile.best()));
    List<Host> all = new ArrayList<>();
    Set<String> left = new HashSet<>(names);
    for (Machine machine : machines.hosts().orElse(List.of())) {
      List<String> on = machine.nodes().orElse(names);
      on.forEach(left::remove);
      all.add(new Host(machine.name(), machine.cores(), on, machine.anyOrder()));
    }
    sim.profile()
        .ifPresent(
            profile -> {
              ClusterShape shape = profile.cluster();
              boolean shared = shape.sharedMachine() && machines.hosts().isEmpty();
              List<String> rest = names.stream().filter(left::contains).toList();
              all.addAll(CalibratedModel.machines(shape.cores(), shared, rest));
            });
    machines
        .clientWork()
        .filter(work -> work.host().isEmpty())
        .ifPresent(work -> all.add(new Host(ClientsWork.OWN, work.cores(), List.of())));
    this.hosts = List.copyOf(all);
  }

  /** Puts it into a cluster's description. */
  void describe(ClusterConfig.Builder builder, NodeProfile power) {
    // Of the time that cores of calibrated nodes are busy, their capacity is CPU time.
    builder.profile(power.withCpuScale(power.cpuScale() * cpuShare())).hosts(hosts);
    machines
        .clientWork()
        .ifPresent(
            work ->
                builder.clientWork(
                    new ClientWork(
                        work.host().orElse(ClientsWork.OWN), work.request(), work.answer())));
    machines.background().ifPresent(builder::background);
    calibrated.flatMap(CalibratedModel::stages).ifPresent(builder::stages);
    clocks.ifPresent(builder::clocks);
  }

  /** CPU time for a time that cores are busy, 0 .. 1. */
  double cpuShare() {
    return calibrated.map(CalibratedModel::capacity).orElse(1.0);
  }

  /** What was calibrated, if it was. */
  Optional<CalibratedModel> calibrated() {
    return calibrated;
  }
}
