package org.calando.studyfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.clock.thread.CpuSet;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** Checks {@code matrix.clock} and {@code clocks} against the store. Not thread safe. */
final class ManagedClocksChecks {
  private static final List<String> OF_MACHINES =
      List.of("cpus", "sysfs", "pin", "silence", "read-offload");

  private final Values study;

  ManagedClocksChecks(Values study) {
    this.study = study;
  }

  void run(Key<StoreSpec> storeKey, Key<?> matrix, Key<ManagedClocks> clocksKey) {
    List<String> policies = Places.of(study, matrix, Axes.CLOCK);
    Optional<StoreSpec> store = study.find(storeKey);
    if (store.isPresent() && !store.get().supports(Feature.CLOCKS_BY_ROLE)) {
      refuseEngine(policies, clocksKey);
      return;
    }
    if (policies.isEmpty()) {
      study.forbid("holds only with matrix.clock", clocksKey);
      return;
    }
    if (store.isPresent() && store.get().isSimulated()) {
      checkSimulated(SimSpec.of(store.get()).orElseThrow(), policies.get(0));
      return;
    }
    if (!study.given(clocksKey)) {
      study.errorAt(
          policies.get(0),
          "it is not told on which processors the nodes run",
          "add clocks: {cpus: {n1: 0, n2: 1, ...}}");
    }
    Optional<ManagedClocks> clocks = study.find(clocksKey);
    if (store.isPresent() && clocks.isPresent()) {
      checkNodes(clocksKey.name() + ".cpus", nodes(store.get()), clocks.get().cpus());
    }
  }

  /** Simulated cores have clocks of their own, and no machine. */
  private void checkSimulated(SimSpec sim, String policy) {
    if (!sim.model().hasGroups()) {
      study.errorAt(
          policy,
          "no node of the simulated cluster is a replica only",
          "add store.sim.masters: {placement: groups}");
    }
    for (String key : OF_MACHINES) {
      if (study.has("clocks." + key)) {
        study.errorAt("clocks." + key, "holds only for a real machine", "remove it");
      }
    }
    for (String key : List.of("ghz", "nodes")) {
      if (study.has("store.sim.clocks." + key)) {
        study.errorAt(
            "store.sim.clocks." + key, "is what " + policy + "'s policies set", "remove it");
      }
    }
    if (study.has("clocks.states") && study.has("store.sim.clocks.states")) {
      study.errorAt("clocks.states", "given beside store.sim.clocks.states", "remove one of them");
    }
  }

  private void refuseEngine(List<String> policies, Key<ManagedClocks> clocksKey) {
    String why =
        "holds only for "
            + Engines.names(Feature.CLOCKS_BY_ROLE)
            + ", where a master is waited for";
    policies.forEach(path -> study.errorAt(path, why, "remove it"));
    study.forbid(why, clocksKey);
  }

  private static List<String> nodes(StoreSpec store) {
    return store
        .inventory()
        .map(inventory -> inventory.nodes().stream().map(InventorySpec.Node::name).toList())
        .orElseGet(() -> IntStream.rangeClosed(1, store.nodes()).mapToObj(i -> "n" + i).toList());
  }

  /** Checks that every node has processors, and that no processor has two nodes. */
  void checkNodes(String path, List<String> nodes, Map<String, CpuSet> cpus) {
    List<String> missing = new ArrayList<>(nodes);
    missing.removeAll(cpus.keySet());
    if (!missing.isEmpty()) {
      study.errorAt(
          path, "has no processors of " + String.join(", ", missing), "name those of every node");
    }
    Map<Integer, String> owners = new HashMap<>();
    cpus.forEach(
        (node, set) -> {
          if (!nodes.contains(node)) {
            study.errorAt(
                path + "." + node,
                "there is no node " + node,
                "the nodes are " + MachineChecks.listed(nodes));
          }
          checkShared(path + "." + node, node, set, owners);
        });
  }

  private void checkShared(String path, String node, CpuSet cpus, Map<Integer, String> owners) {
    for (int cpu : cpus.cpus()) {
      String other = owners.putIfAbsent(cpu, node);
      if (other != null) {
        study.errorAt(
            path,
            "processor " + cpu + " is that of " + other + " too",
            "give each node processors of its own, for it to have a clock of its own");
        return;
      }
    }
  }
}
