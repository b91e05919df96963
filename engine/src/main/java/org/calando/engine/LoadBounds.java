package org.calando.engine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.calando.core.BadRequestException;

/** What load may be put on: this machine, or the listed nodes if the user allows it. Immutable. */
public final class LoadBounds {
  private final String study;
  private final StoreSpec store;
  private final boolean allowLoad;

  /**
   * A node that a client has found by itself.
   *
   * @param address where Calando reaches it
   * @param ownAddress where the node itself says that clients reach it; another one behind a tunnel
   *     or a translation of addresses
   * @param dataCentre its data centre, or {@code ?}
   */
  public record Found(
      InetSocketAddress address, Optional<InetSocketAddress> ownAddress, String dataCentre) {}

  /**
   * Bounds of a study.
   *
   * @param study its name
   * @param store its store
   * @param allowLoad whether load may be put on a cluster that is not on this machine
   */
  public LoadBounds(String study, StoreSpec store, boolean allowLoad) {
    this.study = study;
    this.store = store;
    this.allowLoad = allowLoad;
  }

  /** Refuses load beyond this machine that was not allowed; before anything is connected. */
  public void requireAllowed() {
    boolean remote = store.inventory().map(i -> !InventoryTarget.isOnThisMachine(i)).orElse(false);
    if (remote && !allowLoad) {
      throw refusal("the study puts load on a cluster that is not on this machine");
    }
  }

  /** What load on the nodes needs, in words. */
  public static String words(InventorySpec inventory) {
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
        study,
        "add --allow-load if that is what you want; only keyspace "
            + store.keyspace()
            + " is written to");
  }

  /**
   * The driver finds all nodes of a cluster by itself: those that the inventory does not list would
   * carry load that nobody allowed, and joules that nobody counts. A cluster behind a tunnel looks
   * as if it were here, but its nodes know better.
   *
   * @param found the nodes that the driver has found
   */
  public void requireListed(List<Found> found) {
    List<String> unlisted = unlisted(store, store.inventory().orElseThrow(), found);
    if (!unlisted.isEmpty()) {
      throw new BadRequestException(
          "the cluster has nodes that the inventory does not list: " + String.join(", ", unlisted),
          study,
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
  public static List<String> unlisted(StoreSpec store, InventorySpec inventory, List<Found> found) {
    Set<InetAddress> listed = InventoryTarget.addresses(inventory);
    Set<String> used = store.replicas().byDatacenter().keySet();
    Predicate<Found> counts = node -> used.isEmpty() || used.contains(node.dataCentre());
    return found.stream()
        .filter(counts)
        .filter(node -> !listed.contains(node.address().getAddress()))
        .map(node -> node.address().getHostString() + ":" + node.address().getPort())
        .toList();
  }

  private static boolean saysItIsElsewhere(Found node) {
    return node.ownAddress()
        .map(own -> own.getAddress() != null && !own.getAddress().isLoopbackAddress())
        .orElse(false);
  }
}
