package org.calando.report;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * The latency histograms of a configuration's repeats, merged. Percentiles are read from the merged
 * histogram and never averaged. Immutable.
 *
 * @param byMeasure a histogram of nanoseconds for each measure, such as {@code read}
 * @param runs how many repeats' logs are in it
 * @param problems logs that could not be read, in words
 */
public record Latencies(Map<String, Histogram> byMeasure, int runs, List<String> problems) {
  private static final long MOST_LOG_BYTES = 64L << 20;

  /** Merges the logs of the configuration's runs that succeeded. */
  public static Latencies of(ResultsFolder study, Configuration configuration) {
    Map<String, Histogram> all = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    int runs = 0;
    for (RunRow run : configuration.ok()) {
      Optional<Path> log = study.runFile(run.id(), "latency.hlog", MOST_LOG_BYTES);
      if (log.isEmpty()) {
        continue;
      }
      Map<String, Histogram> own = new LinkedHashMap<>();
      try {
        read(log.get(), own);
        own.forEach((measure, h) -> merge(all, measure, h));
        runs += own.isEmpty() ? 0 : 1;
      } catch (FileNotFoundException | RuntimeException e) {
        // The reader throws whatever parsing stumbles over; a run is in whole or not at all.
        problems.add("runs/" + run.id() + "/latency.hlog cannot be read");
      }
    }
    return new Latencies(all, runs, problems);
  }

  private static void read(Path log, Map<String, Histogram> into) throws FileNotFoundException {
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram interval = reader.nextIntervalHistogram();
        if (interval instanceof Histogram histogram) {
          String tag = histogram.getTag();
          merge(into, tag == null ? "all" : tag, histogram);
        }
      }
    }
  }

  private static void merge(Map<String, Histogram> into, String measure, Histogram histogram) {
    Histogram sum = into.computeIfAbsent(measure, m -> new Histogram(3));
    sum.setAutoResize(true);
    sum.add(histogram);
  }
}
