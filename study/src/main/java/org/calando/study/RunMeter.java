package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.power.Baseline;
import org.calando.power.Meter;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.power.Sampler;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The meter of one run with the agent that samples it: idle baseline, warm-up, measured window and
 * drain are its phases.
 *
 * <p>Where nothing tells the nodes' energy, its figures stay empty. Not thread safe, except that
 * the window's edges may be told from another thread.
 */
final class RunMeter implements AutoCloseable {
  private static final String IDLE = "idle";
  private static final String MEASURED = "measured";

  private final @Nullable Meter meter;
  private final @Nullable Sampler sampler;
  private final List<AutoCloseable> owned;
  private final List<String> notes = new ArrayList<>();
  private boolean withBaseline;
  private @Nullable PhaseEnergy measured;

  private RunMeter(@Nullable Meter meter, @Nullable Sampler sampler, List<AutoCloseable> owned) {
    this.meter = meter;
    this.sampler = sampler;
    this.owned = owned;
  }

  /** A run of which nothing is sampled, with the reason. */
  static RunMeter none(String why) {
    RunMeter none = new RunMeter(null, null, List.of());
    none.notes.add(why);
    return none;
  }

  /**
   * Starts sampling.
   *
   * @param owned what is closed with the run, opened in this order
   */
  static RunMeter start(Meter meter, Sampler sampler, List<AutoCloseable> owned)
      throws InterruptedException {
    boolean started = false;
    try {
      sampler.start(IDLE);
      started = true;
      return new RunMeter(meter, sampler, owned);
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
    return Optional.ofNullable(meter)
        .map(Meter::info)
        .filter(info -> !info.id().equals(NoMeter.ID));
  }

  List<String> notes() {
    return notes;
  }

  @Override
  public void close() {
    if (sampler != null) {
      sampler.close();
    }
    closeAll(owned);
  }

  /** Closes what was opened, the last first. */
  static void closeAll(List<AutoCloseable> opened) {
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception e) {
        // Connections and threads that are gone already; figures are complete by now.
      }
    }
  }
}
