package org.calando.studyfile.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.TokenLayout;
import org.calando.engine.LayoutType;
import org.calando.engine.LinkDelayType;
import org.calando.engine.ReplicationSchema;
import org.calando.schema.Values;
import org.calando.studyfile.sim.SimSpec.DataCentre;

/**
 * Checks the values of a simulated cluster against each other, wherever the file has them: under
 * {@code store.sim} or {@code store.local}. Not thread safe.
 */
final class SimChecks {
  /** What a ring can place. */
  private static final int MAX_REPLICAS = 31;

  private final Values store;
  private final SimSpec sim;

  /**
   * Checks to be run.
   *
   * @param store the file's {@code store}
   * @param sim what it comes to
   */
  SimChecks(Values store, SimSpec sim) {
    this.store = store;
    this.sim = sim;
  }

  /** Reports all that is wrong. */
  void run(Optional<String> localCentre) {
    int nodes = sim.size();
    if (nodes > TokenLayout.MAX_NODES) {
      store.errorAt(
          "sim.datacenters",
          nodes + " nodes in all are too many",
          "write at most " + TokenLayout.MAX_NODES);
      return;
    }
    int least = sim.dataCentres().stream().mapToInt(DataCentre::nodes).min().orElse(0);
    if (sim.racks() > least) {
      store.errorAt(
          path("racks"),
          sim.racks() + " is more than the " + least + " nodes",
          "write at most " + least + ", or more nodes");
    }
    checkReplicas();
    checkCentre(localCentre);
    LinkDelayType.check(store, path("link-delay"), sim.linkDelay(), nodes);
    checkGroups(nodes);
    new MachineChecks(store, sim).run();
    sim.tokens().warm().ifPresent(layout -> LayoutType.check(store, path("layout"), layout, least));
  }

  /** A group is of one data centre, and has no tokens. */
  private void checkGroups(int nodes) {
    if (!sim.model().hasGroups()) {
      return;
    }
    String path = "sim.masters.placement";
    int replicas = ReplicationSchema.total(sim.replicas());
    if (sim.dataCentres().size() > 1) {
      store.errorAt(path, "groups lie in one data centre", "write nodes, not datacenters");
    } else if (replicas > 0 && nodes % replicas != 0) {
      store.errorAt(
          path,
          nodes + " nodes do not make groups of " + replicas,
          "write a multiple of rf for nodes");
    }
    if (sim.tokens().warm().isPresent() || !sim.tokens().each().isEmpty()) {
      store.errorAt(path, "groups have no tokens", "remove layout and tokens, or write ring");
    }
  }

  private void checkReplicas() {
    Map<String, Integer> replicas = sim.replicas();
    List<String> centres = sim.dataCentres().stream().map(DataCentre::name).toList();
    if (replicas.containsKey(ReplicationSchema.EVERYWHERE)) {
      store.errorAt(
          path("rf"),
          "is one number for " + centres.size() + " data centres",
          "write a number for each: {" + String.join(": 3, ", centres) + ": 3}");
      return;
    }
    boolean one = store.peek("sim.rf", ReplicationSchema.TYPE).map(Map::size).orElse(1) == 1;
    replicas.forEach(
        (name, number) -> {
          Optional<DataCentre> centre =
              sim.dataCentres().stream().filter(each -> each.name().equals(name)).findFirst();
          String at = one ? path("rf") : "sim.rf." + name;
          if (centre.isEmpty()) {
            store.errorAt(
                at,
                "there is no data centre " + name,
                "write one of " + String.join(", ", centres));
          } else if (number > centre.get().nodes()) {
            int most = centre.get().nodes();
            store.errorAt(
                at,
                number + " is more than the " + most + (one ? " nodes" : " nodes there"),
                "write at most " + most + ", or more nodes");
          }
        });
    int total = ReplicationSchema.total(replicas);
    if (total > MAX_REPLICAS) {
      store.errorAt(
          path("rf"), total + " replicas are not simulated", "write at most " + MAX_REPLICAS);
    }
  }

  private void checkCentre(Optional<String> localCentre) {
    if (localCentre.isEmpty()) {
      if (sim.dataCentres().size() > 1) {
        store.errorAt(
            "local-dc",
            "is missing: the nodes are in " + sim.dataCentres().size() + " data centres",
            "write which of them requests go to");
      }
    } else if (!sim.replicas().containsKey(localCentre.get())) {
      List<String> holding =
          sim.dataCentres().stream()
              .map(DataCentre::name)
              .filter(sim.replicas()::containsKey)
              .sorted()
              .toList();
      store.errorAt("local-dc", "has no replicas", "write one of " + String.join(", ", holding));
    }
  }

  /** Where a key of the shape is written; where it would be, if it is not. */
  private String path(String key) {
    return !store.has("sim." + key) && store.has("local." + key) ? "local." + key : "sim." + key;
  }
}
