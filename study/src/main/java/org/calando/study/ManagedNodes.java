package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.agent.LeasedNodes;
import org.calando.clock.Machine;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.ManagerTimes;
import org.calando.concerto.ReadOffload;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.engine.RoledServers;
import org.calando.knob.ManagedClocks;

/**
 * Which processors nodes have, of their own and for reads, for studies and for the governor alike.
 * Immutable and thread safe.
 *
 * @param spec what a file says
 * @param offload how reads are off-loaded, if they are
 */
public record ManagedNodes(ManagedClocks spec, Optional<ReadOffload> offload) {
  /**
   * Asks servers, where reads are to be off-loaded, whether they can.
   *
   * @throws BadRequestException if they cannot, with every reason
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  public static ManagedNodes of(ManagedClocks spec, RoledServers servers) {
    return new ManagedNodes(spec, spec.readOffload().map(fast -> offload(fast, spec, servers)));
  }

  private static ReadOffload offload(CpuSet fast, ManagedClocks spec, RoledServers servers) {
    int processors = Machine.real().tree().cpus().cpus().size();
    return ReadOffload.of(fast, spec.cpus(), servers.offloadRefusals(processors));
  }

  /** The processors whose clocks are taken. */
  public Map<String, CpuSet> leased() {
    return offload.map(each -> each.leased(spec.cpus())).orElse(spec.cpus());
  }

  /** What a power manager of them is made of, once they are on lease. */
  public ManagerConfig config(LeasedNodes leased, ClockPolicy policy, PStates states) {
    return ManagerConfig.of(nodes(leased.threads().isPresent()), policy, states)
        .withTimes(
            new ManagerTimes(
                spec.times().decideNanos(),
                ManagerTimes.defaults().verifyNanos(),
                ManagerTimes.defaults().energyNanos()))
        .withCpu(leased.cpu());
  }

  private List<ManagedNode> nodes(boolean pins) {
    List<ManagedNode> nodes = new ArrayList<>();
    spec.cpus()
        .forEach(
            (name, cpus) -> {
              ManagedNode node = pins ? ManagedNode.pinned(name, cpus) : ManagedNode.of(name, cpus);
              nodes.add(offload.map(each -> each.apply(node)).orElse(node));
            });
    return nodes;
  }
}
