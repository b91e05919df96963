package org.calando.power;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * CPU time that processes have used since this was made; those that began later with all that they
 * used. One that ended is left out: what it used last is not known. Not thread safe.
 */
public final class CpuSince {
  private final ProcessCpu reader = ProcessCpu.ofThisMachine();
  private final Supplier<List<Long>> processes;
  private final Map<Long, Double> before;

  /**
   * Begins.
   *
   * @param processes ids of those that run at the time of each question
   */
  public CpuSince(Supplier<List<Long>> processes) {
    this.processes = processes;
    this.before = read();
  }

  /** In seconds, of all of them. */
  public double seconds() {
    double sum = 0;
    for (Map.Entry<Long, Double> now : read().entrySet()) {
      sum += now.getValue() - before.getOrDefault(now.getKey(), 0.0);
    }
    return sum;
  }

  private Map<Long, Double> read() {
    Map<Long, Double> seconds = new HashMap<>();
    for (long process : processes.get()) {
      try {
        seconds.put(process, reader.read(reader.identify(process)).cpuNanos() / 1e9);
      } catch (MeterException e) {
        // It has ended, or ends now.
      }
    }
    return seconds;
  }
}
