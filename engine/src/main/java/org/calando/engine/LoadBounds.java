package org.calando.engine;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.ClusterNode;
import org.calando.studyfile.InventorySpec;
import org.calando.studyfile.StoreSpec;
import org.calando.studyfile.StudySpec;

/** What load may be put on: this machine, or the listed nodes if the user allows it. Immutable. */
public final class LoadBounds {
  private final StudySpec study;
  private final boolean allowLoad;

  /**
   * Bounds of a study.
   *
   * @param allowLoad whether load may be put on a cluster that is not on this machine
   */
  public LoadBounds(StudySpec study, boolean allowLoad) {
    this.study = study;
    this.allowLoad = allowLoad;
  }

  /** Refuses load beyond this machine that was not allowed; before anything is connected. */
  public void requireAllowed() {
    boolean remote =
        study.store().inventory().map(i -> !InventoryTarget.isOnThisMachine(i)).orElse(false);
    if (remote && !allowLoad) {
      throw refusal("the study puts load on a cluster that is not on this machine");
    }
  }

  /** What load on the nodes needs, in words. */
  static String words(InventorySpec inventory) {
    List<String> remote =
        inventory.nodes().stream()
            .filter(node -> !InventoryTarget.isOnThisMachine(node))
            .map(InventorySpec.Node::name)
            .toList();
    return remote.isEmpty()
        ? "stays on this machine"
        : "needs --allow-load: not on this machine are "
            + remote.size()
            + " nodes, "
            + remote.get(0)
            + (remote.size() > 1 ? " to " + remote.get(remote.size() - 1) : "");
  }

  private BadRequestException refusal(String what) {
    return new BadRequestException(
        what,
        study.name(),
        "add --allow-load if that is what you want; only keyspace "
            + study.store().keyspace()
            + " is written to");
  }

  /**
   * The driver finds all nodes of a cluster by itself: those that the inventory does not list would
   * carry load that nobody allowed, and joules that nobody counts. A cluster behind a tunnel looks
   * as if it were here, but its nodes know better.
   *
   * @param found the nodes that the driver has found
   */
  void requireListed(List<ClusterNode> found) {
    List<String> unlisted = unlisted(study.store(), study.store().inventory().orElseThrow(), found);
    if (!unlisted.isEmpty()) {
      throw new BadRequestException(
          "the cluster has nodes that the inventory does not list: " + String.join(", ", unlisted),
          study.name(),
          "list every node: load goes to all of them, and their joules count");
    }
    List<String> elsewhere =
        found.stream()
            .filter(LoadBounds::saysItIsElsewhere)
            .map(node -> node.ownAddress().map(Object::toString).orElse("?"))
            .toList();
    if (!elsewhere.isEmpty() && !allowLoad) {
      throw refusal(
          "nodes reached on this machine's addresses say that they are elsewhere: "
              + String.join(", ", elsewhere));
    }
  }

  /** Nodes that would hold data or carry load and that the inventory does not list. */
  static List<String> unlisted(StoreSpec store, InventorySpec inventory, List<ClusterNode> found) {
    Set<InetAddress> listed = InventoryTarget.addresses(inventory);
    Set<String> used = store.replicasByDatacenter().keySet();
    Predicate<ClusterNode> counts = node -> used.isEmpty() || used.contains(node.dataCentre());
    return found.stream()
        .filter(counts)
        .filter(node -> !listed.contains(node.address().getAddress()))
        .map(node -> node.address().getHostString() + ":" + node.address().getPort())
        .toList();
  }

  private static boolean saysItIsElsewhere(ClusterNode node) {
    return node.ownAddress()
        .map(own -> own.getAddress() != null && !own.getAddress().isLoopbackAddress())
        .orElse(false);
  }
}
