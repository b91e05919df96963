package org.calando.engine;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;

import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import org.calando.schema.Key;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What {@code store.rf} and {@code store.local-dc} may say of a cluster of the user's own. */
public final class ReplicationSchema {
  private static final int MAX_RF = 100;

  /** Stands for all data centres in a replication factor that is one number. */
  public static final String EVERYWHERE = "";

  /** Replicas by data centre, or one number under {@link #EVERYWHERE}. */
  public static final Type<Map<String, Integer>> TYPE =
      scalarOrMapping(
          mapped(integer(1, MAX_RF), number -> Map.of(EVERYWHERE, number)),
          mapOf(Types.NAME, integer(1, MAX_RF)));

  private ReplicationSchema() {}

  /** Checks replicas and data centres against what the inventory tells of its nodes. */
  public static void check(
      Values store,
      Key<Map<String, Integer>> rfKey,
      Key<String> localKey,
      InventorySpec inventory) {
    Map<String, Integer> rf = store.find(rfKey).orElse(Map.of());
    NavigableSet<String> told = inventory.datacenters();
    checkLocal(store, localKey, told);
    if (rf.isEmpty()) {
      return;
    }
    int nodes = inventory.nodes().size();
    int total = total(rf);
    if (total > nodes) {
      String what = total + " is more than the " + nodes + " nodes";
      store.errorAt(rfKey.name(), what, "write at most " + nodes);
    } else if (rf.containsKey(EVERYWHERE)) {
      if (told.size() > 1) {
        String remedy = "write a number for each: {" + String.join(": 3, ", told) + ": 3}";
        store.errorAt(rfKey.name(), "is one number for " + told.size() + " data centres", remedy);
      }
    } else {
      checkCentres(store, rfKey, rf, inventory);
      checkLocalHasReplicas(store, localKey, rf, local(store.find(localKey), rf, told));
    }
  }

  private static void checkLocal(Values store, Key<String> localKey, NavigableSet<String> told) {
    Optional<String> local = store.find(localKey);
    if (local.isPresent() && !told.isEmpty() && !told.contains(local.get())) {
      store.error(
          localKey,
          "no node of the inventory is in '" + local.get() + "'",
          "write one of " + String.join(", ", told));
    } else if (local.isEmpty() && told.size() > 1) {
      store.error(
          localKey,
          "is missing: the nodes are in " + told.size() + " data centres",
          "write one of " + String.join(", ", told));
    }
  }

  private static void checkCentres(
      Values store,
      Key<Map<String, Integer>> rfKey,
      Map<String, Integer> rf,
      InventorySpec inventory) {
    boolean all =
        inventory.nodes().stream().allMatch(node -> inventory.datacenterOf(node).isPresent());
    rf.forEach(
        (name, replicas) -> {
          long nodes =
              inventory.nodes().stream()
                  .filter(node -> inventory.datacenterOf(node).filter(name::equals).isPresent())
                  .count();
          if (all && nodes == 0) {
            store.errorAt(
                rfKey.name() + "." + name,
                "no node of the inventory is in this data centre",
                "write one of " + String.join(", ", inventory.datacenters()));
          } else if (all && replicas > nodes) {
            store.errorAt(
                rfKey.name() + "." + name,
                replicas + " is more than the " + nodes + " nodes there",
                "write at most " + nodes);
          }
        });
  }

  private static void checkLocalHasReplicas(
      Values store, Key<String> localKey, Map<String, Integer> rf, Optional<String> local) {
    if (local.isEmpty()) {
      store.error(
          localKey, "is missing", "write which of " + String.join(", ", rf.keySet()) + " it is");
    } else if (!rf.containsKey(local.get())) {
      store.error(
          localKey, "has no replicas", "give '" + local.get() + "' some in rf, or name another");
    }
  }

  /** The data centre that requests go to: named, or the only one that there is talk of. */
  public static Optional<String> local(
      Optional<String> named, Map<String, Integer> rf, NavigableSet<String> told) {
    if (named.isPresent()) {
      return named;
    }
    if (told.size() == 1) {
      return Optional.of(told.first());
    }
    return rf.size() == 1
        ? rf.keySet().stream().filter(name -> !name.equals(EVERYWHERE)).findFirst()
        : Optional.empty();
  }

  /** Replicas in all data centres. */
  public static int total(Map<String, Integer> rf) {
    return rf.values().stream().mapToInt(Integer::intValue).sum();
  }
}
