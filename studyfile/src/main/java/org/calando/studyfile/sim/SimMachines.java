package org.calando.studyfile.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.sim.cluster.Background;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.kernel.Distribution;

/**
 * What the nodes of a simulated cluster run on, and what else takes their cores.
 *
 * <p>Immutable and thread safe.
 *
 * @param hosts machines that nodes share, none if each has one of its own; empty if the file leaves
 *     that open
 * @param clientWork what operations cost the machine of the clients, if they do
 * @param background what nodes do beside operations, if they do
 * @param clocks the clocks of cores, if there are several
 * @param off nodes that are switched off from the beginning
 */
public record SimMachines(
    Optional<List<Machine>> hosts,
    Optional<ClientsWork> clientWork,
    Optional<Background> background,
    Optional<NodeClocks> clocks,
    Set<String> off) {
  /** What a study gets that says nothing of it. */
  static final SimMachines NONE =
      new SimMachines(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

  /** Copies the collections. */
  public SimMachines {
    hosts = hosts.map(List::copyOf);
    off = Set.copyOf(off);
  }

  /**
   * A machine that nodes share.
   *
   * @param name unique
   * @param cores 1 or more
   * @param nodes those on it; empty for all
   * @param anyOrder whether what waits is taken in random order, not in that of arrival
   */
  public record Machine(String name, int cores, Optional<List<String>> nodes, boolean anyOrder) {
    /** Copies the names. */
    public Machine {
      nodes = nodes.map(List::copyOf);
    }
  }

  /**
   * Work of the clients' machine.
   *
   * @param host the name of a machine; empty for one of their own
   * @param cores of their own machine
   * @param request before a request leaves
   * @param answer from an answer's arrival until the client knows of it
   */
  public record ClientsWork(
      Optional<String> host, int cores, Distribution request, Distribution answer) {
    /** What their own machine is called. */
    public static final String OWN = "clients";
  }

  /**
   * Clocks.
   *
   * @param clocks that cores can run at
   * @param ghz what they run at, one of {@code clocks}
   * @param nodes what the cores of some nodes run at instead
   */
  public record NodeClocks(Clocks clocks, double ghz, Map<String, Double> nodes) {
    /** Copies the mapping. */
    public NodeClocks {
      nodes = Map.copyOf(nodes);
    }

    /** What the cores of a node run at, in GHz. */
    public double of(String node) {
      return nodes.getOrDefault(node, ghz);
    }
  }
}
