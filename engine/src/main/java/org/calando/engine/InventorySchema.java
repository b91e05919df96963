package org.calando.engine;

import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.EngineSchema.Section;
import org.calando.engine.InventorySpec.Node;
import org.calando.power.agent.AgentSource;
import org.calando.power.host.AgentHost;
import org.calando.power.host.HostSource;
import org.calando.power.onoff.SwitchSpec;
import org.calando.power.schema.AgentKeys;
import org.calando.power.schema.MetricsSchema;
import org.calando.power.schema.NodeInstruments;
import org.calando.power.schema.PowerSchema;
import org.calando.power.schema.SnmpSpec.Pdu;
import org.calando.power.schema.SourceSchema;
import org.calando.power.schema.SwitchSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What an inventory file may say. */
public final class InventorySchema {
  private static final int MAX_NODES = 1000;
  private static final int MAX_COMPANIONS = 16;

  private static final Key<String> NODE_NAME =
      Key.of("name", Types.NAME, "What results and reports call the node; unique.")
          .mandatory()
          .example("c1");
  private static final Key<String> ADDRESS =
      Key.of(
              "address",
              text("an address", "[A-Za-z0-9_.:-]{1,253}", "a host name or IP address"),
              "Where clients reach the node.")
          .mandatory()
          .example("10.0.0.1");
  private static final Key<Integer> PORT =
      Key.of(
              "port",
              Types.port(),
              "Port for clients; by default the engine's own: " + usualPorts() + ".")
          .example("9042");
  private static final Key<String> NODE_DATACENTER =
      Key.of("datacenter", Types.NAME, "The node's data centre, where it is not the inventory's.")
          .example("dc2");
  private static final Key<String> RACK =
      Key.of("rack", Types.NAME, "The node's rack.").example("r1");
  private static final Key<String> PROFILE =
      Key.of("profile", PowerSchema.PROFILE_NAME, "Power profile, where it is not the study's.")
          .example("xeon-x3440");
  private static final Key<NodeInstruments> POWER =
      Key.of("power", SourceSchema.POWER, "Where the node's energy is read.")
          .example("{snmp: pdu1, outlet: 7}");
  private static final Key<HostSource> METRICS =
      Key.of(
              "metrics",
              MetricsSchema.TYPE,
              "Where the node's CPU, memory, disk and network are read, if it runs elsewhere;"
                  + " without it they stay blank.")
          .example("\"http://10.0.0.1:9100/metrics\"");
  private static final Key<NodeInstruments> BMC =
      Key.of("bmc", SourceSchema.BMC, "The node's management controller, which may report power.")
          .example("{redfish: \"https://10.0.1.1\"}");
  private static final Key<SwitchSpec> SWITCH =
      Key.of(
              "switch",
              SwitchSchema.TYPE,
              "What turns the node on and off, for gears; without it the node is never switched.")
          .example("{ipmi: 10.0.1.1, force-after: 3m}");
  private static final Key<Long> PID =
      Key.of(
              "pid",
              longInteger(1, Integer.MAX_VALUE),
              "The engine's process, if the node runs on this machine.")
          .example("4711");
  private static final Key<List<Long>> COMPANIONS =
      Key.of(
              "companions",
              distinctList(longInteger(1, Integer.MAX_VALUE), 1, MAX_COMPANIONS),
              "Further processes of the node on this machine, such as the DataNode beside a"
                  + " RegionServer; they count as the node's own.")
          .example("[4712, 4713]");

  /** An address, or a name that the agent's file has. */
  private record JmxDraft(String at, boolean ofAgent) {
    Node.NodeJmx of(Optional<AgentSource> agent) {
      return new Node.NodeJmx(at, agent.filter(its -> ofAgent));
    }
  }

  private static final Key<String> JMX_OF_AGENT =
      Key.of("agent", Types.NAME, "A JMX that the file of the node's agent has, by its name.")
          .mandatory()
          .example("database");
  private static final Key<JmxDraft> JMX =
      Key.of(
              "jmx",
              scalarOrMapping(
                  mapped(
                      text("HOST:PORT", "\\S{1,253}:\\d{1,5}", "HOST:PORT"),
                      at -> new JmxDraft(at, false)),
                  ObjectType.named("a JMX of an agent", "JMX that the node's agent reaches.")
                      .keys(JMX_OF_AGENT)
                      .build(jmx -> new JmxDraft(jmx.get(JMX_OF_AGENT), true))),
              "The node's JMX; through the node's agent figures are read and knobs set.")
          .example("\"10.0.0.1:7199\"");
  private static final Key<AgentSource> AGENT =
      Key.of(
              "agent",
              AgentKeys.TYPE,
              "The agent of the node's machine: through it clocks and threads are set, and the"
                  + " processors' energy is read; CPU, memory, disk and network too, unless metrics"
                  + " or pid is given.")
          .example("\"https://10.0.0.1:7475\"");

  /** A node whose PDUs are still names. */
  private record Draft(Node node, NodeInstruments power) {}

  private static final ObjectType<Draft> NODE =
      ObjectType.named("a node", "A node of a cluster of the user's own.")
          .keys(
              NODE_NAME,
              ADDRESS,
              PORT,
              NODE_DATACENTER,
              RACK,
              PROFILE,
              POWER,
              METRICS,
              BMC,
              SWITCH,
              PID,
              COMPANIONS,
              JMX,
              AGENT)
          .check(InventorySchema::checkProcesses)
          .check(InventorySchema::checkAgent)
          .build(InventorySchema::node);

  private static final Key<String> DATACENTER =
      Key.of("datacenter", Types.NAME, "The data centre of nodes that name none.").example("dc1");
  private static final Key<List<Draft>> NODES =
      Key.of("nodes", list(NODE, 1, MAX_NODES), "The nodes.")
          .mandatory()
          .example("[{name: c1, address: 10.0.0.1}]");

  /** The mapping. */
  public static final ObjectType<InventorySpec> TYPE =
      ObjectType.named(
              "an inventory",
              "A cluster of the user's own, in a file of its own or in the study file itself.")
          .keys(
              Engines.keys(
                  Section.INVENTORY,
                  Keys.at(10, DATACENTER),
                  Keys.at(40, SourceSchema.PDUS, NODES)))
          .check(InventorySchema::checkNodes)
          .check(
              inventory ->
                  Engines.all().forEach(engine -> engine.schema().checkInventory(inventory)))
          .check(InventorySchema::checkPower)
          .build(InventorySchema::inventory);

  private InventorySchema() {}

  private static String usualPorts() {
    return Engines.all().stream()
        .filter(engine -> engine.schema().port().isPresent())
        .map(engine -> engine.schema().port().getAsInt() + " of " + engine.title())
        .collect(Collectors.joining(", "));
  }

  /** Names of the nodes that are right by themselves. */
  public static List<String> names(Values inventory) {
    return inventory.find(NODES).orElse(List.of()).stream()
        .map(draft -> draft.node().name())
        .toList();
  }

  private static void checkNodes(Values inventory) {
    Map<String, Integer> names = new HashMap<>();
    Map<String, Integer> addresses = new HashMap<>();
    List<Draft> nodes = inventory.find(NODES).orElse(List.of());
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i).node();
      Integer first = names.putIfAbsent(node.name(), i);
      if (first != null) {
        String what = "'" + node.name() + "' is the name of nodes[" + first + "] already";
        inventory.errorAt("nodes[" + i + "].name", what, "give each node its own name");
      }
      first = addresses.putIfAbsent(node.address() + " " + node.port(), i);
      if (first != null) {
        String what = "'" + node.address() + "' with this port is nodes[" + first + "] already";
        inventory.errorAt("nodes[" + i + "].address", what, "list each node once");
      }
    }
  }

  private static void checkProcesses(Values node) {
    if (node.given(COMPANIONS) && !node.given(PID)) {
      node.error(COMPANIONS, "is given without the engine's own process", "add pid");
    }
  }

  /** Checks that no two nodes are one, when the port of those without one is known. */
  public static void checkPorts(Values values, Key<InventorySpec> inventory, int usual) {
    Set<String> addresses = new HashSet<>();
    values
        .find(inventory)
        .map(given -> given.orPort(usual))
        .ifPresent(
            given -> {
              for (Node node : given.nodes()) {
                String address = node.address() + ":" + node.port();
                if (!addresses.add(address)) {
                  values.error(inventory, "lists " + address + " twice", "list each node once");
                }
              }
            });
  }

  private static void checkPower(Values inventory) {
    Map<String, Pdu> pdus = inventory.find(SourceSchema.PDUS).orElse(Map.of());
    List<Draft> nodes = inventory.find(NODES).orElse(List.of());
    for (int i = 0; i < nodes.size(); i++) {
      SourceSchema.checkPdus(inventory, "nodes[" + i + "].power", nodes.get(i).power(), pdus);
      if (nodes.get(i).node().pid().isEmpty() && nodes.get(i).power().isThisMachine()) {
        inventory.errorAt(
            "nodes[" + i + "]",
            "names an instrument of this machine, and no process of the node on it",
            "give the node's pid, or the host of its controller");
      }
    }
  }

  private static InventorySpec inventory(Values inventory) {
    Map<String, Pdu> pdus = inventory.find(SourceSchema.PDUS).orElse(Map.of());
    List<Node> nodes =
        inventory.get(NODES).stream()
            .map(draft -> draft.node().with(draft.power().resolve(pdus)))
            .toList();
    return new InventorySpec(
        inventory.find(DATACENTER),
        nodes,
        Engines.all().stream()
            .map(engine -> engine.schema().inventory(inventory))
            .flatMap(Optional::stream)
            .toList(),
        inventory.file());
  }

  private static void checkAgent(Values node) {
    if (node.find(JMX).filter(JmxDraft::ofAgent).isPresent() && !node.given(AGENT)) {
      node.error(JMX, "is of an agent, and the node has none", "name its agent: agent: URL");
    }
    if (node.find(SWITCH).filter(SwitchSpec::needsAgent).isPresent() && !node.given(AGENT)) {
      node.error(SWITCH, "is of an agent, and the node has none", "name its agent: agent: URL");
    }
  }

  /** A process on this machine is read here, whatever its machine's agent tells. */
  private static Optional<HostSource> host(Values node) {
    return node.find(METRICS)
        .or(() -> node.find(AGENT).filter(its -> !node.given(PID)).map(AgentHost::new));
  }

  private static Draft node(Values node) {
    Node plain =
        new Node(
            node.get(NODE_NAME),
            node.get(ADDRESS),
            node.find(PORT).orElse(Node.PORT_OF_ENGINE),
            node.find(NODE_DATACENTER),
            node.find(RACK),
            node.find(PROFILE),
            List.of(),
            host(node),
            node.find(PID).map(OptionalLong::of).orElse(OptionalLong.empty()),
            node.find(COMPANIONS).orElse(List.of()),
            node.find(JMX).map(its -> its.of(node.find(AGENT))),
            node.find(SWITCH).map(its -> node.find(AGENT).map(its::of).orElse(its)));
    NodeInstruments power = node.find(POWER).orElse(NodeInstruments.NONE);
    NodeInstruments agent =
        node.find(AGENT)
            .map(source -> new NodeInstruments(Optional.empty(), source.all()))
            .orElse(NodeInstruments.NONE);
    return new Draft(plain, power.or(node.find(BMC).orElse(NodeInstruments.NONE)).or(agent));
  }
}
