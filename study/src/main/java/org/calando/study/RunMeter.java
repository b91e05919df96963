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
  private static final String IDLE = "idle";
  private static final String MEASURED = "measured";

  private final @Nullable Meter meter;
  private final @Nullable Sampler sampler;
  private final List<String> notes = new ArrayList<>();
  private boolean withBaseline;
  private @Nullable PhaseEnergy measured;

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
  static RunMeter open(String wanted, List<Target.Node> nodes, SampleListener listener)
      throws InterruptedException {
    if (!available(nodes)) {
      RunMeter none = new RunMeter(null, null);
      none.notes.add(obstacle(nodes));
      return none;
    }
    ProcessCpu processes = ProcessCpu.ofThisMachine();
    List<MeteredNode> metered = new ArrayList<>();
    List<NodeProcess> running = new ArrayList<>();
    try {
      for (Target.Node node : nodes) {
        metered.add(new MeteredNode(node.name(), node.profile()));
        running.add(processes.identify(node.pid().orElseThrow()));
      }
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
    UsageSource usage = new ProcessUsage(processes, metered, running);
    long interval = Sampler.DEFAULT_INTERVAL_NANOS;
    Ticker ticker = Ticker.system();
    Meter meter = Meters.open(wanted, metered, usage, ticker, interval, "power.meter").meter();
    Sampler sampler = new Sampler(meter, usage, metered, listener, ticker, interval);
    RunMeter opened = new RunMeter(meter, sampler);
    try {
      sampler.start(IDLE);
      RunMeter started = opened;
      opened = null;
      return started;
    } finally {
      if (opened != null) {
        opened.close();
      }
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
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      stop.check();
      Ticker.system().awaitUntil(Math.min(end, System.nanoTime() + 100_000_000L));
    }
    withBaseline = nanos > 0;
    sampler.mark("warmup");
  }

  void measurementBegan() {
    if (sampler != null) {
      sampler.mark(MEASURED);
    }
  }

  void measurementEnded() {
    if (sampler != null) {
      sampler.mark("drain");
    }
  }

  /** Stops sampling, once readings reach the end of the measured window. */
  void end() throws InterruptedException {
    if (sampler != null) {
      List<PhaseEnergy> phases = sampler.stop();
      Optional<Baseline> baseline =
          phase(phases, IDLE).filter(idle -> withBaseline).map(Baseline::of);
      measured = phase(phases, MEASURED).orElse(null);
      if (measured != null) {
        measured = baseline.map(measured::above).orElse(measured);
        notes.addAll(measured.problems());
      }
    }
    if (meter != null) {
      notes.addAll(meter.notes());
    }
  }

  private static Optional<PhaseEnergy> phase(List<PhaseEnergy> phases, String name) {
    return phases.stream().filter(phase -> phase.phase().equals(name)).findFirst();
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
