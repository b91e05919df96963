package org.calando.study;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;

/**
 * Follows a run in real time: reports to the user how far it is, and what it costs this process.
 * Called by one thread at a time; its figures may be read when the run has ended.
 */
final class RunWatch implements RunPart {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final RunTask task;
  private final String goal;
  private long operations;
  private volatile long begunNanos;
  private volatile double warmUpSeconds;
  private volatile long cpuAtStartNanos;
  private volatile long cpuAtEndNanos;

  RunWatch(RunTask task) {
    this.task = task;
    long all = task.run().operations();
    this.goal = all > 0 ? " of %,d".formatted(all) : "";
  }

  @Override
  public void loadBegins(long nanos) {
    begunNanos = nanos;
  }

  @Override
  public void interval(Interval interval) {
    if (interval.phase() == Phase.MEASURED) {
      operations += interval.operations();
      task.status("%,d operations".formatted(operations) + goal);
    } else {
      task.status("warming up");
    }
  }

  @Override
  public void measurementBegan(long nanos) {
    warmUpSeconds = Math.max(0, nanos - begunNanos) / 1e9;
    cpuAtStartNanos = PROCESS.getProcessCpuTime();
  }

  @Override
  public void measurementEnded(long nanos) {
    cpuAtEndNanos = PROCESS.getProcessCpuTime();
  }

  @Override
  public void record(RunRecord found) {
    found
        .give(RunColumns.WARM_UP_S, warmUpSeconds)
        .give(EnergyColumns.CLIENT_CPU_S, Math.max(0, cpuAtEndNanos - cpuAtStartNanos) / 1e9);
  }
}
