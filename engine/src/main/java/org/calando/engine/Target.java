package org.calando.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.Capable;
import org.calando.core.store.KeyValueStore;
import org.calando.power.PowerSource;
import org.calando.power.host.HostSource;

/**
 * The cluster that a study runs on: one started for it, or the user's own. What only some offer is
 * an interface of its own, see {@link #find}. Not thread safe.
 */
public interface Target extends Capable, AutoCloseable {
  /**
   * A node of the cluster.
   *
   * @param name what reports call it
   * @param address where clients reach it
   * @param rack its rack, or an empty string
   * @param profile its power profile
   * @param sources where its energy can be read, at most one of each kind of meter
   * @param metrics where its machine tells what it uses, if it runs elsewhere
   * @param pid its server process, if it runs on this machine
   * @param log its log, if it is on this machine
   * @param companions ids of further processes on this machine that belong to it
   */
  record Node(
      String name,
      String address,
      String rack,
      NodeProfile profile,
      List<PowerSource> sources,
      Optional<HostSource> metrics,
      OptionalLong pid,
      Optional<Path> log,
      List<Long> companions) {
    /** Copies the lists. */
    public Node {
      sources = List.copyOf(sources);
      companions = List.copyOf(companions);
    }

    /** A node of one process. */
    public Node(
        String name,
        String address,
        String rack,
        NodeProfile profile,
        List<PowerSource> sources,
        Optional<HostSource> metrics,
        OptionalLong pid,
        Optional<Path> log) {
      this(name, address, rack, profile, sources, metrics, pid, log, List.of());
    }

    /**
     * Nodes with the processes that they have now, their own first, where these are known; a node
     * of which only its own is known keeps its companions.
     */
    public static List<Node> with(List<Node> nodes, Map<String, List<Long>> processes) {
      return nodes.stream()
          .map(node -> node.with(processes.getOrDefault(node.name(), List.of())))
          .toList();
    }

    private Node with(List<Long> processes) {
      return processes.isEmpty()
          ? this
          : new Node(
              name,
              address,
              rack,
              profile,
              sources,
              metrics,
              OptionalLong.of(processes.get(0)),
              log,
              processes.size() == 1 ? companions : processes.subList(1, processes.size()));
    }

    /** A node without instruments. */
    public Node(
        String name,
        String address,
        String rack,
        NodeProfile profile,
        OptionalLong pid,
        Optional<Path> log) {
      this(name, address, rack, profile, List.of(), Optional.empty(), pid, log);
    }
  }

  /** The nodes; processes may change from call to call, when nodes were started again. */
  List<Node> nodes();

  /** What a reader of the study's figures should know of the cluster. */
  default List<String> notes() {
    return List.of();
  }

  /** Names of nodes that are switched off now, by order. */
  default Set<String> off() {
    return Set.of();
  }

  /**
   * Connects to the cluster; blocks.
   *
   * @param bounds what load may be put on
   * @throws org.calando.core.BadRequestException if the cluster has nodes that are not listed, or
   *     not allowed
   * @throws IllegalStateException if it stores files
   */
  KeyValueStore connect(LoadBounds bounds);

  /**
   * Makes the cluster what the study declares, where that is in our hands: every node serves again.
   *
   * @return names of nodes that had to be started again
   * @throws org.calando.core.FailedWorkException if a node does not come up again
   */
  List<String> heal();

  /**
   * Tells of a process of the cluster that ends although nobody asked it to, as {@code node n2
   * (exit code 137)}, from a thread of its own; replaces the last listener.
   */
  void onProcessEnd(Consumer<String> listener);

  /** Changes the cluster in the midst of runs; empty where that is not in our hands. */
  Optional<ClusterControl> control();

  @Override
  void close();
}
