package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Scope;
import org.calando.core.observe.NodeTraffic;
import org.calando.engine.Target;
import org.calando.metering.NodeUse;
import org.calando.power.Meter;
import org.calando.power.MeterException;
import org.calando.power.MeterInfo;
import org.calando.power.MeteredNode;
import org.calando.power.Meters;
import org.calando.power.NetworkUsage;
import org.calando.power.NoMeter;
import org.calando.power.SampleListener;
import org.calando.power.Sampler;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;
import org.calando.power.schema.PowerSpec;

/**
 * How a cluster's energy is told, decided once for all runs of a study: a meter that fails in the
 * middle must not be replaced by another, whose figures would stand beside its own. Not thread
 * safe.
 */
public final class ClusterMetering {
  private static final String WHERE = "power.meter";

  private final PowerSpec power;
  private final Target target;
  private final MeterChoice choice;

  private ClusterMetering(PowerSpec power, Target target, MeterChoice choice) {
    this.power = power;
    this.target = target;
    this.choice = choice;
  }

  /**
   * Tries the meters and keeps to the first that works.
   *
   * @param power what the study's file says
   * @param target the cluster
   * @param earlier the meter of runs that are finished already, empty without
   * @throws BadRequestException if the file asks for a meter that it does not describe
   * @throws FailedWorkException if a meter cannot be read, or not the one of the earlier runs
   */
  public static ClusterMetering choose(PowerSpec power, Target target, Optional<String> earlier)
      throws InterruptedException {
    String wanted = earlier.orElse(power.meter());
    try (NodeUse use = NodeUse.of(target.nodes(), target.off(), Optional.empty())) {
      Meters.Choice opened = open(wanted, power, target, use);
      try (Meter meter = opened.meter()) {
        MeterInfo info = meter.info();
        boolean inside = loadGeneratorInside(info, target);
        return new ClusterMetering(
            power, target, new MeterChoice(Optional.of(info), opened.reasons(), inside));
      }
    } catch (BadRequestException e) {
      if (!wanted.equals(Meters.AUTO)) {
        throw e;
      }
      MeterChoice none = new MeterChoice(Optional.empty(), List.of(firstLine(e)), false);
      return new ClusterMetering(power, target, none);
    }
  }

  private static String firstLine(BadRequestException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Meters.Choice open(String wanted, PowerSpec power, Target target, NodeUse use)
      throws InterruptedException {
    return Meters.open(
        wanted,
        metered(target.nodes()),
        use.source(),
        Ticker.system(),
        power.intervalNanos(),
        WHERE);
  }

  private static List<MeteredNode> metered(List<Target.Node> nodes) {
    return nodes.stream()
        .map(node -> new MeteredNode(node.name(), node.profile(), node.sources()))
        .toList();
  }

  /** What the figures are; empty if nothing tells the nodes' energy. */
  public Optional<MeterInfo> info() {
    return choice.info();
  }

  /** The choice, and why not another, in a line. */
  public String words() {
    return choice.words();
  }

  /** The study's meter. */
  MeterChoice choice() {
    return choice;
  }

  /** A machine's instrument tells of all that runs there, and the load comes from this one. */
  private static boolean loadGeneratorInside(MeterInfo info, Target target) {
    boolean here = target.nodes().stream().anyMatch(node -> node.pid().isPresent());
    return here && info.scope() != Scope.NODE;
  }

  /** Runs of one study must be read alike: a controller may offer other figures than before. */
  private void requireSame(Meter meter) {
    MeterInfo now = meter.info();
    MeterInfo chosen = choice.info().orElseThrow();
    if (!now.equals(chosen)) {
      throw new FailedWorkException(
          "the meter reads something else than at the study's begin: "
              + now.resolution()
              + "; it was "
              + chosen.resolution(),
          WHERE,
          "say which figure it is to use (prefer of a PDU, mode or sensors of a controller)");
    }
  }

  /**
   * Opens the meter for a run, and starts sampling.
   *
   * @param listener told each second's row of each node
   * @throws FailedWorkException if a node cannot be read
   */
  RunMeter open(SampleListener listener) throws InterruptedException {
    return open(listener, Sampler::new);
  }

  /**
   * Opens the meter, and tells rows until it is closed, for as long as that takes; no phases.
   *
   * @param listener told each second's row of each node
   * @throws FailedWorkException if a node cannot be read
   */
  public RunMeter watch(SampleListener listener) throws InterruptedException {
    return open(listener, Sampler::ofRows);
  }

  /** Makes a sampler. */
  private interface Sampling {
    Sampler of(
        Meter meter,
        UsageSource usage,
        List<MeteredNode> nodes,
        SampleListener listener,
        Ticker ticker,
        long intervalNanos);
  }

  private RunMeter open(SampleListener listener, Sampling sampling) throws InterruptedException {
    List<Target.Node> nodes = target.nodes();
    if (choice.info().isEmpty() && nodes.stream().noneMatch(ClusterMetering::used)) {
      return RunMeter.none("no energy: " + String.join("; ", choice.reasons()));
    }
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      Optional<NodeTraffic> traffic =
          target.find(NodeTraffic.Source.class).map(NodeTraffic.Source::traffic);
      traffic.ifPresent(opened::add);
      NodeUse use =
          NodeUse.of(
              nodes,
              target.off(),
              traffic.filter(each -> each.nodes() == nodes.size()).map(ClusterMetering::counters));
      opened.add(use);
      Meter meter =
          choice.info().isPresent()
              ? open(choice.info().get().id(), power, target, use).meter()
              : new NoMeter("no energy: " + String.join("; ", choice.reasons()));
      opened.add(meter);
      if (choice.info().isPresent()) {
        requireSame(meter);
      }
      Sampler sampler =
          sampling.of(
              meter,
              use.source(),
              metered(nodes),
              listener,
              Ticker.system(),
              power.intervalNanos());
      RunMeter run = RunMeter.start(meter, sampler, use, List.copyOf(opened));
      opened.clear();
      return run;
    } finally {
      NodeUse.closeAll(opened);
    }
  }

  private static boolean used(Target.Node node) {
    return node.pid().isPresent() || node.metrics().isPresent();
  }

  private static NetworkUsage.Counters counters(NodeTraffic traffic) {
    return node -> {
      try {
        NodeTraffic.Bytes bytes = traffic.read(node);
        return new NetworkUsage.Bytes(bytes.received(), bytes.sent());
      } catch (FailedWorkException e) {
        throw new MeterException("no counters of bytes: " + e.getMessage(), "JMX", "", e);
      }
    };
  }
}
