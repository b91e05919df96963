package org.calando.power;

import java.util.ArrayList;
import java.util.List;
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
          new MeterKinds.Instruments("snmp", "outlet of a PDU (power: {snmp: PDU, outlet: N})"),
          new MeterKinds.Instruments("redfish", "Redfish service (bmc: {redfish: URL})"),
          new MeterKinds.Instruments("ipmi", "controller (bmc: {ipmi: HOST})"),
          new MeterKinds.Instruments("prometheus", "query (power: {prometheus: {url: URL, ...}})"),
          new MeterKinds.Instruments("agent", "agent of the node's machine (agent: URL)"),
          new MeterKinds.Instruments("powercap", "counters of processors on this machine"),
          new MeterKinds.Model());

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
   * @throws BadRequestException if there is no such meter, or the file does not say where any is
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
    boolean tried = false;
    for (MeterFactory factory : candidates) {
      String obstacle = factory.obstacle(nodes, usage);
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
        tried = true;
        reasons.add(factory.id() + ": " + e.where() + ": " + e.what());
        last = e.toFailedWork();
      }
    }
    if (candidates.size() == 1 && last != null) {
      throw last;
    }
    String what = "no meter can measure the nodes' energy: " + String.join("; ", reasons);
    String remedy = "fix what prevents one of them";
    throw tried
        ? new FailedWorkException(what, where, remedy)
        : new BadRequestException(what, where, remedy);
  }
}
