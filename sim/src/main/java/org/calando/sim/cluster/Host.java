package org.calando.sim.cluster;

import java.util.List;

/**
 * A machine that several nodes share: their work waits in one queue for its cores. What its cores
 * do is counted for each node by itself, and a node's power follows its own share, as for the
 * processes of a local cluster: the busy time counts as CPU time of the measuring machine, scaled
 * by {@link org.calando.core.energy.NodeProfile#cpuScale}.
 *
 * @param name unique in its cluster
 * @param cores of the machine, 1 or more; those of the nodes' profiles count for power only
 * @param nodes names of the nodes that run on it; none for a machine of the clients' own
 * @param anyOrder whether what waits is served in random order instead of that of arrival, as by a
 *     scheduler that has many threads to choose from: waits are as long on average, and differ more
 */
public record Host(String name, int cores, List<String> nodes, boolean anyOrder) {
  /** Copies the names. */
  public Host {
    nodes = List.copyOf(nodes);
  }

  /** A machine whose work is done in order of arrival. */
  public Host(String name, int cores, List<String> nodes) {
    this(name, cores, nodes, false);
  }
}
