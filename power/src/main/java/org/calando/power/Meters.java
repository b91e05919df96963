package org.calando.power;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;

/**
 * The meters there are, and the choice between them.
 *
 * <p>{@link #AUTO} prefers what measures a whole machine at its socket to what a management
 * controller tells of it, that to what somebody else collected, that to the processors' own
 * counters, and all of them to the model. Thread safe.
 */
public final class Meters {
  /** Takes the best meter that works. */
  public static final String AUTO = "auto";

  private static final List<MeterFactory> FACTORIES =
      List.of(
          new SourceFactory("snmp", "outlet of a PDU (power: {snmp: PDU, outlet: N})"),
          new SourceFactory("redfish", "Redfish service (bmc: {redfish: URL})"),
          new SourceFactory("ipmi", "controller (bmc: {ipmi: HOST})"),
          new SourceFactory("prometheus", "query (power: {prometheus: {url: URL, ...}})"),
          new SourceFactory("powercap", "counters of processors on this machine"),
          new ModelFactory());

  private Meters() {}

  /**
   * A meter chosen for a cluster, open and read once.
   *
   * @param meter tells energy; the caller closes it
   * @param reasons why it was chosen and others were not, a line each: {@code ID: REASON}
   */
  public record Choice(Meter meter, List<String> reasons) {
    /** Copies the list. */
    public Choice {
      reasons = List.copyOf(reasons);
    }
  }

  /** Every meter, those preferred by {@link #AUTO} first. */
  public static List<MeterFactory> all() {
    return FACTORIES;
  }

  /** The names of all meters, those preferred by {@link #AUTO} first. */
  public static List<String> names() {
    return FACTORIES.stream().map(MeterFactory::id).toList();
  }

  /**
   * Chooses a meter and opens it.
   *
   * @param wanted {@link #AUTO} or a meter's name
   * @param nodes the nodes to be metered
   * @param usage what they use
   * @param ticker clock of the readings
   * @param intervalNanos time between two readings of a node
   * @param where the file and path that names the meter, for messages
   * @throws BadRequestException if there is no such meter, or the file does not say where it is
   * @throws FailedWorkException if it cannot be read
   * @throws InterruptedException if the waiting thread was interrupted
   */
  public static Choice open(
      String wanted,
      List<MeteredNode> nodes,
      UsageSource usage,
      Ticker ticker,
      long intervalNanos,
      String where)
      throws InterruptedException {
    List<MeterFactory> candidates =
        FACTORIES.stream()
            .filter(factory -> wanted.equals(AUTO) || wanted.equals(factory.id()))
            .toList();
    if (candidates.isEmpty()) {
      throw new BadRequestException(
          "there is no meter '" + wanted + "'",
          where,
          "use " + AUTO + " or one of: " + String.join(", ", names()));
    }
    List<String> reasons = new ArrayList<>();
    CalandoException last = null;
    for (MeterFactory factory : candidates) {
      String obstacle = factory.obstacle(nodes);
      if (!obstacle.isEmpty()) {
        reasons.add(factory.id() + ": " + obstacle);
        last = new BadRequestException(obstacle, where, "name it, or use another meter");
        continue;
      }
      try {
        Meter meter = factory.open(nodes, usage, ticker, intervalNanos);
        reasons.add(factory.id() + ": chosen");
        return new Choice(meter, reasons);
      } catch (MeterException e) {
        reasons.add(factory.id() + ": " + e.where() + ": " + e.what());
        last = e.toFailedWork();
      }
    }
    if (candidates.size() == 1 && last != null) {
      throw last;
    }
    throw new FailedWorkException(
        "no meter can tell the nodes' energy: " + String.join("; ", reasons),
        where,
        "mend what hinders one of them");
  }

  /** Meters that read instruments. */
  private record SourceFactory(String id, String sourceName) implements MeterFactory {
    @Override
    public String obstacle(List<MeteredNode> nodes) {
      List<String> without =
          nodes.stream().filter(node -> node.source(id).isEmpty()).map(MeteredNode::name).toList();
      if (without.isEmpty()) {
        return "";
      }
      String whose = without.size() == nodes.size() ? "no node" : "not for " + names(without);
      return "no " + sourceName + " is named: " + whose;
    }

    private static String names(List<String> names) {
      int shown = Math.min(5, names.size());
      String more = names.size() > shown ? " and " + (names.size() - shown) + " more" : "";
      return String.join(", ", names.subList(0, shown)) + more;
    }

    @Override
    public Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
        throws MeterException, InterruptedException {
      return SourceMeter.open(id, nodes, usage, ticker, intervalNanos);
    }
  }

  private static final class ModelFactory implements MeterFactory {
    private static final long FIRST_READING_NANOS = 10_000_000_000L;

    @Override
    public String id() {
      return ModelMeter.ID;
    }

    @Override
    public String obstacle(List<MeteredNode> nodes) {
      return nodes.stream()
          .filter(node -> !node.profile().problems().isEmpty())
          .map(
              node ->
                  "profile of node %s: %s"
                      .formatted(node.name(), String.join(", ", node.profile().problems())))
          .collect(Collectors.joining("; "));
    }

    @Override
    public Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
        throws MeterException, InterruptedException {
      usage.refresh(ticker.nanos() + FIRST_READING_NANOS).await();
      return new ModelMeter(
          usage,
          nodes.stream().map(MeteredNode::profile).toList(),
          ProcessCpu.ofThisMachine().tickNanos());
    }
  }
}
