package org.calando.power.snmp;

/**
 * A power distribution unit and how it is asked. Immutable and thread safe.
 *
 * <p>Probes of equal devices share one session and, within one tick, one exchange of messages:
 * these units have slow processors.
 *
 * @param name what messages and reports call it
 * @param host name or address
 * @param port UDP port, usually 161
 * @param access how it lets itself be read
 * @param mib where its figures are
 * @param prefer which of its figures to use
 * @param timeoutNanos how long one answer may take, above 0; the deadline of a sample bounds it
 * @param retries how often a question without an answer is repeated, 0 or more
 * @param renewalNanos how long it takes to renew its figures, 0 or more
 */
public record SnmpDevice(
    String name,
    String host,
    int port,
    SnmpAccess access,
    PduMib mib,
    Prefer prefer,
    long timeoutNanos,
    int retries,
    long renewalNanos) {
  /** The port of SNMP agents. */
  public static final int DEFAULT_PORT = 161;

  /** How long one answer may take, if nothing else is said. */
  public static final long DEFAULT_TIMEOUT_NANOS = 1_000_000_000L;

  /** How often a question is repeated, if nothing else is said. */
  public static final int DEFAULT_RETRIES = 1;

  /** How long a unit takes to renew its figures, if nothing else is said. */
  public static final long DEFAULT_RENEWAL_NANOS = 1_000_000_000L;

  /** Which of a unit's figures to use. */
  public enum Prefer {
    /** Watts, integrated over time. */
    POWER,
    /** The energy counter, however coarse. */
    ENERGY,
    /**
     * The energy counter if the machine draws one unit of it in a few seconds, watts otherwise.
     * Many units count in 0.1 kWh, which a server draws in an hour.
     */
    AUTO
  }

  /** Checks the bounds. */
  public SnmpDevice {
    if (timeoutNanos <= 0 || retries < 0 || renewalNanos < 0 || port < 1 || port > 65_535) {
      throw new IllegalArgumentException("device " + name + " is out of bounds");
    }
  }

  /** Name and address, for messages. */
  String where() {
    return "PDU " + name + " (" + host + ":" + port + ")";
  }

  /** How long an answer takes at most, with all repetitions. */
  long patienceNanos() {
    return timeoutNanos * (retries + 1L);
  }
}
