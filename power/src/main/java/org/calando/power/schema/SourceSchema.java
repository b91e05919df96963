package org.calando.power.schema;

import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.path;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.power.PowerSource;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.prometheus.PrometheusSource;
import org.calando.power.redfish.RedfishSource;
import org.calando.power.schema.SnmpSpec.Pdu;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What may be said of where a node's energy is read. */
public final class SourceSchema {
  /** A management controller that is read with ipmitool. */
  public static final Type<IpmiSource> CONTROLLER = IpmiSchema.TYPE;

  private static final Key<IpmiSource> IPMI =
      Key.of("ipmi", CONTROLLER, "The node's management controller, read by ipmitool.")
          .example("10.0.1.1");
  private static final Key<RedfishSource> REDFISH =
      Key.of("redfish", RedfishSchema.TYPE, "The node's management controller, read by Redfish.")
          .example("\"https://10.0.1.1\"");
  private static final Key<PrometheusSource> PROMETHEUS =
      Key.of("prometheus", PrometheusSchema.TYPE, "A Prometheus server that has the figures.")
          .example("{url: \"http://10.0.0.9:9090\", query: node_power_watts, unit: watts}");
  private static final Key<Path> POWERCAP =
      Key.of(
              "powercap",
              path("a path"),
              "Folder of the energy counters of this machine's processors; nodes of a local cluster"
                  + " have /sys/class/powercap without saying so.")
          .example("/sys/class/powercap");

  /** PDUs by name. */
  public static final Key<Map<String, Pdu>> PDUS =
      Key.of("pdus", mapOf(Types.NAME, SnmpSchema.PDU), "Power distribution units that nodes name.")
          .example("{pdu1: {address: 10.0.2.1, mib: apc}}");

  /** {@code power} of a node. */
  public static final ObjectType<NodeInstruments> POWER =
      ObjectType.named(
              "a node's instruments",
              "Where the node's energy is read; nodes that name the same share it by CPU time.")
          .keys(SnmpMibSchema.NODE_KEYS)
          .keys(IPMI, REDFISH, PROMETHEUS, POWERCAP)
          .check(SnmpMibSchema::checkIfGiven)
          .build(node -> new NodeInstruments(SnmpMibSchema.feeds(node), sources(node)));

  /** {@code bmc} of a node. */
  public static final ObjectType<NodeInstruments> BMC =
      ObjectType.named("a management controller", "The node's management controller.")
          .keys(IPMI, REDFISH)
          .build(node -> new NodeInstruments(NodeInstruments.NONE.feeds(), sources(node)));

  private SourceSchema() {}

  private static List<PowerSource> sources(Values node) {
    List<PowerSource> sources = new ArrayList<>();
    node.find(IPMI).ifPresent(sources::add);
    node.find(REDFISH).ifPresent(sources::add);
    node.find(PROMETHEUS).ifPresent(sources::add);
    node.find(POWERCAP).map(PowercapSource::new).ifPresent(sources::add);
    return sources;
  }

  /**
   * Reports a PDU that is named and not described, in a file that describes others.
   *
   * @param values the mapping that the path is relative to
   * @param path of what names it
   */
  public static void checkPdus(
      Values values, String path, NodeInstruments power, Map<String, Pdu> pdus) {
    for (String name : pdus.isEmpty() ? List.<String>of() : power.unknown(pdus)) {
      values.errorAt(path, "there is no PDU '" + name + "'", "describe it below pdus");
    }
  }
}
