package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.store.KeyValueStore;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.power.PowerSource;
import org.calando.power.powercap.PowercapSource;
import org.calando.store.cassandra.CassandraTraffic;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;
import org.calando.study.config.LinkDelay;
import org.calando.study.config.LocalSpec;
import org.calando.study.config.PowerSpec;
import org.calando.study.config.StoreSpec;
import org.calando.study.config.StudySpec;

/*
 * Node i is RegionServer i with DataNode i, as they stand on one machine in a cluster of one's own.
 * What runs once - the master, ZooKeeper and the NameNode - is a node too, called master.
 */
/** An HBase on this machine that lives as long as the study. */
final class HBaseLocalTarget implements Target {
  /** On Ctrl-C the cluster goes too, and there is nobody to send to. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private final StoreSpec store;
  private final PowerSpec power;
  private final LocalHBase cluster;
  private volatile Consumer<String> listener = process -> {};

  private HBaseLocalTarget(StudySpec study, LocalHBase cluster) {
    this.store = study.store();
    this.power = study.power();
    this.cluster = cluster;
    cluster.onUnexpectedExit(
        exit -> listener.accept("%s (exit code %d)".formatted(exit.name(), exit.exitCode())));
  }

  static HBaseLocalTarget start(StudySpec study, LocalSpec local) {
    return new HBaseLocalTarget(study, LocalHBase.start(config(local).build()));
  }

  /** The local cluster's configuration as the study's file has it. */
  static LocalHBaseConfig.Builder config(LocalSpec local) {
    LocalHBaseConfig.Builder builder =
        LocalHBaseConfig.builder()
            .nodes(local.nodes())
            .nodeHeapMebibytes((int) (local.heapBytes() >> 20));
    local.hbase().site().forEach((name, value) -> builder.setting(name, String.valueOf(value)));
    return builder;
  }

  @Override
  public List<Node> nodes() {
    return LocalHBaseClusters.servers(cluster).stream().map(this::node).toList();
  }

  private Node node(LocalHBaseClusters.Server server) {
    return new Node(
        server.name(),
        server.address(),
        "",
        power.profile(),
        sources(server.name()),
        Optional.empty(),
        OptionalLong.of(server.pid()),
        Optional.of(server.log()),
        server.companions());
  }

  /** What the study's file names, and the counters of this machine, which all nodes share. */
  private List<PowerSource> sources(String node) {
    List<PowerSource> sources = new ArrayList<>(power.nodes().getOrDefault(node, List.of()));
    if (sources.stream().noneMatch(source -> source.kind().equals(PowercapSource.KIND))) {
      sources.add(new PowercapSource(PowercapSource.SYSTEM));
    }
    return sources;
  }

  @Override
  public Optional<CassandraTraffic> traffic() {
    return Optional.empty();
  }

  @Override
  public KeyValueStore connect() {
    return HBaseStore.connect(
        HBaseStoreConfig.builder()
            .quorum(cluster.quorum())
            .namespace(store.keyspace())
            .regions(HBaseAccess.REGIONS_A_SERVER * cluster.config().nodes())
            .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()))
            .exitTimeout(EXIT)
            .build());
  }

  @Override
  public List<String> heal() {
    List<String> restarted = new ArrayList<>();
    for (LocalHBase.NodeStatus status : cluster.status()) {
      if (!status.running()) {
        cluster.launch(status.node().name());
        restarted.add(status.node().name());
      }
    }
    for (LocalHdfsNode node : cluster.hdfs().nodes()) {
      if (!cluster.hdfs().isRunning(node.index())) {
        cluster.hdfs().startNode(node.index());
        restarted.add("hdfs " + node.name());
      }
    }
    if (!restarted.isEmpty()) {
      cluster.awaitUp();
    }
    return restarted;
  }

  @Override
  public void onProcessEnd(Consumer<String> newListener) {
    listener = newListener;
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.of(new Control());
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** Ends and starts RegionServers; their DataNodes run on. */
  private final class Control implements ClusterControl {
    @Override
    public void delayLinks(LinkDelay delay) {
      throw new BadRequestException(
          "links between HBase's servers cannot be delayed", "events", "remove the event");
    }

    @Override
    public void kill(String node) {
      cluster.kill(node);
    }

    @Override
    public void stop(String node) {
      cluster.stop(node);
    }

    @Override
    public void start(String node) {
      cluster.launch(node);
    }

    @Override
    public boolean takesRequests(String node) {
      return cluster.isUp(node);
    }

    @Override
    public long pid(String node) {
      return cluster.server(node).pid();
    }
  }
}
