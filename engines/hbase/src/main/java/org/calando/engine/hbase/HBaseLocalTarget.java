package org.calando.engine.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.ClientRequests;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.ClusterRequest;
import org.calando.engine.GearControl;
import org.calando.engine.LoadBounds;
import org.calando.engine.LocalSpec;
import org.calando.engine.NodeGears;
import org.calando.engine.ServerControl;
import org.calando.engine.StartedTarget;
import org.calando.engine.StoreSpec;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.store.hbase.HBaseRequests;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;
import org.jspecify.annotations.Nullable;

/*
 * Node i is RegionServer i with DataNode i, as they stand on one machine in a cluster of one's own.
 * What runs once - the master, ZooKeeper and the NameNode - is a node too, called master.
 */
/** An HBase on this machine that lives as long as the study. */
final class HBaseLocalTarget extends StartedTarget
    implements ClientRequests.Source, GearControl.Source {
  /** On Ctrl-C the cluster goes too, and there is nobody to send to. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private final StoreSpec store;
  private final LocalHBase cluster;
  private final NodeProfile profile;
  private @Nullable NodeGears gears;

  private HBaseLocalTarget(ClusterRequest request, LocalHBase cluster) {
    super(request.power(), cluster);
    this.store = request.store();
    this.cluster = cluster;
    this.profile = request.power().profile();
  }

  static HBaseLocalTarget start(ClusterRequest request) {
    return new HBaseLocalTarget(request, LocalHBase.start(config(request.local()).build()));
  }

  /** The local cluster's configuration as the study's file has it. */
  static LocalHBaseConfig.Builder config(LocalSpec local) {
    LocalHBaseConfig.Builder builder =
        LocalHBaseConfig.builder()
            .nodes(local.nodes())
            .nodeHeapMebibytes((int) (local.heapBytes() >> 20));
    local
        .get(HBaseLocal.class)
        .site()
        .forEach((name, value) -> builder.setting(name, String.valueOf(value)));
    return builder;
  }

  @Override
  public List<Node> nodes() {
    return LocalHBaseClusters.servers(cluster).stream()
        .map(
            each ->
                node(each.name(), each.address(), "", each.pid(), each.log(), each.companions()))
        .toList();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return HBaseStore.connect(
        HBaseStoreConfig.builder()
            .quorum(cluster.quorum())
            .namespace(store.keyspace())
            .regions(HBaseInventory.REGIONS_A_SERVER * cluster.config().nodes())
            .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()))
            .exitTimeout(EXIT)
            .build());
  }

  @Override
  public ClientRequests requests() {
    List<LocalHBaseNode> servers = cluster.nodes();
    List<String> serving = servers.stream().map(LocalHBaseNode::name).toList();
    return HBaseRequests.connect(
        HBaseStoreConfig.builder().quorum(cluster.quorum()).build(),
        serving,
        nodes().stream().map(Node::name).filter(name -> !serving.contains(name)).toList(),
        server ->
            servers.stream()
                .filter(node -> node.port() == server.port())
                .map(LocalHBaseNode::name)
                .findFirst());
  }

  @Override
  public synchronized NodeGears gears() {
    NodeGears opened = gears;
    if (opened == null) {
      opened =
          IdleGears.open(
              NodeGears.User.study(profile, () -> IdleGears.processes(cluster)),
              cluster,
              store.find(IdleGears.class).map(IdleGears::least).orElse(1),
              ShiftNews.NONE,
              () -> {});
      gears = opened;
    }
    return opened;
  }

  @Override
  public Set<String> off() {
    return LocalIdle.asleep(cluster);
  }

  /** {@inheritDoc} Servers that sleep are woken, with the regions that they had. */
  @Override
  public List<String> heal() {
    List<String> restarted = restart(LocalIdle.mayBeAsleep(cluster));
    if (!restarted.isEmpty()) {
      cluster.awaitUp();
    }
    NodeGears opened = gears;
    if (opened != null) {
      opened.heal();
    }
    return restarted;
  }

  /** Starts what does not run, but for nodes that shifts of gears see to. */
  private List<String> restart(Set<String> others) {
    List<String> servers = new ArrayList<>(cluster.servers());
    List<String> dataNodes = new ArrayList<>(cluster.hdfs().nodeNames());
    // DataNode i is of node i, and both go by one name.
    servers.removeAll(others);
    dataNodes.removeAll(others);
    List<String> restarted = new ArrayList<>(cluster.launchMissing(servers));
    cluster.hdfs().launchMissing(dataNodes).stream()
        .map(node -> "hdfs " + node)
        .forEach(restarted::add);
    return restarted;
  }

  @Override
  public void close() {
    try {
      if (gears != null) {
        gears.close();
      }
    } finally {
      super.close();
    }
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.of(new ServerControl(cluster, "HBase's servers"));
  }
}
