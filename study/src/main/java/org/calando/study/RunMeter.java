package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.calando.power.Baseline;
import org.calando.power.Meter;
import org.calando.power.MeterException;
import org.calando.power.MeterInfo;
import org.calando.power.MeteredNode;
import org.calando.power.Meters;
import org.calando.power.NodeProcess;
import org.calando.power.PhaseEnergy;
import org.calando.power.ProcessCpu;
import org.calando.power.ProcessUsage;
import org.calando.power.SampleListener;
import org.calando.power.Sampler;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;
import org.jspecify.annotations.Nullable;

/**
 * The meter of one run with the agent that samples it: idle baseline, warm-up, measured window and
 * drain are its phases.
 *
 * <p>Where the nodes' processes cannot be seen there is no meter, and every figure stays empty. Not
 * thread safe, except that the window's edges may be told from another thread.
 */
final class RunMeter implements AutoCloseable {
  private final @Nullable Meter meter;
  private final @Nullable Sampler sampler;
  private final List<String> notes = new ArrayList<>();
  private volatile @Nullable PhaseEnergy measured;

  private RunMeter(@Nullable Meter meter, @Nullable Sampler sampler) {
    this.meter = meter;
    this.sampler = sampler;
  }

  /**
   * Opens the meter for the nodes as they are now, and starts sampling.
   *
   * @param wanted {@code auto} or a meter's name
   * @param listener told each second's row of each node
   * @throws FailedWorkException if a node cannot be read
   */
  static RunMeter open(String wanted, List<Target.Node> nodes, SampleListener listener) {
    if (!available(nodes)) {
      RunMeter none = new RunMeter(null, null);
      none.notes.add(obstacle(nodes));
      return none;
    }
    ProcessCpu processes = ProcessCpu.ofThisMachine();
    try {
      List<MeteredNode> metered = new ArrayList<>();
      List<NodeProcess> running = new ArrayList<>();
      for (Target.Node node : nodes) {
        metered.add(new MeteredNode(node.name(), node.profile()));
        running.add(processes.identify(node.pid().orElseThrow()));
      }
      UsageSource usage = new ProcessUsage(processes, metered, running);
      Meters.Choice choice = Meters.choose(wanted, metered, "power.meter");
      Meter meter = choice.factory().open(metered, usage, Ticker.system());
      Sampler sampler =
          new Sampler(
              meter, usage, metered, listener, Ticker.system(), Sampler.DEFAULT_INTERVAL_NANOS);
      sampler.start("idle");
      return new RunMeter(meter, sampler);
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
  }

  /** Whether there is a meter for these nodes: one needs to see the processes of all. */
  static boolean available(List<Target.Node> nodes) {
    return nodes.stream().allMatch(node -> node.pid().isPresent());
  }

  private static String obstacle(List<Target.Node> nodes) {
    String unseen =
        nodes.stream()
            .filter(node -> node.pid().isEmpty())
            .map(Target.Node::name)
            .collect(Collectors.joining(", "));
    return "no energy: the inventory names no process (pid) on this machine for " + unseen;
  }

  /**
   * Observes the idle nodes for a time; what they draw then is what net energy is counted above.
   */
  void baseline(long nanos, StopSignal stop) throws InterruptedException {
    if (sampler == null) {
      return;
    }
    if (nanos > 0) {
      long end = System.nanoTime() + nanos;
      while (System.nanoTime() < end) {
        stop.check();
        Ticker.system().awaitUntil(Math.min(end, System.nanoTime() + 100_000_000L));
      }
      sampler.baseline(Baseline.of(sampler.mark("warmup")));
    } else {
      sampler.mark("warmup");
    }
  }

  void measurementBegan() {
    if (sampler != null) {
      sampler.mark("measured");
    }
  }

  void measurementEnded() {
    if (sampler != null) {
      measured = sampler.mark("drain");
    }
  }

  /** Stops sampling. */
  void end() {
    if (sampler != null) {
      sampler.stop();
      PhaseEnergy phase = measured;
      if (phase != null) {
        notes.addAll(phase.problems());
      }
    }
    if (meter != null) {
      notes.addAll(meter.notes());
    }
  }

  Optional<PhaseEnergy> measured() {
    return Optional.ofNullable(measured);
  }

  Optional<MeterInfo> info() {
    return Optional.ofNullable(meter).map(Meter::info);
  }

  List<String> notes() {
    return notes;
  }

  @Override
  public void close() {
    if (sampler != null) {
      sampler.close();
    }
    if (meter != null) {
      meter.close();
    }
  }
}
