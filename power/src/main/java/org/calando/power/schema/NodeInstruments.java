package org.calando.power.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.schema.SnmpSpec.Feeds;
import org.calando.power.schema.SnmpSpec.Pdu;
import org.calando.power.snmp.SnmpFeed;
import org.calando.power.snmp.SnmpSource;

/**
 * Where a node's energy can be read, as its file says. Immutable and thread safe.
 *
 * @param feeds outlets of PDUs, which are named
 * @param sources all other instruments, at most one of each kind
 */
public record NodeInstruments(Optional<Feeds> feeds, List<PowerSource> sources) {
  /** Nothing is named. */
  public static final NodeInstruments NONE = new NodeInstruments(Optional.empty(), List.of());

  /** Copies the list. */
  public NodeInstruments {
    sources = List.copyOf(sources);
  }

  /** These instruments, and those of the other for which there is none of the kind here. */
  public NodeInstruments or(NodeInstruments other) {
    List<PowerSource> all = new ArrayList<>(sources);
    for (PowerSource more : other.sources) {
      if (all.stream().noneMatch(source -> source.kind().equals(more.kind()))) {
        all.add(more);
      }
    }
    return new NodeInstruments(feeds.or(other::feeds), all);
  }

  /** Whether one of them tells of the machine that reads it. */
  public boolean isThisMachine() {
    return sources.stream()
        .anyMatch(
            source ->
                source instanceof PowercapSource
                    || (source instanceof IpmiSource ipmi
                        && ipmi.bmc().equals(IpmiAddress.local())));
  }

  /** PDUs that are named and not described. */
  public List<String> unknown(Map<String, Pdu> pdus) {
    return feeds.stream()
        .flatMap(all -> all.pdus().stream())
        .filter(name -> !pdus.containsKey(name))
        .toList();
  }

  /**
   * Every instrument.
   *
   * @param pdus the units by name
   */
  public List<PowerSource> resolve(Map<String, Pdu> pdus) {
    List<PowerSource> all = new ArrayList<>(sources);
    if (feeds.isPresent()) {
      List<String> unknown = unknown(pdus);
      all.add(unknown.isEmpty() ? outlets(feeds.get(), pdus) : new UnknownPdu(unknown.get(0)));
    }
    return all;
  }

  private static PowerSource outlets(Feeds feeds, Map<String, Pdu> pdus) {
    List<SnmpFeed> outlets = new ArrayList<>();
    for (SnmpSpec.Outlet outlet : feeds.outlets()) {
      Pdu pdu = Objects.requireNonNull(pdus.get(outlet.pdu()));
      outlets.add(new SnmpFeed(pdu.named(outlet.pdu()), outlet.outlet()));
    }
    return new SnmpSource(outlets);
  }

  /**
   * A unit that a file names and describes nowhere, as in inventories that are also used for other
   * ends: an error for whoever wants to read it, and for nobody else.
   */
  private record UnknownPdu(String name) implements PowerSource {
    @Override
    public String kind() {
      return SnmpSource.KIND;
    }

    @Override
    public String describe() {
      return "PDU " + name;
    }

    @Override
    public PowerProbe open(Ticker ticker) throws MeterException {
      throw new MeterException(
          "is named and described nowhere",
          describe(),
          "add pdus: {" + name + ": {address: HOST, mib: apc|eaton|raritan}} to the file");
    }
  }
}
