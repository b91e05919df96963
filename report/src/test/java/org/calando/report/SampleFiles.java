package org.calando.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Invents the files of a run's folder: seconds of nodes and operations, and a latency log. */
public final class SampleFiles {
  /** A node's power is not read in these seconds of every run. */
  public static final List<Integer> GAPS = List.of(11, 12, 17);

  public static final int BASELINE = 5;
  public static final int WARM_UP = 4;
  public static final int MEASURED = 20;

  private SampleFiles() {}

  static void write(Path run, Map<String, String> row, Random random) throws IOException {
    Files.writeString(run.resolve("ops.csv"), operations(random));
    if (!row.get("status").equals("ok")) {
      return;
    }
    Files.writeString(run.resolve("nodes.csv"), nodes(row, random));
    latencies(run.resolve("latency.hlog"), row, random);
  }

  public static List<PublishedClaim> claims() {
    return List.of(
        claim("energy, QUORUM against ONE", 1.29, 1.33, 1.21, 1.46, "reproduced"),
        claim("energy, ALL against ONE", 1.74, 1.81, 1.66, 1.97, "reproduced"),
        claim("throughput, QUORUM against ONE", 0.79, 0.74, 0.55, 0.99, "in part"),
        claim("energy, 70 against 20 threads", 0.49, 0.94, 0.85, 1.04, "not reproduced"),
        new PublishedClaim(
            "energy, 1/2 warm against even",
            "Li 2013, section 5, Figure 18",
            PublishedClaim.Kind.RATIO,
            0.82,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            "undecided",
            "the study has no token layout"));
  }

  private static PublishedClaim claim(
      String words, double published, double ours, double low, double high, String verdict) {
    String source = "Li 2013, section 3.4";
    PublishedClaim.Kind kind = PublishedClaim.Kind.RATIO;
    return new PublishedClaim(words, source, kind, published, ours, low, high, verdict, "");
  }

  private static String operations(Random random) {
    StringBuilder csv = new StringBuilder("second,phase,operations\n");
    for (int second = 0; second < WARM_UP + MEASURED; second++) {
      boolean warm = second < WARM_UP;
      csv.append(warm ? second : second - WARM_UP).append(warm ? ",warmup," : ",measured,");
      csv.append(900 + random.nextInt(150)).append('\n');
    }
    return csv.toString();
  }

  private static String nodes(Map<String, String> row, Random random) {
    StringBuilder csv =
        new StringBuilder(
            "second,phase,node,cpu_s,cpu_percent,rss_bytes,power_w,energy_j,gap,memory_bytes,"
                + "disk_read_bytes,disk_write_bytes,net_received_bytes,net_sent_bytes\n");
    double watts = Double.parseDouble(row.get("power_mean_w")) / 3;
    for (int second = 0; second < BASELINE + WARM_UP + MEASURED; second++) {
      for (int node = 1; node <= 3; node++) {
        boolean idle = second < BASELINE;
        boolean gap = node == 2 && GAPS.contains(second - BASELINE - WARM_UP);
        String phase = idle ? "idle" : second < BASELINE + WARM_UP ? "warmup" : "measured";
        double power = idle ? 75 : watts + 2 * node + 4 * random.nextGaussian();
        double cpu = idle ? 1 : 24 + 6 * node + 4 * random.nextGaussian();
        csv.append(
            String.format(
                Locale.ROOT,
                "%d,%s,n%d,%.3f,%.2f,450000000,%s,%s,%d,470000000,0,%d,%d,%d%n",
                second,
                phase,
                node,
                cpu / 25,
                cpu,
                gap ? "" : String.format(Locale.ROOT, "%.2f", power),
                gap ? "" : String.format(Locale.ROOT, "%.2f", power),
                gap ? 1 : 0,
                idle ? 0 : 200_000 + random.nextInt(90_000),
                idle ? 900 : 410_000 + random.nextInt(50_000),
                idle ? 800 : 380_000 + random.nextInt(50_000)));
      }
    }
    return csv.toString();
  }

  private static void latencies(Path file, Map<String, String> row, Random random)
      throws IOException {
    double median = Double.parseDouble(row.get("read_p50_us")) * 1000;
    try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, "UTF-8")) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputLegend();
      for (int second = 0; second < MEASURED; second++) {
        for (String measure : List.of("read", "update")) {
          // Two digits, not the three of real ones: a tenth of the counts, and so of the time.
          Histogram histogram = new Histogram(2);
          histogram.setTag(measure);
          for (int i = 0; i < 500; i++) {
            double factor = Math.exp(0.5 * random.nextGaussian());
            histogram.recordValue((long) (median * factor * (measure.equals("read") ? 1 : 0.8)));
          }
          writer.outputIntervalHistogram(second, second + 1.0, histogram, 1e6);
        }
      }
    }
  }

  /** The text of a file of the sample. */
  static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
