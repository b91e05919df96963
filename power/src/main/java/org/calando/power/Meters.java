package org.calando.power;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.power.internal.Powercap;

/** The meters there are, and the choice between them. Thread safe. */
public final class Meters {
  /** Takes the first meter that can tell the nodes' energy. */
  public static final String AUTO = "auto";

  private static final List<MeterFactory> FACTORIES = List.of(new ModelFactory());

  private Meters() {}

  /**
   * A meter chosen for a cluster.
   *
   * @param factory opens it
   * @param reasons why it was chosen and others were not, a line each
   */
  public record Choice(MeterFactory factory, List<String> reasons) {
    /** Copies the list. */
    public Choice {
      reasons = List.copyOf(reasons);
    }
  }

  /** Every meter, those preferred by {@link #AUTO} first. */
  public static List<MeterFactory> all() {
    return FACTORIES;
  }

  /**
   * Chooses a meter.
   *
   * @param wanted {@link #AUTO} or a meter's name
   * @param nodes the nodes to be metered
   * @param where the file and path that names the meter, for messages
   * @throws BadRequestException if there is no such meter or it cannot tell these nodes' energy
   */
  public static Choice choose(String wanted, List<MeteredNode> nodes, String where) {
    return choose(wanted, nodes, where, Path.of("/sys/class/powercap"));
  }

  static Choice choose(String wanted, List<MeteredNode> nodes, String where, Path powercap) {
    String names = FACTORIES.stream().map(MeterFactory::id).collect(Collectors.joining(", "));
    List<String> reasons = new ArrayList<>();
    if (wanted.equals(AUTO)) {
      reasons.add("powercap: " + Powercap.obstacle(powercap));
    }
    for (MeterFactory factory : FACTORIES) {
      if (!wanted.equals(AUTO) && !wanted.equals(factory.id())) {
        continue;
      }
      String obstacle = factory.obstacle(nodes);
      if (obstacle.isEmpty()) {
        reasons.add(factory.id() + ": chosen");
        return new Choice(factory, reasons);
      }
      reasons.add(factory.id() + ": " + obstacle);
    }
    if (reasons.isEmpty()) {
      throw new BadRequestException(
          "there is no meter '" + wanted + "'", where, "use " + AUTO + " or one of: " + names);
    }
    throw new BadRequestException(
        "no meter can tell the nodes' energy: " + String.join("; ", reasons),
        where,
        "give every node a valid profile");
  }

  private static final class ModelFactory implements MeterFactory {
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
    public Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker)
        throws MeterException {
      return new ModelMeter(
          usage,
          nodes.stream().map(MeteredNode::profile).toList(),
          ticker::nanos,
          ProcessCpu.ofThisMachine().tickNanos());
    }
  }
}
