package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.energy.NodeEnergy;
import org.calando.engine.NodePresence;
import org.calando.knob.RunPart;
import org.calando.metering.NodeUse;
import org.calando.power.Baseline;
import org.calando.power.Meter;
import org.calando.power.MeterInfo;
import org.calando.power.NoMeter;
import org.calando.power.PhaseEnergy;
import org.calando.power.Sampler;
import org.calando.power.Ticker;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * The meter of one run with the agent that samples it: idle baseline, warm-up, measured window and
 * drain are its phases.
 *
 * <p>Where nothing tells the nodes' energy, its figures stay empty. Not thread safe, except that
 * the window's edges, and nodes that end and come back by order, may be told from other threads.
 */
public final class RunMeter implements RunPart, NodePresence {
  private static final String IDLE = "idle";
  private static final String MEASURED = "measured";

  /** Renewals of an instrument's figures in a phase, below which they are its neighbours' too. */
  private static final double LEAST_RENEWALS = 3;

  private final @Nullable Meter meter;
  private final @Nullable Sampler sampler;
  private final NodePresence presence;
  private final List<AutoCloseable> owned;
  private final List<String> notes = new ArrayList<>();
  private boolean withBaseline;
  private @Nullable PhaseEnergy measured;

  private RunMeter(
      @Nullable Meter meter,
      @Nullable Sampler sampler,
      NodePresence presence,
      List<AutoCloseable> owned) {
    this.meter = meter;
    this.sampler = sampler;
    this.presence = presence;
    this.owned = owned;
  }

  /** A run of which nothing is sampled, with the reason. */
  static RunMeter none(String why) {
    RunMeter none = new RunMeter(null, null, NodePresence.IGNORED, List.of());
    none.notes.add(why);
    return none;
  }

  /**
   * Starts sampling.
   *
   * @param presence must know of nodes that end and come back
   * @param owned what is closed with the run, opened in this order
   */
  static RunMeter start(
      Meter meter, Sampler sampler, NodePresence presence, List<AutoCloseable> owned)
      throws InterruptedException {
    boolean started = false;
    try {
      sampler.start(IDLE);
      started = true;
      return new RunMeter(meter, sampler, presence, owned);
    } finally {
      if (!started) {
        sampler.close();
      }
    }
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

  @Override
  public void mayEnd(String node) {
    presence.mayEnd(node);
  }

  @Override
  public void mayGoOff(String node) {
    presence.mayGoOff(node);
  }

  @Override
  public void isOn(String node) {
    presence.isOn(node);
  }

  @Override
  public void cameBack(String node, long pid) {
    presence.cameBack(node, pid);
  }

  @Override
  public void cameBack(String node, long pid, List<Long> companions) {
    presence.cameBack(node, pid, companions);
  }

  @Override
  public void measurementBegan(long nanos) {
    if (sampler != null) {
      sampler.mark(MEASURED);
    }
  }

  @Override
  public void measurementEnded(long nanos) {
    if (sampler != null) {
      sampler.mark("drain");
    }
  }

  /** Stops sampling, once readings reach the end of the measured window. */
  @Override
  public void end() throws InterruptedException {
    if (sampler != null && meter != null) {
      List<PhaseEnergy> phases = sampler.stop();
      long renewalNanos = meter.info().renewalNanos();
      Optional<Baseline> baseline =
          phase(phases, IDLE)
              .filter(idle -> withBaseline && nanos(idle) >= LEAST_RENEWALS * renewalNanos)
              .map(Baseline::of);
      PhaseEnergy window = phase(phases, MEASURED).orElse(null);
      if (window != null) {
        PhaseEnergy net = baseline.map(window::above).orElse(window);
        measured = net;
        notes.addAll(net.problems());
        if (info().isPresent()) {
          unusable(net, renewalNanos).ifPresent(notes::add);
        }
      }
    }
    if (meter != null) {
      notes.addAll(meter.notes());
    }
  }

  private static long nanos(PhaseEnergy phase) {
    return phase.endNanos() - phase.startNanos();
  }

  /** Why the joules of a phase are not to be told; empty if they are. */
  static Optional<String> unusable(PhaseEnergy phase, long renewalNanos) {
    if (nanos(phase) < LEAST_RENEWALS * renewalNanos) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "no joules: the window of %.1f s is too short for a meter that renews its figures"
                  + " every %.1f s; make it %.0f times as long",
              nanos(phase) / 1e9,
              renewalNanos / 1e9,
              LEAST_RENEWALS));
    }
    if (phase.energy().coverage() < 1) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "no joules: readings cover %.0f %% of the window",
              100 * phase.energy().coverage()));
    }
    return phase.energy().nodes().stream()
        .filter(node -> node.grossJoules() <= 0 && !isOff(node))
        .findFirst()
        .map(
            node ->
                "no joules: those of node "
                    + node.node()
                    + " did not move in the window; its counter is too coarse or stands still");
  }

  /** A node that was off throughout, of a profile that draws nothing then: it worked nothing. */
  private static boolean isOff(NodeEnergy node) {
    return node.grossJoules() == 0 && node.cpuSeconds() == 0;
  }

  private static Optional<PhaseEnergy> phase(List<PhaseEnergy> phases, String name) {
    return phases.stream().filter(phase -> phase.phase().equals(name)).findFirst();
  }

  @Override
  public void record(RunRecord found) {
    found.note(notes);
    Optional.ofNullable(measured).ifPresent(found::add);
    info().ifPresent(found::add);
  }

  private Optional<MeterInfo> info() {
    return Optional.ofNullable(meter)
        .map(Meter::info)
        .filter(info -> !info.id().equals(NoMeter.ID));
  }

  @Override
  public void close() {
    if (sampler != null) {
      sampler.close();
    }
    NodeUse.closeAll(owned);
  }
}
