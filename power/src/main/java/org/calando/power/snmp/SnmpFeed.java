package org.calando.power.snmp;

/**
 * An outlet that feeds a machine.
 *
 * @param device the unit
 * @param outlet the outlet's number in the unit's own tables, 1 or more
 */
public record SnmpFeed(SnmpDevice device, int outlet) {
  /** Checks the number. */
  public SnmpFeed {
    if (outlet < 1) {
      throw new IllegalArgumentException("outlets are counted from 1, not " + outlet);
    }
  }

  /** Outlet, unit and address, for messages. */
  String where() {
    return "outlet " + outlet + " of " + device.where();
  }
}
