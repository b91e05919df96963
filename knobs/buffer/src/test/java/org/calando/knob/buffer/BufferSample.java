package org.calando.knob.buffer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.calando.report.Figures;
import org.calando.report.PublishedClaim;
import org.calando.report.ResultsTable;
import org.calando.report.SampleStudy;
import org.calando.report.page.ReportWriter;

/**
 * Invents a study of deferred writes: three mixes, loads, and ways to send writes, in an order of
 * its own in each repeat. No figure in it is true.
 *
 * <p>Run its main method with a folder to look at a page: {@code DIR [repeats]}.
 */
public final class BufferSample {
  static final List<String> COLUMNS =
      List.of(
          "freshness_p50_ms",
          "freshness_max_ms",
          "flushes",
          "at_risk_max",
          "lost_writes",
          "ops_per_joule",
          "promised_ms",
          "fresh_share",
          "sla_per_budget");

  static final List<String> MIXES = List.of("gr-write-heavy", "gr-balanced", "gr-read-heavy");
  static final List<String> WAYS =
      List.of("strong", "deferred 12MB", "deferred 12MB 100ms shared", "fresh 500ms");

  private static final double PROMISED_MS = 500;
  private static final double OPERATIONS = 250_000;
  private static final double WATTS = 260;

  private final SampleStudy study = new SampleStudy(17);
  private final Random random = new Random(17);

  /** All mixes under 1, 8 and 32 threads. */
  public static BufferSample of(int repeats) {
    return of(repeats, MIXES, List.of("1", "8", "32"), WAYS);
  }

  public static BufferSample of(
      int repeats, List<String> mixes, List<String> loads, List<String> ways) {
    BufferSample sample = new BufferSample();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      List<String[]> runs = new ArrayList<>();
      for (String mix : mixes) {
        for (String load : loads) {
          ways.forEach(way -> runs.add(new String[] {mix, load, way}));
        }
      }
      Collections.shuffle(runs, sample.random);
      double block = 1 + 0.05 * sample.random.nextGaussian();
      for (String[] run : runs) {
        sample.run(run[0], run[1], run[2], repeat, block);
      }
    }
    return sample;
  }

  private void run(String mix, String threads, String way, int repeat, double block) {
    Map<String, String> row = study.run("ONE", threads, "", repeat);
    COLUMNS.forEach(column -> row.put(column, ""));
    row.put("run", row.get("run") + "-" + mix + "-" + way.replace(' ', '-'));
    row.put("engine", "hbase 2.6.4");
    row.put("workload", mix);
    row.put("write_buffer", way);
    double reads = List.of(0.2, 0.5, 0.8).get(MIXES.indexOf(mix));
    double load = Double.parseDouble(threads);
    boolean strong = way.equals("strong");
    double noise = 1 + 0.03 * random.nextGaussian();
    double throughput =
        1500 * Math.pow(load, 0.4) * (0.7 + reads) * gain(reads, load, way) * block * noise;
    double seconds = OPERATIONS / throughput;
    double joules = WATTS * (1 + 0.01 * random.nextGaussian()) * seconds;
    double fresh = freshness(way, load);
    double share = fresh <= PROMISED_MS ? 0.997 : 0.31;
    put(row, "operations", OPERATIONS);
    put(row, "reads", OPERATIONS * reads);
    put(row, "throughput_ops_s", throughput);
    put(row, "duration_s", seconds);
    put(row, "energy_j", joules);
    put(row, "energy_net_j", joules * 0.12);
    put(row, "joules_per_kop", joules / OPERATIONS * 1000);
    put(row, "cpu_s", OPERATIONS * (strong ? 4e-4 : 1.2e-4) * noise);
    put(row, "freshness_p50_ms", fresh / 3);
    put(row, "freshness_p99_ms", fresh);
    put(row, "freshness_max_ms", fresh * 2.2);
    put(row, "flushes", strong ? 0 : Math.rint(way.contains("100ms") ? 240 : 900 / (load + 8)));
    put(row, "at_risk", strong ? 0 : 4000 * noise);
    put(row, "at_risk_max", strong ? 0 : 9200);
    put(row, "lost_writes", 0);
    put(row, "ops_per_joule", OPERATIONS / joules);
    put(row, "promised_ms", PROMISED_MS);
    put(row, "fresh_share", share);
    put(row, "sla_per_budget", share < 0.99 ? 0 : share * OPERATIONS / joules / 1000);
  }

  /** Writes gain, reads next to nothing, and a lone reader loses. */
  private static double gain(double reads, double load, String way) {
    if (way.equals("strong")) {
      return 1;
    }
    double full = 1 + (1 - reads) * 3 * (1 - 0.4 / load);
    double gain = way.contains("100ms") ? 0.85 * full : way.startsWith("fresh") ? 0.9 * full : full;
    return reads > 0.7 && load == 1 ? 0.8 : gain;
  }

  private double freshness(String way, double load) {
    double noise = 1 + 0.1 * random.nextDouble();
    return switch (way) {
      case "strong" -> 4 * Math.pow(load, 0.5) * noise;
      case "deferred 12MB" -> 5000 * noise;
      case "fresh 500ms" -> 380 * noise;
      default -> 130 * noise;
    };
  }

  private static void put(Map<String, String> row, String column, double value) {
    row.put(column, Figures.exact(value));
  }

  List<Map<String, String>> rows() {
    return study.rows();
  }

  /** What a paper might claim of these runs. */
  public List<PublishedClaim> claims() {
    return List.of(
        new PublishedClaim(
            "energy an operation of reads above that of writes, all loads",
            "Garcia-Recuero 2014, section 3",
            PublishedClaim.Kind.RATIO,
            Double.NaN,
            1.2,
            0.8,
            1.7,
            "not reproduced",
            ""));
  }

  public Path write(Path folder) {
    return study.write(folder);
  }

  public static void main(String[] arguments) throws IOException {
    int repeats = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    BufferSample sample = of(repeats);
    System.out.println(ReportWriter.write(sample.write(Path.of(arguments[0])), sample.claims()));
    System.out.print(ResultsTable.read(Path.of(arguments[0])).render(StandardCharsets.UTF_8));
  }
}
