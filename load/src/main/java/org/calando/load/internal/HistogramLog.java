package org.calando.load.internal;

import java.io.PrintStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.calando.load.Measure;

/** Writes interval histograms in HdrHistogram's log format; maxima in milliseconds. */
public final class HistogramLog {
  private static final double NANOS_PER_MILLI = 1e6;

  private final PrintStream out;
  private final HistogramLogWriter writer;

  /** Writes the header. */
  public HistogramLog(PrintStream out, long epochMillis) {
    this.out = out;
    writer = new HistogramLogWriter(out);
    writer.outputLogFormatVersion();
    writer.outputStartTime(epochMillis);
    writer.setBaseTime(0);
    writer.outputLegend();
    out.flush();
  }

  /** Writes the last interval of every measure that occurred; times are from the run's start. */
  public void write(PhaseRecorder phase, long startNanos, long endNanos) {
    for (Measure measure : Measure.values()) {
      Histogram histogram = phase.lastInterval(measure);
      if (histogram.getTotalCount() == 0) {
        continue;
      }
      histogram.setTag(measure.label());
      writer.outputIntervalHistogram(startNanos / 1e9, endNanos / 1e9, histogram, NANOS_PER_MILLI);
    }
    out.flush();
  }
}
