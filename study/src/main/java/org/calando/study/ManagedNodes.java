package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.clock.Machine;
import org.calando.clock.thread.CpuSet;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ReadOffload;
import org.calando.core.BadRequestException;
import org.calando.engine.RoledServers;
import org.calando.studyfile.ManagedClocks;

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

  /**
   * The nodes of a power manager.
   *
   * @param pins whether threads are moved onto the nodes' processors
   */
  public List<ManagedNode> nodes(boolean pins) {
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
