package org.calando.study;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.Phase;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Follows a run: marks the meter at the measured window's edges, writes the rows of {@code
 * ops.csv}, tells the user how far it is. Called by one thread at a time; its figure may be read
 * when the run has ended.
 */
final class RunWatch implements IntervalListener {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final RunFiles files;
  private final RunMeter meter;
  private final Progress progress;
  private final String heading;
  private final String goal;
  private final List<RunEdges> others = new ArrayList<>();
  private @Nullable RunClocks clocks;
  private @Nullable WarmUpWatch warmUp;
  private Runnable steady = () -> {};
  private long operations;
  private long begunNanos = Long.MAX_VALUE;
  private volatile double warmUpSeconds;
  private volatile long cpuAtStartNanos;
  private volatile long cpuAtEndNanos;

  RunWatch(RunConfig run, RunFiles files, RunMeter meter, Progress progress, String heading) {
    this.files = files;
    this.meter = meter;
    this.progress = progress;
    this.heading = heading;
    this.goal = run.operations() > 0 ? " of %,d".formatted(run.operations()) : "";
  }

  /** Tells somebody else of the measured window's edges, too; before the run starts. */
  void tell(RunEdges other) {
    others.add(other);
  }

  /** Tells clocks of the edges and of every second; before the run starts. */
  void tell(RunClocks managed) {
    others.add(managed);
    clocks = managed;
  }

  /** Ends the warm-up when throughput is steady; before the run starts. */
  void endWarmUp(WarmUpWatch watch, Runnable then) {
    warmUp = watch;
    steady = then;
  }

  @Override
  public void interval(Interval interval) {
    files.interval(interval);
    begunNanos = Math.min(begunNanos, interval.startNanos());
    if (clocks != null) {
      clocks.interval(interval);
    }
    if (interval.phase() == Phase.MEASURED) {
      operations += interval.operations();
      progress.status(heading + "%,d operations".formatted(operations) + goal);
    } else {
      progress.status(heading + "warming up");
    }
    if (warmUp != null && warmUp.ends(interval)) {
      steady.run();
      warmUp.note().ifPresent(note -> progress.line(heading + note));
    }
  }

  @Override
  public void measurementBegan(long nanos) {
    meter.measurementBegan();
    warmUpSeconds = (nanos - Math.min(begunNanos, nanos)) / 1e9;
    cpuAtStartNanos = PROCESS.getProcessCpuTime();
    others.forEach(other -> other.measurementBegan(nanos));
  }

  @Override
  public void measurementEnded(long nanos) {
    others.forEach(other -> other.measurementEnded(nanos));
    cpuAtEndNanos = PROCESS.getProcessCpuTime();
    meter.measurementEnded();
  }

  /** Adds what is known to a run's record. */
  void record(RunRecord found) {
    found
        .give(RunColumns.WARM_UP_S, warmUpSeconds)
        .give(EnergyColumns.CLIENT_CPU_S, Math.max(0, cpuAtEndNanos - cpuAtStartNanos) / 1e9);
  }
}
