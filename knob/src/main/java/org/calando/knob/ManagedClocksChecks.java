package org.calando.knob;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.calando.core.CpuSet;
import org.calando.core.Nearest;
import org.calando.engine.Feature;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.schema.Binding;
import org.calando.schema.Tree;
import org.calando.schema.Values;

/** Checks what {@code clocks} says of nodes. Stateless. */
public final class ManagedClocksChecks {
  /** Takes what is wrong, where it is and a remedy. */
  private interface Faults {
    void add(String path, String what, String remedy);
  }

  private ManagedClocksChecks() {}

  /** Refuses clocks of a governed cluster that has no roles, or other nodes. */
  public static void checkGoverned(Tree tree, Binding at, ManagedClocks clocks, StoreSpec store) {
    if (store.supports(Feature.CLOCKS_BY_ROLE)) {
      check(
          machines(store),
          clocks.cpus(),
          (path, what, remedy) -> at.error(tree.where(), path + ": " + what, remedy));
    } else {
      at.error(tree.where(), "has clocks, which go by roles", "remove clocks");
    }
  }

  /** Checks that every node of a store has processors, and that no processor has two nodes. */
  public static void checkNodes(Values file, ManagedClocks clocks, StoreSpec store) {
    check(machines(store), clocks.cpus(), file::errorAt);
  }

  /** The machine of each node: that of its agent, or this one. */
  private static Map<String, Object> machines(StoreSpec store) {
    Map<String, Object> machines = new LinkedHashMap<>();
    if (store.inventory().isPresent()) {
      for (InventorySpec.Node node : store.inventory().get().nodes()) {
        machines.put(node.name(), node.agent().map(Object.class::cast).orElse(""));
      }
    } else {
      IntStream.rangeClosed(1, store.nodes()).forEach(i -> machines.put("n" + i, ""));
    }
    return machines;
  }

  private static void check(Map<String, Object> machines, Map<String, CpuSet> cpus, Faults faults) {
    List<String> missing = new ArrayList<>(machines.keySet());
    missing.removeAll(cpus.keySet());
    if (!missing.isEmpty()) {
      faults.add(
          "clocks.cpus",
          "has no processors of " + String.join(", ", missing),
          "name those of every node");
    }
    Map<List<Object>, String> owners = new HashMap<>();
    cpus.forEach(
        (node, set) -> {
          String path = "clocks.cpus." + node;
          if (!machines.containsKey(node)) {
            faults.add(
                path,
                "there is no node " + node,
                "the nodes are " + Nearest.listed(List.copyOf(machines.keySet())));
          }
          for (int cpu : set.cpus()) {
            List<Object> processor = List.of(machines.getOrDefault(node, ""), cpu);
            String other = owners.putIfAbsent(processor, node);
            if (other != null) {
              faults.add(
                  path,
                  "processor " + cpu + " is that of " + other + " too",
                  "give each node processors of its own, for it to have a clock of its own");
              return;
            }
          }
        });
  }
}
