package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.ClusterRequest;
import org.calando.engine.GearControl;
import org.calando.engine.LinkDelay;
import org.calando.engine.LoadBounds;
import org.calando.engine.LocalSpec;
import org.calando.engine.NodeGears;
import org.calando.engine.StartedTarget;
import org.calando.engine.StoreSpec;
import org.calando.gears.rack.RackShifter;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Replication;
import org.jspecify.annotations.Nullable;

/** A cluster on this machine that lives as long as the study. */
final class CassandraLocalTarget extends StartedTarget
    implements CassandraTarget, GearControl.Source {
  private final StoreSpec store;
  private final NodeProfile profile;
  private final LocalCassandra cluster;
  private final LocalControl control;
  private volatile boolean relayEnded;
  private @Nullable RackNodeGears gears;

  private CassandraLocalTarget(ClusterRequest request, LocalCassandra cluster) {
    super(request.power(), cluster);
    this.store = request.store();
    this.profile = request.power().profile();
    this.cluster = cluster;
    this.control = new LocalControl(cluster, request.local().linkDelay());
  }

  @Override
  protected String ended(String process) {
    boolean node = process.matches("n\\d+");
    relayEnded |= !node;
    return node ? "node " + process : "the relay of links";
  }

  static CassandraLocalTarget start(ClusterRequest request) {
    LocalCassandra cluster = LocalCassandra.start(config(request));
    try {
      LocalAccess.secure(cluster);
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return new CassandraLocalTarget(request, cluster);
  }

  /** The configuration of a study's cluster: links that events are to delay need a relay. */
  static LocalCassandraConfig config(ClusterRequest request) {
    return config(request.local()).relay(request.changesLinks()).build();
  }

  /** The local cluster's configuration as the study's file, or the defaults, have it. */
  static LocalCassandraConfig.Builder config(LocalSpec local) {
    CassandraLocal own = local.get(CassandraLocal.class);
    LocalCassandraConfig.Builder builder =
        LocalCassandraConfig.builder()
            .nodes(local.nodes())
            .racks(local.racks())
            .replicationFactor(local.replicationFactor())
            .heapMebibytes((int) (local.heapBytes() >> 20))
            .compiler(LocalCassandraConfig.Compiler.valueOf(own.compiler().name()))
            .block(own.loopback())
            .cqlPort(own.ports().cql())
            .storagePort(own.ports().storage())
            .auth(local.auth())
            .tls(local.tls());
    own.ports().jmx().ifPresent(builder::jmxPort);
    if (!local.tokens().isEmpty()) {
      builder.tokens(local.tokens());
    }
    local.layout().ifPresent(builder::layout);
    own.yaml().forEach(builder::yaml);
    return builder.linkDelays(delays(local.linkDelay(), local.nodes()));
  }

  /** A delay of the study's file for each link. */
  static LinkDelays delays(LinkDelay delay, int nodes) {
    return delay.isUniform()
        ? LinkDelays.uniform(nodes, Duration.ofNanos(delay.nanos(0, 1)))
        : LinkDelays.matrix(
            delay.matrix().stream()
                .map(row -> row.stream().map(Duration::ofNanos).toList())
                .toList());
  }

  @Override
  public List<Node> nodes() {
    return cluster.nodes().stream()
        .map(node -> node(node.name(), node.address(), node.rack(), node.pid(), node.logFile()))
        .toList();
  }

  @Override
  public CassandraStoreConfig store() {
    CassandraStoreConfig.Builder builder = CassandraTarget.storeConfig(store, replication());
    for (LocalNode node : cluster.nodes()) {
      builder.contactPoint(node.address(), node.cqlPort());
      builder.jmxEndpoint("127.0.0.1", node.jmxPort());
    }
    LocalAccess.apply(cluster, builder);
    return builder.build();
  }

  /** Over racks where there are some: a rack then holds at most one replica of a key. */
  private Replication replication() {
    return new Replication.NetworkTopology(
        Map.of(LocalCassandra.DATA_CENTRE, store.replicationFactor()));
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return CassandraStore.connect(store());
  }

  @Override
  public List<String> heal() {
    if (relayEnded) {
      throw new FailedWorkException(
          "the relay that delays the links between the nodes has ended",
          "local cluster",
          "repeat the command with --resume: it starts a new cluster");
    }
    control.restoreDelays();
    List<String> restarted = new ArrayList<>();
    RackNodeGears racks = gears;
    restartBut(racks == null ? Set.of() : racks.mayBeOff(), restarted);
    if (racks != null) {
      // Racks that are off come back as those of any cluster do: with what they missed.
      racks.heal();
    }
    restartBut(Set.of(), restarted);
    control.awaitNodes();
    return restarted;
  }

  private void restartBut(Set<String> others, List<String> restarted) {
    for (LocalCassandra.NodeStatus status : cluster.status()) {
      if (!status.running() && !others.contains(status.node().name())) {
        cluster.restart(status.node().index());
        restarted.add(status.node().name());
      }
    }
  }

  @Override
  public synchronized NodeGears gears() {
    RackNodeGears opened = gears;
    if (opened == null) {
      opened =
          RackNodeGears.studied(
              NodeGears.User.study(profile, () -> OwnRacks.processes(cluster)),
              OwnRacks.local(cluster, KeptCopies.QUORUM, "--local cassandra", line -> {}),
              RackGears.of(store));
      gears = opened;
    }
    return opened;
  }

  @Override
  public Set<String> off() {
    return ofRacks(RackShifter::offByOrder);
  }

  @Override
  public Set<String> comingBack() {
    return ofRacks(RackShifter::comingBack);
  }

  private Set<String> ofRacks(BiFunction<Path, List<String>, List<String>> named) {
    return OwnRacks.ofFiles(
        cluster.folder(), cluster.nodes().stream().map(LocalNode::name).toList(), named);
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.of(control);
  }
}
