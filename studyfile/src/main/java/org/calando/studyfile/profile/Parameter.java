package org.calando.studyfile.profile;

import java.util.List;
import java.util.Optional;
import org.calando.sim.away.Stalls;

/**
 * What a calibration fits. Each is above 0, and is looked for on a logarithmic scale around a usual
 * value, from which it goes only as far as measured figures pull it.
 */
public enum Parameter {
  /** CPU of the load generator, an operation. */
  CLIENT("client", "ms", 0.04, 1.5, "CPU time of the load generator for an operation"),
  /** Cores of the load generator, whatever it does. */
  CLIENT_BACKGROUND(
      "client-background", "cores", 0.05, 1.5, "cores of the load generator beside operations"),
  /** CPU of the coordinator, an operation. */
  COORDINATOR("coordinator", "ms", 0.15, 1, "CPU time of the coordinator for an operation"),
  /** CPU of the coordinator for each replica that it asks. */
  MESSAGE("message", "ms", 0.05, 0.5, "CPU time of the coordinator for each replica that it asks"),
  /** CPU of the coordinator for each reply that an operation waits for. */
  REPLY("reply", "ms", 0.15, 1, "CPU time of the coordinator for each reply waited for"),
  /** CPU of a replica, a read. */
  READ("read", "ms", 0.15, 1, "CPU time of a replica for a read"),
  /** CPU of a replica, a write. */
  WRITE("write", "ms", 0.1, 1, "CPU time of a replica for a write"),
  /** Cores that a node spends on looking for work. */
  SPINNING("spinning", "cores", 0.35, 0.7, "cores a node uses while it looks for work"),
  /** How long it looks for work after the last. */
  LINGER("linger", "ms", 8, 1, "how long a node looks for work after the last"),
  /** Jobs in wait that make it look less often. */
  DEPTH("depth", "jobs", 8, 1, "jobs in wait that make it look e times less often"),
  /** How long it takes a core each time. */
  BURST("burst", "ms", 0.3, 0.7, "how long it takes a core each time"),
  /** Share of the machine's cores that nodes get. */
  CAPACITY("capacity", "share", 0.92, 0.05, "share of the cores that nodes get"),
  /** Time between client and coordinator, one way. */
  CLIENT_LINK("client-link", "ms", 0.3, 1, "between client and coordinator, one way"),
  /** Time between nodes beyond the configured delay, one way. */
  NODE_LINK("node-link", "ms", 0.4, 1, "between nodes beyond the configured delay, one way"),

  // Of nodes with stages.
  /** CPU of a messaging loop for a message. */
  MESSAGING(
      "messaging",
      "ms",
      0.1,
      1,
      "CPU time of a messaging loop for a message, at each end",
      Quantity.LAG),
  /** Variation of the same. */
  MESSAGING_VARIATION(
      "messaging-variation", "", 1.5, 0.7, "its coefficient of variation", Quantity.LAG_P99),
  /** Variation of what native transport does. */
  NATIVE_VARIATION(
      "native-variation",
      "",
      1,
      0.7,
      "coefficient of variation of a coordinator's work",
      Quantity.READ_P99,
      Quantity.WRITE_P99),
  /** Variation of replicas' reads. */
  READ_VARIATION(
      "read-variation",
      "",
      1,
      0.7,
      "coefficient of variation of a replica's read",
      Quantity.READ_P99),
  /** Variation of replicas' writes. */
  MUTATION_VARIATION(
      "mutation-variation",
      "",
      1,
      0.7,
      "coefficient of variation of a replica's write",
      Quantity.WRITE_P99,
      Quantity.LAG_P99),

  // Of nodes that stand still now and then.
  /** How often a node stands still. */
  STALLS(
      "stalls",
      "/busy s",
      1,
      1.5,
      "how often a node stalls, by its CPU time",
      Quantity.READ_P99,
      Quantity.WRITE_P99),
  /** For how long. */
  STALL(
      "stall",
      "ms",
      20,
      1,
      "how long each stall lasts on average",
      Quantity.READ_P99,
      Quantity.WRITE_P99);

  private static final List<Parameter> EVERY = List.of(values());
  private static final List<Parameter> ALL = EVERY.subList(0, EVERY.indexOf(NODE_LINK) + 1);
  private static final List<Parameter> STAGED =
      EVERY.subList(0, EVERY.indexOf(MUTATION_VARIATION) + 1);
  private static final double MOST_VARIATION = 20;

  private final String key;
  private final String unit;
  private final double usual;
  private final double spread;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // a copy that nobody can change
  private final List<Quantity> fittedTo;

  Parameter(
      String key, String unit, double usual, double spread, String meaning, Quantity... fittedTo) {
    this.key = key;
    this.unit = unit;
    this.usual = usual;
    this.spread = spread;
    this.meaning = meaning;
    this.fittedTo = List.of(fittedTo);
  }

  /** Those of every profile, in its order. */
  public static List<Parameter> all() {
    return ALL;
  }

  /** Those that there are, in the order of their places. */
  public static List<Parameter> every() {
    return EVERY;
  }

  /** Those of nodes with stages, beside and after {@link #all}. */
  public static List<Parameter> ofStages() {
    return STAGED.subList(ALL.size(), STAGED.size());
  }

  /** Those of nodes that stand still, beside and after these. */
  public static List<Parameter> ofStalls() {
    return EVERY.subList(STAGED.size(), EVERY.size());
  }

  /** Those of a profile with such stages, or of one without. */
  public static List<Parameter> of(Optional<StageThreads> stages) {
    return stages.map(threads -> threads.stalls() ? EVERY : STAGED).orElse(ALL);
  }

  /**
   * What must have been measured, of parameters of stages and stalls: what they are fitted to above
   * all.
   */
  public List<Quantity> fittedTo() {
    return fittedTo;
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
  public double usual() {
    return usual;
  }

  /** Standard deviation of the logarithm around the usual value, before any figure is known. */
  public double spread() {
    return spread;
  }

  /** The largest value that makes sense. */
  public double most() {
    if (this == CAPACITY) {
      return 1;
    }
    if (this == STALLS) {
      return Stalls.MOST_PER_BUSY_SECOND;
    }
    return key.endsWith("variation") ? MOST_VARIATION : 1e4;
  }

  /** What it is, in words. */
  public String meaning() {
    return meaning;
  }

  /** Its place in {@link #all}. */
  public int place() {
    return EVERY.indexOf(this);
  }
}
