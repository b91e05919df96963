package org.calando.engine.hbase;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.ClientRequests;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.GearControl;
import org.calando.engine.GearSettings;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.StoreSpec;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleNodeGears;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.process.RunState;
import org.calando.store.hbase.HBaseClusterState;
import org.calando.store.hbase.HBaseRequests;
import org.calando.store.hbase.HBaseServer;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;

/*
 * HBase's client finds the RegionServers by itself, by the names that they call themselves, and puts
 * load on all of them. So these names have to be the inventory's: a server that it does not list
 * would carry load that nobody allowed, and draw joules that nobody counts.
 */
/** An HBase of the user's own. */
final class HBaseInventory extends InventoryTarget
    implements GearControl.Governed, GearControl.Source, ClientRequests.Source {
  /** Into how many regions a table is split, for each RegionServer. */
  static final int REGIONS_A_SERVER = 4;

  private static final int MOST_REGIONS = 1_000;

  private final HBaseSpec hbase;
  private volatile boolean shifts;

  /** A user's HBase; its inventory says how it is reached. */
  HBaseInventory(StoreSpec store, NodeProfile profile) {
    super(store, profile);
    this.hbase = inventory().find(HBaseSpec.class).orElseThrow();
  }

  /** How to connect. */
  HBaseStoreConfig config() {
    HBaseStoreConfig.Builder builder =
        HBaseStoreConfig.builder()
            .znode(hbase.znode())
            .sameServers(!shifts)
            .namespace(spec().keyspace())
            .regions(Math.min(MOST_REGIONS, REGIONS_A_SERVER * servers().size()))
            .requestTimeout(Duration.ofNanos(spec().requestTimeoutNanos()));
    hbase.quorum().forEach(builder::quorum);
    hbase.user().ifPresent(builder::user);
    return builder.build();
  }

  /** {@inheritDoc} Only that of {@code local start} has groups. */
  @Override
  public NodeGears gears(
      GearSettings settings, NodeProfile profile, String owner, Consumer<String> news) {
    requireFitting(settings);
    NodeGears.User user = NodeGears.User.governor(profile, settings, owner);
    return gears(user, settings.least(), news::accept);
  }

  private static void requireFitting(GearSettings settings) {
    if (settings.capacity().ofBytes()) {
      throw new BadRequestException(
          "is in bytes", "gears.capacity", "write rows that a server reads and writes: 2000/s");
    }
    if (settings.bandwidth().isPresent()) {
      throw new BadRequestException(
          "is not supported by hbase, which moves regions and no data",
          "gears.bandwidth",
          "remove it");
    }
  }

  /**
   * {@inheritDoc} Only that of {@code local start} has them. Servers may come and go from now on.
   *
   * @throws BadRequestException also if plans that were given up have left something out of order
   */
  @Override
  public NodeGears gears() {
    IdleNodeGears opened =
        gears(
            NodeGears.User.study(profile(), this::processes),
            spec().find(IdleGears.class).map(IdleGears::least).orElse(1),
            ShiftNews.NONE);
    try {
      opened.requireInOrder();
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
    shifts = true;
    return opened;
  }

  private IdleNodeGears gears(NodeGears.User user, int least, ShiftNews news) {
    LocalHBase cluster =
        local()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "is no inventory of ./calando local start: idle servers are of the local"
                            + " cluster only",
                        inventory().folder().toString(),
                        "remove gear; or name the inventory that ./calando local start hbase"
                            + " wrote"));
    List<String> lacking = cluster.lacking();
    if (!lacking.isEmpty()) {
      throw new FailedWorkException(
          "these do not run: " + String.join(", ", lacking),
          "local hbase",
          "bring them back, with their data: ./calando idle up --local");
    }
    return IdleGears.open(user, cluster, least, news, () -> LocalHBaseClusters.note(cluster));
  }

  /** The cluster, if {@code calando local start} left it running. */
  private Optional<LocalHBase> local() {
    Path folder = inventory().folder();
    return RunState.existsIn(folder) ? Optional.of(LocalHBase.attach(folder)) : Optional.empty();
  }

  private Map<String, List<Long>> processes() {
    return local().map(IdleGears::processes).orElse(Map.of());
  }

  @Override
  public Set<String> off() {
    return local().map(LocalIdle::asleep).orElse(Set.of());
  }

  /** {@inheritDoc} Servers that were woken have other processes by then. */
  @Override
  public List<Node> nodes() {
    return Node.with(super.nodes(), processes());
  }

  @Override
  public ClientRequests requests() {
    return HBaseRequests.connect(
        config(),
        servers().stream().map(InventorySpec.Node::name).toList(),
        hbase.others(),
        this::node);
  }

  private Optional<String> node(HBaseServer server) {
    return servers().stream()
        .filter(node -> isSame(node, server))
        .map(InventorySpec.Node::name)
        .findFirst();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException also if a RegionServer that is listed does not live
   */
  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return checked(HBaseStore.connect(config()), connected -> requireListed(connected.cluster()));
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return new HBaseDoctor(this, table).examine();
  }

  /**
   * Refuses a cluster of other RegionServers than those listed.
   *
   * @throws BadRequestException if it has more
   * @throws FailedWorkException if one of them does not live
   */
  void requireListed(HBaseClusterState state) {
    List<String> unlisted = unlisted(state);
    if (!unlisted.isEmpty()) {
      throw new BadRequestException(
          "the cluster has RegionServers that the inventory does not list: "
              + String.join(", ", unlisted),
          "inventory",
          "list each by this name and port: load goes to all of them, and their joules count");
    }
    for (InventorySpec.Node node : servers()) {
      if (!lives(node, state)) {
        throw new FailedWorkException(
            "no RegionServer lives at " + node.address() + ":" + node.port(),
            "node " + node.name(),
            "start it, correct its address and port, or name the node under hbase.others");
      }
    }
  }

  /** The nodes that run a RegionServer. */
  List<InventorySpec.Node> servers() {
    return inventory().nodes().stream()
        .filter(node -> !hbase.others().contains(node.name()))
        .toList();
  }

  /** RegionServers that live and are not listed. */
  List<String> unlisted(HBaseClusterState state) {
    return state.servers().stream()
        .filter(server -> servers().stream().noneMatch(node -> isSame(node, server)))
        .map(HBaseServer::toString)
        .toList();
  }

  /** Whether a node's RegionServer is one that lives. */
  static boolean lives(InventorySpec.Node node, HBaseClusterState state) {
    return state.servers().stream().anyMatch(server -> isSame(node, server));
  }

  private static boolean isSame(InventorySpec.Node node, HBaseServer server) {
    return node.port() == server.port()
        && (node.address().equalsIgnoreCase(server.host())
            || addresses(server.host()).stream().anyMatch(addresses(node.address())::contains));
  }

  /** None if the name is not known here. */
  private static Set<InetAddress> addresses(String host) {
    try {
      return Set.copyOf(List.of(InetAddress.getAllByName(host)));
    } catch (UnknownHostException unknown) {
      return Set.of();
    }
  }

  /** What a reader of figures should know of what is not in them. */
  @Override
  public List<String> notes() {
    return hbase.others().isEmpty()
        ? List.of(
            "energy and CPU are those of the nodes with RegionServers: what the master, ZooKeeper and"
                + " the NameNode take on other machines is not in them")
        : List.of();
  }
}
