package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatenciesTest {
  @TempDir Path folder;

  @Test
  void repeatsAreMergedAndNotAveraged() throws IOException {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1);
    study.run("ONE", "4", "", 2);
    study.write(folder);
    log(study.rows().get(0), 990, 1_000_000);
    log(study.rows().get(1), 10, 50_000_000);
    Latencies merged = latencies();
    Histogram read = merged.byMeasure().getOrDefault("read", new Histogram(3));
    assertThat(merged.runs()).isEqualTo(2);
    assertThat(read.getTotalCount()).isEqualTo(1000);
    // The mean of the two runs' p50 would be 25.5 ms.
    assertThat(read.getValueAtPercentile(50)).isBetween(999_000L, 1_001_000L);
    assertThat(read.getValueAtPercentile(99.5)).isGreaterThan(49_000_000L);
  }

  @Test
  void brokenLogIsToldAndCountsInNothing() throws IOException {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1);
    study.write(folder);
    Path log = folder.resolve("runs").resolve(study.rows().get(0).get("run"));
    Files.writeString(log.resolve("latency.hlog"), "Tag=read,0.0,1.0,2.0,HISTbroken\n");
    Latencies merged = latencies();
    assertThat(merged.byMeasure()).isEmpty();
    assertThat(merged.problems()).singleElement().asString().contains("latency.hlog");
  }

  private Latencies latencies() {
    ResultsFolder study = ResultsFolder.read(folder);
    return Latencies.of(study, study.results().measured().get(0));
  }

  private void log(Map<String, String> row, int count, long nanos) throws IOException {
    Path file = folder.resolve("runs").resolve(row.get("run")).resolve("latency.hlog");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      Histogram histogram = new Histogram(3);
      histogram.setTag("read");
      histogram.recordValueWithCount(nanos, count);
      writer.outputIntervalHistogram(0, 1, histogram, 1e6);
    }
  }
}
