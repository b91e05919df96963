package org.calando.study.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.calando.load.LoadResult;
import org.calando.load.Measure;
import org.calando.load.file.FileLoadResult;
import org.calando.load.file.FileMeasure;
import org.jspecify.annotations.Nullable;

/** A load on files in the words of runs: a piece read is a read, a piece written an insert. */
public final class FileResults {
  private static final double NANOS_PER_MILLI = 1e6;

  private FileResults() {}

  /** The figures; errors include those of the warm-up, and what had no answer in the end. */
  public static LoadResult of(FileLoadResult result) {
    Map<Measure, Histogram> histograms = new EnumMap<>(Measure.class);
    put(histograms, Measure.READ, result.latencies().get(FileMeasure.READ));
    put(histograms, Measure.INSERT, result.latencies().get(FileMeasure.WRITE));
    long errors = result.allErrors() + result.unanswered();
    long succeeded = result.count(FileMeasure.READ) + result.count(FileMeasure.WRITE);
    return new LoadResult(
        result.reason(),
        result.message(),
        0,
        succeeded + errors,
        errors,
        result.unanswered(),
        0,
        Map.of(),
        result.measuredFromNanos(),
        result.measuredToNanos(),
        result.backlog(),
        histograms);
  }

  private static void put(
      Map<Measure, Histogram> histograms, Measure measure, @Nullable Histogram histogram) {
    if (histogram != null && histogram.getTotalCount() > 0) {
      histograms.put(measure, histogram);
    }
  }

  /**
   * Why the figures are not to be trusted; empty if they are.
   *
   * @param maxErrors share of the operations that may fail
   */
  public static Optional<String> failure(FileLoadResult result, double maxErrors) {
    if (!result.reason().isComplete()) {
      return Optional.of(
          result.message()
              + (result.firstError().isEmpty() ? "" : "; first: " + result.firstError()));
    }
    if (result.corrupt() > 0) {
      return Optional.of(result.corrupt() + " reads gave other bytes than were written");
    }
    return LoadFindings.errors(of(result), maxErrors, "first: " + result.firstError());
  }

  /** What a reader should know. */
  public static List<String> notes(FileLoadResult result) {
    List<String> notes = new ArrayList<>();
    if (result.allErrors() > 0) {
      notes.add("errors: " + result.errors() + "; first: " + result.firstError());
    }
    notes.addAll(LoadFindings.backlog(result.backlog()));
    return notes;
  }

  /** Writes a run's latencies as one interval, in HdrHistogram's log format. */
  public static void log(LoadResult result, PrintStream out) {
    HistogramLogWriter writer = new HistogramLogWriter(out);
    writer.outputLogFormatVersion();
    writer.outputStartTime(System.currentTimeMillis());
    writer.setBaseTime(0);
    writer.outputLegend();
    result
        .histograms()
        .forEach(
            (measure, histogram) -> {
              Histogram tagged = histogram.copy();
              tagged.setTag(measure.label());
              writer.outputIntervalHistogram(0, result.measuredSeconds(), tagged, NANOS_PER_MILLI);
            });
    out.flush();
  }
}
