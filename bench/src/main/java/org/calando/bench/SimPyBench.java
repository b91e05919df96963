package org.calando.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The simulator beside SimPy: a queue M/M/4 at a load of 0.8, and operations that wait for 3 of 5
 * replicas, each a queue M/M/1 at 0.6. CPU time an operation of the whole process, by turns, and
 * the ratio of each block. Fails if the two do not give the same mean within both intervals, or the
 * queue's mean is not theory's.
 *
 * <p>{@code SimPyBench PYTHON SCRIPT [BLOCKS [OPERATIONS]]}: default 5 blocks of 60,000 operations,
 * of which Calando does 50 times as many to be long enough for the CPU clock.
 */
public final class SimPyBench {
  private static final int MORE = 50;
  private static final String[] MODELS = {"mmc", "quorum"};

  private final List<String> python;
  private final int operations;
  private boolean failed;

  private SimPyBench(List<String> python, int operations) {
    this.python = python;
    this.operations = operations;
  }

  /** What one leg found; means and half widths in mean service times. */
  private record Leg(double nanosOfOperation, double mean, double halfWidth) {
    boolean agreesWith(double value, double otherHalf) {
      return Math.abs(mean - value) <= Math.hypot(halfWidth, otherHalf);
    }
  }

  /** Measures and prints; exit code 1 if results differ. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int blocks = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
    int operations = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 60_000;
    SimPyBench bench = new SimPyBench(List.of(arguments[0], arguments[1]), operations);
    for (String model : MODELS) {
      bench.compare(model, blocks);
    }
    System.exit(bench.failed ? 1 : 0);
  }

  private void compare(String model, int blocks) throws IOException, InterruptedException {
    calando(model, -1);
    double[] ratios = new double[blocks];
    double[] ours = new double[blocks];
    double[] theirs = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      boolean first = block % 2 == 0;
      Leg simpy = first ? simpy(model, block) : null;
      Leg calando = calando(model, block);
      Leg other = simpy == null ? simpy(model, block) : simpy;
      check(model, calando, other);
      ours[block] = calando.nanosOfOperation();
      theirs[block] = other.nanosOfOperation();
      ratios[block] = theirs[block] / ours[block];
    }
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "%s: SimPy %.0f, Calando %.0f CPU ns an operation (medians); ratio %.1f [%.1f, %.1f]%n",
        model,
        median(theirs),
        median(ours),
        ratios[blocks / 2],
        ratios[0],
        ratios[blocks - 1]);
  }

  private void check(String model, Leg calando, Leg simpy) {
    boolean same = calando.agreesWith(simpy.mean(), simpy.halfWidth());
    boolean right =
        !model.equals("mmc")
            || (calando.agreesWith(SimPyModels.waitOfTheory(), 0)
                && simpy.agreesWith(SimPyModels.waitOfTheory(), 0));
    System.out.printf(
        Locale.ROOT,
        "%s mean: SimPy %.4f +- %.4f, Calando %.4f +- %.4f service times: %s%n",
        model,
        simpy.mean(),
        simpy.halfWidth(),
        calando.mean(),
        calando.halfWidth(),
        same && right ? "the same" : "NOT THE SAME");
    failed |= !(same && right);
  }

  private Leg calando(String model, int block) {
    SimPyModels models = new SimPyModels(operations * MORE, block);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long begin = system.getProcessCpuTime();
    long done = model.equals("mmc") ? models.queue() : models.quorum();
    double spent = system.getProcessCpuTime() - begin;
    return new Leg(spent / done, models.mean(), models.halfWidth());
  }

  private Leg simpy(String model, int block) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                python.get(0),
                python.get(1),
                model,
                Integer.toString(operations),
                Integer.toString(block))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      if (process.waitFor() != 0 || line == null) {
        throw new IOException("the SimPy model failed");
      }
      String[] figures = line.split(" ", -1);
      return new Leg(
          Double.parseDouble(figures[0]),
          Double.parseDouble(figures[1]),
          Double.parseDouble(figures[2]));
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
