package org.calando.power;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * CPU time that processes have used since this was made; those that began later with all that they
 * used. One that has ended counts with what it had used when it was last looked at. Thread safe.
 */
public final class CpuSince {
  private final ProcessCpu reader;
  private final Supplier<List<Long>> processes;
  private final Map<NodeProcess, Double> before;
  private final Map<NodeProcess, Double> last;

  /**
   * Begins.
   *
   * @param processes ids of those that run at the time of each look
   */
  public CpuSince(Supplier<List<Long>> processes) {
    this(processes, ProcessCpu.ofThisMachine());
  }

  CpuSince(Supplier<List<Long>> processes, ProcessCpu reader) {
    this.processes = processes;
    this.reader = reader;
    this.before = read();
    this.last = new HashMap<>(before);
  }

  /** Looks at them, as before one is ended. */
  public synchronized void look() {
    last.putAll(read());
  }

  /** In seconds, of all of them; NaN if none could ever be read. */
  public synchronized double seconds() {
    look();
    return last.isEmpty()
        ? Double.NaN
        : last.entrySet().stream()
            .mapToDouble(now -> now.getValue() - before.getOrDefault(now.getKey(), 0.0))
            .sum();
  }

  private Map<NodeProcess, Double> read() {
    Map<NodeProcess, Double> seconds = new HashMap<>();
    for (long id : processes.get()) {
      try {
        NodeProcess process = reader.identify(id);
        seconds.put(process, reader.read(process).cpuNanos() / 1e9);
      } catch (MeterException e) {
        // It has ended, or ends now.
      }
    }
    return seconds;
  }
}
