package org.calando.slowcores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.calando.core.FailedWorkException;

/**
 * How exactly a server is slowed: CPU time of an operation by its main thread, slowed over at full
 * speed, measured in turns. Immutable and thread safe.
 *
 * @param wanted the slowdown asked for
 * @param reached the one measured by the kernel's count of CPU time: the median of the turns
 * @param counted the one of the server's own count
 * @param fastNanos CPU time of an operation at full speed: the median of the turns
 */
public record Calibration(double wanted, double reached, double counted, double fastNanos) {
  /**
   * Measures. The server is at full speed afterwards until the tree changes or is read again.
   *
   * @param pid a server that {@code cores} can slow
   * @param slowdown what to ask for, 1 or more
   * @param turns pairs of measurements, 1 or more
   * @param operations how many a measurement carries out; some milliseconds' worth
   * @param operation carries out one, and returns when it is answered: operations that wait
   *     together are carried out together, for less each, the more so the slower the server is
   */
  public static Calibration of(
      SlowCores cores, long pid, double slowdown, int turns, int operations, Runnable operation) {
    List<Double> ratios = new ArrayList<>();
    List<Double> fasts = new ArrayList<>();
    double counted = 0;
    for (int turn = 0; turn < turns; turn++) {
      cores.force(pid, ThreadKind.MAIN, 1);
      double fast = nanos(pid, operations, operation);
      cores.force(pid, ThreadKind.MAIN, slowdown);
      operation.run();
      SlowCores.Spent before = cores.spent(pid, ThreadKind.MAIN);
      double slow = nanos(pid, operations, operation);
      counted += cores.spent(pid, ThreadKind.MAIN).slowdownSince(before) / turns;
      fasts.add(fast);
      ratios.add(slow / fast);
    }
    cores.force(pid, ThreadKind.MAIN, 1);
    return new Calibration(slowdown, median(ratios), counted, median(fasts));
  }

  /** The slowdown measured over the one asked for, less 1. */
  public double error() {
    return reached / wanted - 1;
  }

  /** The calibration in words, for a test's log. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "slowed %.2f times: reached %.2f (error %+.1f %%), by the server's count %.3f; %.1f us of"
            + " CPU an operation at full speed",
        wanted,
        reached,
        100 * error(),
        counted,
        fastNanos / 1e3);
  }

  private static double nanos(long pid, int operations, Runnable operation) {
    long before = cpuNanos(pid);
    for (int i = 0; i < operations; i++) {
      operation.run();
    }
    return (double) (cpuNanos(pid) - before) / operations;
  }

  /** CPU time of a process's main thread by the kernel's count. */
  private static long cpuNanos(long pid) {
    Path file = Path.of("/proc/" + pid + "/task/" + pid + "/schedstat");
    try {
      return Long.parseLong(Files.readString(file).split(" ", 2)[0]);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the CPU time of a server cannot be read: " + e, file.toString(), "is it running?", e);
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
