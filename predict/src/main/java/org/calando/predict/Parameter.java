package org.calando.predict;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a calibration fits. Each is above 0, and is looked for on a logarithmic scale around a usual
 * value, from which it goes only as far as measured figures pull it.
 */
public enum Parameter {
  /** CPU of the load generator, an operation. */
  CLIENT("client", "ms", 0.08, 1.5, "CPU time of the load generator for an operation"),
  /** CPU of the coordinator, an operation. */
  COORDINATOR("coordinator", "ms", 0.15, 1, "CPU time of the coordinator for an operation"),
  /** CPU of the coordinator for each replica that it asks. */
  MESSAGE("message", "ms", 0.1, 1, "CPU time of the coordinator for each replica that it asks"),
  /** CPU of a replica, a read. */
  READ("read", "ms", 0.15, 1, "CPU time of a replica for a read"),
  /** CPU of a replica, a write. */
  WRITE("write", "ms", 0.1, 1, "CPU time of a replica for a write"),
  /** Cores that a node uses of its own accord and that operations wait for. */
  BACKGROUND("background", "cores", 0.05, 1, "cores a node uses beside operations"),
  /** Cores that a node uses only where nobody else wants them. */
  SPINNING("spinning", "cores", 0.15, 1, "cores a node uses more where nobody else wants them"),
  /** How long a node's own work keeps a core. */
  BURST("burst", "ms", 1.5, 0.7, "how long a node's own work keeps a core at a time"),
  /** Share of the machine's cores that nodes and clients get. */
  CAPACITY("capacity", "share", 0.95, 0.05, "share of the cores that nodes and clients get"),
  /** Time between client and coordinator, one way. */
  CLIENT_LINK("client-link", "ms", 0.15, 1, "between client and coordinator, one way"),
  /** Time between nodes beyond the configured delay, one way. */
  NODE_LINK("node-link", "ms", 0.2, 1, "between nodes beyond the configured delay, one way");

  private static final List<Parameter> ALL = List.of(values());

  private final String key;
  private final String unit;
  private final double usual;
  private final double spread;
  private final String meaning;

  Parameter(String key, String unit, double usual, double spread, String meaning) {
    this.key = key;
    this.unit = unit;
    this.usual = usual;
    this.spread = spread;
    this.meaning = meaning;
  }

  /** All of them, in the order of profiles. */
  public static List<Parameter> all() {
    return ALL;
  }

  /** The parameter of a name. */
  static Optional<Parameter> byKey(String key) {
    return Arrays.stream(values()).filter(p -> p.key.equals(key)).findAny();
  }

  /** Its name in profiles. */
  public String key() {
    return key;
  }

  /** The unit of its values. */
  public String unit() {
    return unit;
  }

  /** Where the search begins and stays if no figure says otherwise. */
  double usual() {
    return usual;
  }

  /** Standard deviation of the logarithm around the usual value, before any figure is known. */
  double spread() {
    return spread;
  }

  /** The largest value that makes sense. */
  double most() {
    return this == CAPACITY ? 1 : 1e4;
  }

  /** What it is, in words. */
  public String meaning() {
    return meaning;
  }

  int place() {
    return ALL.indexOf(this);
  }
}
