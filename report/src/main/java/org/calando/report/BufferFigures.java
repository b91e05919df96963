package org.calando.report;

/** What a run with a write buffer came to, for a million operations or a joule. */
final class BufferFigures {
  private static final double MILLION = 1e6;

  private BufferFigures() {}

  /** Operations a second. */
  static double throughput(RunRow row) {
    return row.number("throughput_ops_s");
  }

  /** CPU seconds of the nodes for a million operations that succeeded. */
  static double cpuSeconds(RunRow row) {
    double errors = row.number("errors");
    double done = row.number("operations") - (Double.isNaN(errors) ? 0 : errors);
    return done > 0 ? row.number("cpu_s") / done * MILLION : Double.NaN;
  }

  /** Gross joules for a million operations that succeeded. */
  static double joules(RunRow row) {
    return row.joulesPerKop() * 1000;
  }
}
