package org.calando.study.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.power.PowerSource;
import org.calando.power.snmp.SnmpFeed;
import org.calando.power.snmp.SnmpSource;
import org.calando.study.config.SnmpSpec.Feeds;
import org.calando.study.config.SnmpSpec.Pdu;

/**
 * Where a node's energy can be read, as its file says. Immutable and thread safe.
 *
 * @param feeds outlets of PDUs, which are named
 * @param sources all other instruments, at most one of each kind
 */
record NodePower(Optional<Feeds> feeds, List<PowerSource> sources) {
  static final NodePower NONE = new NodePower(Optional.empty(), List.of());

  NodePower {
    sources = List.copyOf(sources);
  }

  /** These instruments, and those of the other for which there is none of the kind here. */
  NodePower or(NodePower other) {
    List<PowerSource> all = new ArrayList<>(sources);
    for (PowerSource more : other.sources) {
      if (all.stream().noneMatch(source -> source.kind().equals(more.kind()))) {
        all.add(more);
      }
    }
    return new NodePower(feeds.or(other::feeds), all);
  }

  /** PDUs that are named and not described. */
  List<String> unknown(Map<String, Pdu> pdus) {
    return feeds.stream()
        .flatMap(all -> all.pdus().stream())
        .filter(name -> !pdus.containsKey(name))
        .toList();
  }

  /**
   * Every instrument.
   *
   * @param pdus the units by name, all that are named among them
   */
  List<PowerSource> resolve(Map<String, Pdu> pdus) {
    List<PowerSource> all = new ArrayList<>(sources);
    if (feeds.isPresent() && unknown(pdus).isEmpty()) {
      List<SnmpFeed> outlets = new ArrayList<>();
      for (SnmpSpec.Outlet outlet : feeds.get().outlets()) {
        Pdu pdu = pdus.get(outlet.pdu());
        if (pdu != null) {
          outlets.add(new SnmpFeed(pdu.named(outlet.pdu()), outlet.outlet()));
        }
      }
      all.add(new SnmpSource(outlets));
    }
    return all;
  }
}
