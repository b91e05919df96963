package org.calando.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.KeyValueStore;
import org.calando.power.PowerSource;
import org.calando.power.powercap.PowercapSource;

/** A cluster of the user's own: never started, stopped or healed by us. */
public abstract class InventoryTarget implements Target {
  private static final Pattern LOOPBACK =
      Pattern.compile("127(\\.\\d{1,3}){3}|localhost|::1|\\[::1]");

  private final StoreSpec store;
  private final InventorySpec inventory;
  private final NodeProfile profile;

  /**
   * A user's cluster.
   *
   * @param store how to use it, with its inventory
   * @param profile power profile of nodes that name none
   */
  protected InventoryTarget(StoreSpec store, NodeProfile profile) {
    this.store = store;
    this.inventory = store.inventory().orElseThrow();
    this.profile = profile;
  }

  /** Whether every node is on this machine's loopback addresses; names are not looked up. */
  public static boolean isOnThisMachine(InventorySpec inventory) {
    return inventory.nodes().stream().allMatch(InventoryTarget::isOnThisMachine);
  }

  /** Whether a node is. */
  public static boolean isOnThisMachine(InventorySpec.Node node) {
    return LOOPBACK.matcher(node.address()).matches();
  }

  /**
   * Where the nodes are.
   *
   * @throws BadRequestException if the name of one is not known
   */
  public static Set<InetAddress> addresses(InventorySpec inventory) {
    Set<InetAddress> addresses = new HashSet<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      try {
        addresses.addAll(List.of(InetAddress.getAllByName(node.address())));
      } catch (UnknownHostException e) {
        throw new BadRequestException(
            "there is no host " + node.address(), "node " + node.name(), "correct its address");
      }
    }
    return addresses;
  }

  /** Hands on a store that passes a check, and closes it otherwise. */
  protected static <S extends KeyValueStore> S checked(S connected, Consumer<S> check) {
    try {
      check.accept(connected);
      return connected;
    } catch (RuntimeException | Error e) {
      connected.close();
      throw e;
    }
  }

  /** How to use it. */
  public final StoreSpec spec() {
    return store;
  }

  /** Its nodes as listed. */
  public final InventorySpec inventory() {
    return inventory;
  }

  /**
   * Compares the cluster with its inventory and with what a study needs of it; only reads.
   *
   * @param table the table that a study would use; empty to look at the nodes only
   */
  public abstract List<Finding> examine(Optional<String> table);

  /** Power profile of nodes that name none. */
  protected final NodeProfile profile() {
    return profile;
  }

  @Override
  public List<Node> nodes() {
    return nodes(inventory, profile);
  }

  /**
   * The nodes that an inventory lists.
   *
   * @param profile power profile of nodes that name none
   */
  public static List<Node> nodes(InventorySpec inventory, NodeProfile profile) {
    return inventory.nodes().stream()
        .map(
            node ->
                new Node(
                    node.name(),
                    node.address(),
                    node.rack().orElse(""),
                    node.profile().flatMap(Profiles::byName).orElse(profile),
                    sources(node),
                    node.metrics(),
                    node.pid(),
                    Optional.empty(),
                    node.companions()))
        .toList();
  }

  /** What the inventory names; and this machine's counters, for a process on it. */
  private static List<PowerSource> sources(InventorySpec.Node node) {
    List<PowerSource> sources = new ArrayList<>(node.sources());
    boolean named = sources.stream().anyMatch(source -> source.kind().equals(PowercapSource.KIND));
    if (node.pid().isPresent() && !named) {
      sources.add(new PowercapSource(PowercapSource.SYSTEM));
    }
    return sources;
  }

  @Override
  public final List<String> heal() {
    return List.of();
  }

  @Override
  public final void onProcessEnd(Consumer<String> listener) {
    // Its processes are not ours to watch; requests that fail are counted as errors.
  }

  @Override
  public final Optional<ClusterControl> control() {
    return Optional.empty();
  }

  @Override
  public final void close() {
    // Not ours to stop.
  }
}
