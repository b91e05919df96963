package org.calando.metering;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.Target;
import org.calando.power.EnergyReading;
import org.calando.power.Meter;
import org.calando.power.MeterException;
import org.calando.power.MeterFactory;
import org.calando.power.MeterInfo;
import org.calando.power.MeteredNode;
import org.calando.power.Meters;
import org.calando.power.Ticker;
import org.calando.power.powercap.PowercapSource;

/** Tries every meter on some nodes and tells what each says of them, or why it cannot. */
public final class MeterTrials {
  /** Long enough for two figures of instruments that renew theirs once a second. */
  private static final long TRIAL_NANOS = 2_200_000_000L;

  private static final long ANSWER_NANOS = 5_000_000_000L;

  private MeterTrials() {}

  /**
   * One meter's trial.
   *
   * @param id the meter's name
   * @param usable whether it gave a reading of every node
   * @param provenance how its figures come about, empty if it is not usable
   * @param scope what they cover, empty if it is not usable
   * @param resolution how fine they are, empty if it is not usable
   * @param reason why it is not usable, empty if it is
   * @param readings what it said of each node
   */
  public record Trial(
      String id,
      boolean usable,
      String provenance,
      String scope,
      String resolution,
      String reason,
      List<Reading> readings) {
    /** Copies the list. */
    public Trial {
      readings = List.copyOf(readings);
    }
  }

  /**
   * What a meter said of a node.
   *
   * @param node the node's name
   * @param instrument what was read, empty for a model
   * @param watts mean power in the trial
   */
  public record Reading(String node, String instrument, double watts) {}

  /**
   * Tries every meter on this machine, whose one node is this very process.
   *
   * @param profile node profile for meters that model
   */
  public static List<Trial> ofThisMachine(NodeProfile profile) throws InterruptedException {
    Target.Node self =
        new Target.Node(
            "this machine",
            "127.0.0.1",
            "",
            profile,
            List.of(new PowercapSource(PowercapSource.SYSTEM)),
            Optional.empty(),
            OptionalLong.of(ProcessHandle.current().pid()),
            Optional.empty());
    return of(List.of(self));
  }

  /** Tries every meter on nodes; takes some seconds for each that works. */
  static List<Trial> of(List<Target.Node> nodes) throws InterruptedException {
    List<MeteredNode> metered =
        nodes.stream()
            .map(node -> new MeteredNode(node.name(), node.profile(), node.sources()))
            .toList();
    List<Trial> trials = new ArrayList<>();
    try (NodeUse use = NodeUse.of(nodes, Set.of(), Optional.empty())) {
      for (MeterFactory factory : Meters.all()) {
        String obstacle = factory.obstacle(metered, use.source());
        trials.add(
            obstacle.isEmpty() ? attempt(factory, metered, use) : failed(factory.id(), obstacle));
      }
    }
    return trials;
  }

  private static Trial attempt(MeterFactory factory, List<MeteredNode> nodes, NodeUse use)
      throws InterruptedException {
    Ticker ticker = Ticker.system();
    try (Meter meter = factory.open(nodes, use.source(), ticker, TRIAL_NANOS)) {
      for (int node = 0; node < nodes.size(); node++) {
        meter.read(node);
      }
      ticker.awaitUntil(ticker.nanos() + Math.max(TRIAL_NANOS, meter.info().renewalNanos()));
      use.source().refresh(ticker.nanos() + ANSWER_NANOS).await();
      meter.refresh(ticker.nanos() + ANSWER_NANOS).await();
      MeterInfo info = meter.info();
      List<Reading> readings = new ArrayList<>();
      for (int node = 0; node < nodes.size(); node++) {
        EnergyReading reading = meter.read(node);
        String instrument = info.instruments().isEmpty() ? "" : info.instruments().get(node);
        readings.add(new Reading(nodes.get(node).name(), instrument, reading.meanWatts()));
      }
      return new Trial(
          info.id(),
          true,
          lower(info.provenance()),
          lower(info.scope()),
          info.resolution(),
          "",
          readings);
    } catch (MeterException e) {
      String remedy = e.remedy().isEmpty() ? "" : "; " + e.remedy();
      return failed(factory.id(), e.where() + ": " + e.what() + remedy);
    }
  }

  private static Trial failed(String id, String reason) {
    return new Trial(id, false, "", "", "", reason, List.of());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
