package org.calando.engine.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.observe.ClientRequests;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.ClusterRequest;
import org.calando.engine.LoadBounds;
import org.calando.engine.LocalSpec;
import org.calando.engine.ServerControl;
import org.calando.engine.StartedTarget;
import org.calando.engine.StoreSpec;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.store.hbase.HBaseRequests;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;

/*
 * Node i is RegionServer i with DataNode i, as they stand on one machine in a cluster of one's own.
 * What runs once - the master, ZooKeeper and the NameNode - is a node too, called master.
 */
/** An HBase on this machine that lives as long as the study. */
final class HBaseLocalTarget extends StartedTarget implements ClientRequests.Source {
  /** On Ctrl-C the cluster goes too, and there is nobody to send to. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private final StoreSpec store;
  private final LocalHBase cluster;

  private HBaseLocalTarget(ClusterRequest request, LocalHBase cluster) {
    super(request.power(), cluster);
    this.store = request.store();
    this.cluster = cluster;
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
  public List<String> heal() {
    List<String> restarted = new ArrayList<>(cluster.launchMissing(cluster.servers()));
    cluster.hdfs().launchMissing(cluster.hdfs().nodeNames()).stream()
        .map(node -> "hdfs " + node)
        .forEach(restarted::add);
    if (!restarted.isEmpty()) {
      cluster.awaitUp();
    }
    return restarted;
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.of(new ServerControl(cluster, "HBase's servers"));
  }
}
