package org.calando.load.internal;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.calando.load.Measure;

/** Writes interval histograms in HdrHistogram's log format; maxima in milliseconds. */
public final class HistogramLog {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** As {@link java.util.Date#toString} in UTC. */
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final PrintStream out;
  private final HistogramLogWriter writer;

  /** Writes the header. */
  public HistogramLog(PrintStream out, long epochMillis) {
    this.out = out;
    writer = new HistogramLogWriter(out);
    writer.outputLogFormatVersion();
    // As outputStartTime has it, but in UTC: a simulated run has the same bytes everywhere.
    writer.outputComment(
        String.format(
            Locale.ROOT,
            "[StartTime: %.3f (seconds since epoch), %s]",
            epochMillis / MILLIS_PER_SECOND,
            START.format(Instant.ofEpochMilli(epochMillis))));
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
