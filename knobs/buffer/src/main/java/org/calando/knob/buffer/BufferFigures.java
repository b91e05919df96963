package org.calando.knob.buffer;

import org.calando.report.RunRow;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;

/** What a run with a write buffer came to, for a million operations or a joule. */
final class BufferFigures {
  private static final double MILLION = 1e6;

  private BufferFigures() {}

  /** Operations a second. */
  static double throughput(RunRow row) {
    return row.number(LoadColumns.THROUGHPUT_OPS_S);
  }

  /** CPU seconds of the nodes for a million operations that succeeded. */
  static double cpuSeconds(RunRow row) {
    double errors = row.number(LoadColumns.ERRORS);
    double done = row.number(LoadColumns.OPERATIONS) - (Double.isNaN(errors) ? 0 : errors);
    return done > 0 ? row.number(EnergyColumns.CPU_S) / done * MILLION : Double.NaN;
  }

  /** Gross joules for a million operations that succeeded. */
  static double joules(RunRow row) {
    return row.joulesPerKop() * 1000;
  }
}
