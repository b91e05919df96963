package org.calando.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.clock.Machine;
import org.calando.clock.thread.CpuSet;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ReadOffload;
import org.calando.core.BadRequestException;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.ServerBuild;
import org.calando.studyfile.ManagedClocks;

/**
 * Which processors nodes have, of their own and for reads, for studies and for the governor alike.
 * Immutable and thread safe.
 *
 * @param spec what a file says
 * @param offload how reads are off-loaded, if they are
 */
record ManagedNodes(ManagedClocks spec, Optional<ReadOffload> offload) {
  /**
   * Asks servers, where reads are to be off-loaded, whether they can.
   *
   * @throws BadRequestException if they cannot, with every reason
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  static ManagedNodes of(ManagedClocks spec, RedisStoreConfig store) {
    return new ManagedNodes(
        spec, spec.readOffload().map(fast -> offload(fast, spec, servers(store))));
  }

  private static ReadOffload offload(
      CpuSet fast, ManagedClocks spec, Map<String, ServerBuild> servers) {
    int processors = Machine.real().tree().cpus().cpus().size();
    return ReadOffload.of(fast, spec.cpus(), servers, processors);
  }

  /** What each node runs, by its name. */
  static Map<String, ServerBuild> servers(RedisStoreConfig store) {
    Map<String, ServerBuild> servers = new LinkedHashMap<>();
    for (RedisNode node : store.nodes()) {
      servers.put(node.name(), ServerBuild.of(node, store.credentials(), store.tls()));
    }
    return servers;
  }

  /** The processors whose clocks are taken. */
  Map<String, CpuSet> leased() {
    return offload.map(each -> each.leased(spec.cpus())).orElse(spec.cpus());
  }

  /**
   * The nodes of a power manager.
   *
   * @param pins whether threads are moved onto the nodes' processors
   */
  List<ManagedNode> nodes(boolean pins) {
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
