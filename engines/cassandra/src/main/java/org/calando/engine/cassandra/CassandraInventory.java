package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.calando.agent.AgentKnobs;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.GearControl;
import org.calando.engine.GearSettings;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.StoreSpec;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.http.Credentials;
import org.calando.knob.KnobAgents;
import org.calando.power.agent.AgentSource;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterNode;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.Replication;

/** A Cassandra cluster of the user's own. */
final class CassandraInventory extends InventoryTarget
    implements CassandraTarget, GearControl.Governed, GearControl.Source {
  private static final int JMX_PORT = 7199;

  private final Path base;

  /** Where each node has one that reaches its JMX. */
  private final Optional<AgentKnobs> agents;

  /**
   * A user's cluster.
   *
   * @param base folder that relative paths of passwords, keys and certificates are relative to
   */
  CassandraInventory(StoreSpec store, NodeProfile profile, Path base) {
    super(store, profile);
    this.base = base;
    List<AgentKnobs.NodeProcess> processes = ofAgents(AgentKnobs.NodeProcess::new);
    this.agents = processes.isEmpty() ? Optional.empty() : Optional.of(new AgentKnobs(processes));
  }

  /** {@inheritDoc} {@link KnobAgents} where the nodes' agents reach their JMX. */
  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return CassandraTarget.super
        .find(capability)
        .or(() -> agents.filter(capability::isInstance).map(capability::cast));
  }

  @Override
  public CassandraStoreConfig store() {
    CassandraStoreConfig.Builder builder = CassandraTarget.storeConfig(spec(), replication());
    spec().replicas().localDatacenter().ifPresent(builder::localDataCentre);
    spec().credentials().ifPresent(credentials -> builder.credentials(resolve(credentials)));
    spec()
        .find(CassandraSettings.class)
        .flatMap(CassandraSettings::jmx)
        .ifPresent(jmx -> builder.jmxCredentials(resolve(jmx)));
    spec().tls().ifPresent(tls -> builder.tls(tls.below(base)));
    boolean jmxEverywhere =
        inventory().nodes().stream().allMatch(node -> node.jmxAddress().isPresent());
    for (InventorySpec.Node node : inventory().nodes()) {
      builder.contactPoint(node.address(), node.port());
      if (jmxEverywhere) {
        Endpoint jmx = Endpoint.parse(node.jmxAddress().orElseThrow(), JMX_PORT);
        builder.jmxEndpoint(jmx.host(), jmx.port());
      }
    }
    latencies().forEach(builder::latencies);
    return builder.build();
  }

  @Override
  public Set<String> off() {
    return OwnRacks.ofFiles(inventory(), RackShifter::offByOrder);
  }

  @Override
  public Set<String> comingBack() {
    return OwnRacks.ofFiles(inventory(), RackShifter::comingBack);
  }

  @Override
  public NodeGears gears(
      GearSettings settings, NodeProfile profile, String owner, Consumer<String> news) {
    return RackNodeGears.governed(
        NodeGears.User.governor(profile, settings, owner),
        racks(settings.keeps(), news),
        requests(),
        settings);
  }

  /** Options of gear commands that name it, as an operator types them. */
  String named() {
    return "--inventory " + inventory().file();
  }

  private RackMeans racks(KeptCopies keeps, Consumer<String> news) {
    Optional<Credentials> jmx =
        spec().find(CassandraSettings.class).flatMap(CassandraSettings::jmx).map(this::resolve);
    return OwnRacks.of(inventory(), jmx, store(), keeps, named(), news);
  }

  /**
   * {@inheritDoc}
   *
   * @throws BadRequestException if a node of a rack that may go off has a process on this machine
   *     whose switch does not tell the next
   */
  @Override
  public NodeGears gears() {
    RackNodeGears gears =
        RackNodeGears.studied(
            NodeGears.User.study(profile(), () -> OwnRacks.processes(inventory())),
            racks(KeptCopies.QUORUM, line -> {}),
            RackGears.of(spec()));
    OwnRacks.requireFollowed(inventory(), gears.mayBeOff());
    return gears;
  }

  /** {@inheritDoc} A node that was switched off and on has another process by then. */
  @Override
  public List<Node> nodes() {
    return OwnRacks.withProcesses(super.nodes(), inventory());
  }

  /** Of the agents; none unless each node has one that reads its JMX. */
  List<AgentLatencies> latencies() {
    return ofAgents((node, agent, name) -> new AgentLatencies(agent, name));
  }

  @FunctionalInterface
  private interface OfAgent<T> {
    T make(String node, AgentSource agent, String name);
  }

  private <T> List<T> ofAgents(OfAgent<T> each) {
    List<T> made = new ArrayList<>();
    for (InventorySpec.Node node : inventory().nodes()) {
      node.jmx()
          .flatMap(jmx -> jmx.agent().map(agent -> each.make(node.name(), agent, jmx.at())))
          .ifPresent(made::add);
    }
    return made.size() == inventory().nodes().size() ? made : List.of();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return checked(
        CassandraStore.connect(store()),
        connected -> bounds.requireListed(found(connected.clusterNodes())));
  }

  /** As the bounds of load take what the driver has found. */
  static List<LoadBounds.Found> found(List<ClusterNode> nodes) {
    return nodes.stream()
        .map(node -> new LoadBounds.Found(node.address(), node.ownAddress(), node.dataCentre()))
        .toList();
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return new ClusterDoctor(this, table).examine();
  }

  private Replication replication() {
    if (!spec().replicas().byDatacenter().isEmpty()) {
      return new Replication.NetworkTopology(spec().replicas().byDatacenter());
    }
    return spec()
        .replicas()
        .localDatacenter()
        .<Replication>map(
            name -> new Replication.NetworkTopology(Map.of(name, spec().replicationFactor())))
        .orElseGet(() -> new Replication.Simple(spec().replicationFactor()));
  }

  private Credentials resolve(StoreSpec.Credentials given) {
    if (given.user().isEmpty()) {
      throw new BadRequestException(
          "there is a password without a user", "inventory", "add user: NAME beside it");
    }
    return given.read(base);
  }
}
