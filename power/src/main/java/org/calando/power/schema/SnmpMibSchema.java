package org.calando.power.schema;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.calando.power.schema.SnmpSpec.Feeds;
import org.calando.power.schema.SnmpSpec.Outlet;
import org.calando.power.snmp.PduMib;
import org.calando.power.snmp.PduMib.Quantity;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** Objects of the user's own choice in a PDU, and the outlets that feed a node. */
final class SnmpMibSchema {
  private static final int MAX_OUTLETS = 24;
  private static final int MAX_OUTLET = 100_000;
  private static final String OID = "\\.?[0-2](\\.(\\d{1,10}|\\{outlet\\})){2,120}";
  private static final String OID_HELP = "numbers with dots, with {outlet} for the outlet's number";

  private static final Key<String> POWER_OID =
      Key.of("power-oid", text("an OID", OID, OID_HELP), "Object that shows an outlet's power.")
          .example("\"1.3.6.1.4.1.99999.1.2.{outlet}\"");
  private static final Key<Double> POWER_SCALE =
      Key.of("power-scale", number(1e-9, 1e6), "Watts of one unit of it.")
          .byDefaultWith("power-oid", "1")
          .example("0.1");
  private static final Key<String> ENERGY_OID =
      Key.of("energy-oid", text("an OID", OID, OID_HELP), "Object that counts an outlet's energy.")
          .example("\"1.3.6.1.4.1.99999.1.3.{outlet}\"");
  private static final Key<Double> ENERGY_SCALE =
      Key.of(
              "energy-scale",
              number(1e-9, 1e9),
              "Joules of one unit of it: 3600 for a watt-hour, 3600000 for a kilowatt-hour.")
          .example("3600");
  private static final Key<Integer> COUNTER_BITS =
      Key.of("counter-bits", integer(32, 64), "Where it starts again at 0: 32 or 64 bits.")
          .byDefaultWith("energy-oid", "32")
          .example("64");
  private static final Key<Boolean> MODELLED =
      Key.of(
              "modelled",
              bool(),
              "True if the power follows from something else, as amperes times volts.")
          .byDefault("false")
          .example("true");

  static final ObjectType<PduMib> CUSTOM =
      ObjectType.named("objects of a PDU", "Where a PDU of another make shows its figures.")
          .keys(POWER_OID, POWER_SCALE, ENERGY_OID, ENERGY_SCALE, COUNTER_BITS, MODELLED)
          .check(SnmpMibSchema::checkCustom)
          .build(SnmpMibSchema::custom);

  private static final Key<String> PDU =
      Key.of("snmp", Types.NAME, "The PDU, by its name below pdus.").example("pdu1");
  private static final Key<Integer> OUTLET =
      Key.of("outlet", integer(1, MAX_OUTLET), "Number of the outlet.").example("7");
  private static final Key<List<Integer>> OUTLETS =
      Key.of(
              "outlets",
              list(integer(1, MAX_OUTLET), 1, MAX_OUTLETS),
              "Several outlets of the PDU, which are added.")
          .example("[7, 8]");

  private static final Key<String> FEED_PDU = PDU.mandatory();
  private static final Key<Integer> FEED_OUTLET = OUTLET.mandatory();
  private static final ObjectType<Outlet> FEED =
      ObjectType.named("a feed", "An outlet of a PDU.")
          .keys(FEED_PDU, FEED_OUTLET)
          .build(feed -> new Outlet(feed.get(FEED_PDU), feed.get(FEED_OUTLET)));
  private static final Key<List<Outlet>> FEEDS =
      Key.of("feeds", list(FEED, 1, MAX_OUTLETS), "Outlets of several PDUs, which are added.")
          .example("[{snmp: pdu1, outlet: 7}, {snmp: pdu2, outlet: 7}]");

  /** The keys that name a node's outlets; the PDUs are names, looked up by whoever reads them. */
  static final Key<?>[] NODE_KEYS = {PDU, OUTLET, OUTLETS, FEEDS};

  /** How a node's outlets are written where nothing else is. */
  static final ObjectType<Feeds> NODE =
      ObjectType.named("outlets", "The outlets that feed a node: snmp with outlet(s), or feeds.")
          .keys(NODE_KEYS)
          .check(SnmpMibSchema::checkNode)
          .build(node -> new Feeds(outlets(node)));

  private SnmpMibSchema() {}

  /**
   * What {@code mib} says.
   *
   * @param make name of a known make, or {@code custom}
   * @param custom the objects of a make that is not known
   */
  record Kind(String make, Optional<PduMib> custom) {}

  private static void checkCustom(Values mib) {
    if (!mib.given(POWER_OID) && !mib.given(ENERGY_OID)) {
      mib.errorHere("power-oid or energy-oid is missing", "give one of them or both");
    }
    if (mib.given(ENERGY_OID)) {
      mib.require("write how many joules one unit of energy-oid is", ENERGY_SCALE);
    } else {
      mib.forbid("is of no use without energy-oid", ENERGY_SCALE, COUNTER_BITS);
    }
    if (!mib.given(POWER_OID)) {
      mib.forbid("is of no use without power-oid", POWER_SCALE);
    }
    mib.find(COUNTER_BITS)
        .filter(bits -> bits != 32 && bits != 64)
        .ifPresent(bits -> mib.error(COUNTER_BITS, "is neither 32 nor 64", "write 32 or 64"));
    for (Key<String> key : List.of(POWER_OID, ENERGY_OID)) {
      mib.find(key)
          .filter(oid -> !Quantity.isOid(oid))
          .ifPresent(oid -> mib.error(key, "is not an OID", "write " + OID_HELP));
    }
  }

  private static PduMib custom(Values mib) {
    Optional<Quantity> power =
        mib.find(POWER_OID).map(oid -> new Quantity(POWER_OID.name(), oid, mib.get(POWER_SCALE)));
    Optional<Quantity> energy =
        mib.find(ENERGY_OID)
            .map(
                oid ->
                    new Quantity(
                        ENERGY_OID.name(),
                        oid,
                        mib.get(ENERGY_SCALE),
                        mib.get(COUNTER_BITS),
                        Optional.empty()));
    return new PduMib("custom", "OIDs of the study", power, energy, mib.get(MODELLED));
  }

  /** Checks the keys that name a node's outlets, if any of them is given. */
  static void checkIfGiven(Values node) {
    if (Arrays.stream(NODE_KEYS).anyMatch(node::given)) {
      checkNode(node);
    }
  }

  private static void checkNode(Values node) {
    if (node.given(FEEDS)) {
      node.forbid("given beside feeds", PDU, OUTLET, OUTLETS);
    } else {
      node.require("name the PDU", PDU);
      node.requireExactlyOne(OUTLET, OUTLETS);
    }
    Set<Outlet> seen = new HashSet<>();
    for (Outlet outlet : outlets(node)) {
      if (!seen.add(outlet)) {
        node.errorHere(
            "outlet " + outlet.outlet() + " of " + outlet.pdu() + " is given twice",
            "give it once");
      }
    }
  }

  /** A node's outlets; empty if it names none. */
  static Optional<Feeds> feeds(Values node) {
    List<Outlet> outlets = outlets(node);
    return outlets.isEmpty() ? Optional.empty() : Optional.of(new Feeds(outlets));
  }

  private static List<Outlet> outlets(Values node) {
    List<Outlet> outlets = new ArrayList<>(node.find(FEEDS).orElse(List.of()));
    node.find(PDU)
        .ifPresent(
            pdu ->
                Stream.concat(
                        node.find(OUTLET).stream(), node.find(OUTLETS).orElse(List.of()).stream())
                    .forEach(outlet -> outlets.add(new Outlet(pdu, outlet))));
    return outlets;
  }
}
