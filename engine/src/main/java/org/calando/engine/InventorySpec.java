package org.calando.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.calando.core.policy.gear.GearModel;
import org.calando.power.PowerSource;
import org.calando.power.agent.AgentSource;
import org.calando.power.host.HostSource;
import org.calando.power.onoff.SwitchSpec;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of the user's own: its nodes, and where figures of each come from.
 *
 * <p>Immutable and thread safe. Equal are those that say the same, wherever they lie.
 *
 * @param datacenter the data centre of nodes that name none
 * @param nodes the nodes, 1 or more
 * @param settings what it says of single engines, see {@link #find}
 * @param file that it stands in; paths in it are relative to its folder
 */
public record InventorySpec(
    Optional<String> datacenter, List<Node> nodes, List<EngineSettings> settings, Path file) {
  /** Copies the lists. */
  public InventorySpec {
    nodes = List.copyOf(nodes);
    settings = List.copyOf(settings);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InventorySpec that
        && datacenter.equals(that.datacenter)
        && nodes.equals(that.nodes)
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(datacenter, nodes, settings);
  }

  /** That paths in it are relative to. */
  public Path folder() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** What it says of one engine, by the type that the engine has for it. */
  public <S> Optional<S> find(Class<S> type) {
    return EngineSettings.find(settings, type);
  }

  /** The same with an engine's usual port for nodes without one. */
  public InventorySpec orPort(int usual) {
    return new InventorySpec(
        datacenter, nodes.stream().map(node -> node.orPort(usual)).toList(), settings, file);
  }

  /**
   * From the order to power off of a node: of a process where the inventory names those of all
   * nodes, as that of {@code calando local start}, and of a machine otherwise.
   */
  public double offSeconds() {
    return nodes.stream().allMatch(node -> node.pid().isPresent())
        ? GearModel.PROCESS_OFF_SECONDS
        : GearModel.MACHINE_OFF_SECONDS;
  }

  /** The data centre of one of the nodes, where it is told. */
  public Optional<String> datacenterOf(Node node) {
    return node.datacenter().or(this::datacenter);
  }

  /** The data centres that are told, in the order of their names. */
  public NavigableSet<String> datacenters() {
    NavigableSet<String> names = new TreeSet<>();
    nodes.forEach(node -> datacenterOf(node).ifPresent(names::add));
    return names;
  }

  /**
   * A node.
   *
   * @param name what reports call it; no other node has it
   * @param address where clients reach it
   * @param port port for clients; {@link #PORT_OF_ENGINE} as long as the engine is not known
   * @param datacenter its data centre, where it is not the inventory's
   * @param rack its rack
   * @param profile name of its power profile, where it is not the study's
   * @param sources where its energy can be read, at most one of each kind
   * @param metrics what tells the use of its machine
   * @param pid the engine's process, if the node is on this machine
   * @param companions further processes on this machine that belong to the node
   * @param jmx where its JMX is read
   * @param powerSwitch what turns it on and off
   */
  public record Node(
      String name,
      String address,
      int port,
      Optional<String> datacenter,
      Optional<String> rack,
      Optional<String> profile,
      List<PowerSource> sources,
      Optional<HostSource> metrics,
      OptionalLong pid,
      List<Long> companions,
      Optional<NodeJmx> jmx,
      Optional<SwitchSpec> powerSwitch) {
    /**
     * Where a node's JMX is read.
     *
     * @param at {@code HOST:PORT}; what the agent's file calls it if that reads it
     * @param agent reads it; empty if it is read here
     */
    public record NodeJmx(String at, Optional<AgentSource> agent) {}

    /** {@code HOST:PORT} of its JMX, where that can be reached from here. */
    public Optional<String> jmxAddress() {
      return jmx.filter(its -> its.agent().isEmpty()).map(NodeJmx::at);
    }

    /** No port is told. */
    static final int PORT_OF_ENGINE = 0;

    /** Copies the lists. */
    public Node {
      sources = List.copyOf(sources);
      companions = List.copyOf(companions);
    }

    /** The agent of its machine, through which its clock can be set. */
    public Optional<AgentSource> agent() {
      return sources.stream()
          .filter(AgentSource.class::isInstance)
          .map(AgentSource.class::cast)
          .findFirst();
    }

    private Node orPort(int usual) {
      return port != PORT_OF_ENGINE
          ? this
          : new Node(
              name,
              address,
              usual,
              datacenter,
              rack,
              profile,
              sources,
              metrics,
              pid,
              companions,
              jmx,
              powerSwitch);
    }

    /** The same node with instruments. */
    Node with(List<PowerSource> instruments) {
      return new Node(
          name,
          address,
          port,
          datacenter,
          rack,
          profile,
          instruments,
          metrics,
          pid,
          companions,
          jmx,
          powerSwitch);
    }
  }
}
