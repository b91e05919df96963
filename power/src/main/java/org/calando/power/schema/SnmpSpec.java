package org.calando.power.schema;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.power.snmp.PduMib;
import org.calando.power.snmp.SnmpAccess;
import org.calando.power.snmp.SnmpDevice;
import org.calando.power.snmp.SnmpDevice.Prefer;

/** Power distribution units as files describe them: units by name, and outlets that name units. */
public final class SnmpSpec {
  private SnmpSpec() {}

  /**
   * A unit, whose name is its key in the file. Immutable and thread safe.
   *
   * @param host its name or address
   * @param port its UDP port
   * @param access how it lets itself be read
   * @param mib where its figures are
   * @param prefer which of them to use
   * @param timeoutNanos how long one answer may take
   * @param retries how often a question is repeated
   * @param renewalNanos how long it takes to renew its figures
   */
  public record Pdu(
      String host,
      int port,
      SnmpAccess access,
      PduMib mib,
      Prefer prefer,
      long timeoutNanos,
      int retries,
      long renewalNanos) {
    /** The unit under its name. */
    public SnmpDevice named(String name) {
      return new SnmpDevice(
          name, host, port, access, mib, prefer, timeoutNanos, retries, renewalNanos);
    }
  }

  /**
   * An outlet of a unit.
   *
   * @param pdu the unit's name
   * @param outlet number of the outlet
   */
  public record Outlet(String pdu, int outlet) {}

  /**
   * The outlets that feed one node. Immutable and thread safe.
   *
   * @param outlets the outlets, 1 or more, each once
   */
  public record Feeds(List<Outlet> outlets) {
    /** The units that are named, in order. */
    public Set<String> pdus() {
      return outlets.stream().map(Outlet::pdu).collect(Collectors.toCollection(LinkedHashSet::new));
    }
  }
}
