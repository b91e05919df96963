package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.calando.sim.stage.StagedCores;
import org.jspecify.annotations.Nullable;

/**
 * The machine of each node: a declared one, or one of its own with the cores of its profile. The
 * clients count as one more node, after the last. Immutable.
 */
final class HostPlan {
  private static final int NONE = -1;

  private final int[] hostOf;
  private final int[] coresOf;
  private final boolean[] anyOrder;
  private final int declared;

  private HostPlan(int[] hostOf, int[] coresOf, boolean[] anyOrder, int declared) {
    this.hostOf = hostOf;
    this.anyOrder = anyOrder;
    this.coresOf = coresOf;
    this.declared = declared;
  }

  /** The plan of a cluster whose hosts have no {@link #problems}. */
  static HostPlan of(ClusterConfig config) {
    int nodes = config.topology().size();
    int[] hostOf = new int[nodes + 1];
    Arrays.fill(hostOf, NONE);
    List<Integer> cores = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    for (int node = 0; node < nodes; node++) {
      numbers.put(config.topology().nodes().get(node).name(), node);
    }
    ClientWork clients = config.clientWork();
    for (Host host : config.hosts()) {
      for (String name : host.nodes()) {
        hostOf[numbers.getOrDefault(name, 0)] = cores.size();
      }
      if (clients != null && clients.host().equals(host.name())) {
        hostOf[nodes] = cores.size();
      }
      cores.add(host.cores());
    }
    int declared = cores.size();
    for (int node = 0; node < nodes; node++) {
      if (hostOf[node] == NONE) {
        hostOf[node] = cores.size();
        cores.add(config.profiles().get(node).cores());
      }
    }
    boolean[] anyOrder = new boolean[cores.size()];
    for (int host = 0; host < declared; host++) {
      anyOrder[host] = config.hosts().get(host).anyOrder();
    }
    return new HostPlan(
        hostOf, cores.stream().mapToInt(Integer::intValue).toArray(), anyOrder, declared);
  }

  /** What is wrong with hosts; empty if nothing is. */
  static List<String> problems(List<Host> hosts, @Nullable ClientWork clients, Topology topology) {
    List<String> problems = new ArrayList<>();
    Set<String> hostNames = new HashSet<>();
    Set<String> placed = new HashSet<>();
    Set<String> known = new HashSet<>();
    topology.nodes().forEach(node -> known.add(node.name()));
    for (Host host : hosts) {
      if (!hostNames.add(host.name())) {
        problems.add("hosts: two are called " + host.name());
      }
      if (host.cores() < 1) {
        problems.add("hosts: %s has %d cores".formatted(host.name(), host.cores()));
      }
      for (String node : host.nodes()) {
        if (!known.contains(node)) {
          problems.add("hosts: %s has the unknown node %s".formatted(host.name(), node));
        } else if (!placed.add(node)) {
          problems.add("hosts: node %s has two".formatted(node));
        }
      }
    }
    if (clients != null && !hostNames.contains(clients.host())) {
      problems.add("client work: there is no host " + clients.host());
    }
    return problems;
  }

  /** Thread pools of the nodes on these machines. */
  StagedCores staged(
      Simulation simulation, NodeStages stages, int mostWaiting, StagedCores.Jobs jobs) {
    return new StagedCores(simulation, stages, hostOf, coresOf, mostWaiting, jobs);
  }

  /** Machines. */
  int hosts() {
    return coresOf.length;
  }

  int coresOf(int host) {
    return coresOf[host];
  }

  /** Whether the machine of a node serves what waits in random order. */
  boolean anyOrder(int node) {
    return hostOf[node] >= 0 && anyOrder[hostOf[node]];
  }

  /** The machine of a node, or of the clients; -1 for clients without one. */
  int hostOf(int node) {
    return hostOf[node];
  }

  /** Whether a node runs on a machine that was declared. */
  boolean isDeclared(int node) {
    return hostOf[node] < declared;
  }

  /** The number that clients count as. */
  int clients() {
    return hostOf.length - 1;
  }
}
