package org.calando.studyfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.clock.thread.CpuSet;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.schema.Binding;
import org.calando.schema.Key;
import org.calando.schema.Tree;
import org.calando.schema.Values;
import org.calando.studyfile.sim.MachineChecks;
import org.calando.studyfile.sim.SimSpec;

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
      checkNodes(clocksKey.name() + ".cpus", machines(store.get()), clocks.get().cpus());
    }
  }

  /** Refuses clocks of a governed cluster that has no roles, or other nodes. */
  static void checkGoverned(Tree tree, Binding at, ManagedClocks clocks, StoreSpec store) {
    if (!store.supports(Feature.CLOCKS_BY_ROLE)) {
      at.error(tree.where(), "has clocks, which go by roles", "remove clocks");
      return;
    }
    faults(machines(store.inventory().orElseThrow()), clocks.cpus())
        .forEach(
            fault ->
                at.error(
                    tree.where(),
                    "clocks.cpus" + fault.below() + ": " + fault.what(),
                    fault.remedy()));
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

  private static Map<String, Object> machines(StoreSpec store) {
    if (store.inventory().isPresent()) {
      return machines(store.inventory().get());
    }
    Map<String, Object> machines = new LinkedHashMap<>();
    IntStream.rangeClosed(1, store.nodes()).forEach(i -> machines.put("n" + i, ""));
    return machines;
  }

  /** Checks that every node has processors, and that no processor has two nodes. */
  void checkNodes(String path, Map<String, Object> machines, Map<String, CpuSet> cpus) {
    faults(machines, cpus)
        .forEach(fault -> study.errorAt(path + fault.below(), fault.what(), fault.remedy()));
  }

  /**
   * Something that is wrong with the processors of nodes.
   *
   * @param below where below their key, empty or beginning with a dot
   */
  record Fault(String below, String what, String remedy) {}

  /** The machine of each node: that of its agent, or this one. */
  static Map<String, Object> machines(InventorySpec inventory) {
    Map<String, Object> machines = new LinkedHashMap<>();
    inventory
        .nodes()
        .forEach(
            node -> machines.put(node.name(), node.agent().map(Object.class::cast).orElse("")));
    return machines;
  }

  /**
   * What is wrong with the processors of nodes.
   *
   * @param machines the machine of each node
   */
  static List<Fault> faults(Map<String, Object> machines, Map<String, CpuSet> cpus) {
    List<Fault> faults = new ArrayList<>();
    List<String> missing = new ArrayList<>(machines.keySet());
    missing.removeAll(cpus.keySet());
    if (!missing.isEmpty()) {
      faults.add(
          new Fault(
              "",
              "has no processors of " + String.join(", ", missing),
              "name those of every node"));
    }
    Map<List<Object>, String> owners = new HashMap<>();
    cpus.forEach(
        (node, set) -> {
          if (!machines.containsKey(node)) {
            faults.add(
                new Fault(
                    "." + node,
                    "there is no node " + node,
                    "the nodes are " + MachineChecks.listed(List.copyOf(machines.keySet()))));
          }
          shared(machines.getOrDefault(node, ""), node, set, owners).ifPresent(faults::add);
        });
    return faults;
  }

  private static Optional<Fault> shared(
      Object machine, String node, CpuSet cpus, Map<List<Object>, String> owners) {
    for (int cpu : cpus.cpus()) {
      String other = owners.putIfAbsent(List.of(machine, cpu), node);
      if (other != null) {
        return Optional.of(
            new Fault(
                "." + node,
                "processor " + cpu + " is that of " + other + " too",
                "give each node processors of its own, for it to have a clock of its own"));
      }
    }
    return Optional.empty();
  }
}
