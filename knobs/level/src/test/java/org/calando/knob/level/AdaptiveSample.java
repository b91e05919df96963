package org.calando.knob.level;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.calando.report.Figures;
import org.calando.report.SampleStudy;
import org.calando.report.page.ReportWriter;

/**
 * Invents a study of policies: static levels and adaptive ones with the same writes, decisions of
 * each second, and a link that becomes slow. No figure in it is true.
 *
 * <p>Run its main method with a folder to look at a page.
 */
public final class AdaptiveSample {
  static final List<String> COLUMNS =
      List.of(
          "policy",
          "tolerated",
          "mean_replicas",
          "one_share",
          "decisions",
          "monitor_requests",
          "monitor_cpu_s",
          "harmony_one",
          "exact_one",
          "pbs_one",
          "harmony_rate",
          "exact_rate",
          "pbs_rate",
          "canary_reads",
          "canary_stale");

  public static final int WARM_UP = 4;
  public static final int MEASURED = 60;

  /** The link becomes slow at 20 s and is mended at 40 s. */
  static final int SLOW = 20;

  static final int MENDED = 40;

  private static final List<String> POLICIES = List.of("harmony", "harmony-exact", "pbs");

  private final SampleStudy study = new SampleStudy(7);
  private final Random random = new Random(11);

  /** Static levels and policies at two rates and two numbers of threads. */
  public static AdaptiveSample of(int repeats) {
    return of(repeats, List.of("100/s", "800/s", "4", "20"));
  }

  public static AdaptiveSample of(int repeats, List<String> loads) {
    AdaptiveSample sample = new AdaptiveSample();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      for (String load : loads) {
        for (String level : List.of("ONE", "QUORUM", "ALL")) {
          sample.level(level, load, repeat);
        }
        for (String policy : POLICIES) {
          sample.policy(policy, load, repeat);
        }
      }
    }
    return sample;
  }

  SampleStudy study() {
    return study;
  }

  /** The folder's files. */
  public Path write(Path folder) {
    study.write(folder);
    try {
      for (Map<String, String> row : study.rows()) {
        Path run = folder.resolve("runs").resolve(row.getOrDefault("run", ""));
        Files.writeString(run.resolve("ops.csv"), operations(row));
        if (!row.getOrDefault("policy", "").isEmpty()) {
          Files.writeString(run.resolve("decisions.csv"), decisions(row));
        }
        if (steps(row)) {
          Files.writeString(
              run.resolve("events.csv"),
              "second,event\n20.0,link delay 5ms -> 50ms\n40.0,link delay 50ms -> 5ms\n");
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> run(String level, String load, int repeat) {
    boolean open = load.endsWith("/s");
    Map<String, String> row = study.run(level, open ? "" : load, open ? load : "", repeat);
    COLUMNS.forEach(column -> row.put(column, ""));
    row.put("write_level", "ONE");
    return row;
  }

  private void level(String level, String load, int repeat) {
    Map<String, String> row = run(level, load, repeat);
    int asked = List.of("ONE", "QUORUM", "ALL").indexOf(level) + 1;
    row.put("consistency", asked == 1 ? "ONE" : level + "/ONE");
    row.put("mean_replicas", Integer.toString(asked));
    stale(row, ofOne(load) * (3 - asked) / 2 * noise());
    predicted(row, load, asked);
  }

  private void policy(String policy, String load, int repeat) {
    Map<String, String> row = run("QUORUM", load, repeat);
    row.put("consistency", policy + "(5%)/ONE");
    row.put("run", row.getOrDefault("run", "").replace("QUORUM", policy));
    row.put("read_level", policy + "(5%)");
    row.put("policy", policy);
    row.put("tolerated", "0.05");
    double one = ofOne(load);
    double wanted = one <= 0.05 ? 1 : 1 + 2 * (one - 0.04) / one;
    double asked = policy.equals("harmony") ? 2.98 : wanted + 0.02 * random.nextGaussian();
    if (policy.equals("harmony") && load.equals("20")) {
      asked = 3;
    }
    put(row, "mean_replicas", asked);
    put(row, "one_share", asked > 2.99 ? 0 : asked > 1.5 ? 0.1 : 0.97);
    stale(row, one * (3 - asked) / 2 * noise());
    predicted(row, load, asked);
    put(row, "decisions", MEASURED);
    put(row, "monitor_requests", 12 * MEASURED);
    put(row, "monitor_cpu_s", 0.4 + 0.05 * random.nextDouble());
    put(row, "canary_reads", 8 * MEASURED);
    put(row, "canary_stale", Math.rint(8 * MEASURED * one));
  }

  private void predicted(Map<String, String> row, String load, double asked) {
    double one = ofOne(load);
    double left = (3 - asked) / 2;
    put(row, "harmony_one", Math.min(1, 6 * one));
    put(row, "exact_one", one * 0.9);
    put(row, "pbs_one", one * 1.06);
    put(row, "harmony_rate", Math.min(1, 6 * one) * left);
    put(row, "exact_rate", one * 0.9 * left);
    put(row, "pbs_rate", one * 1.06 * left);
  }

  private static double ofOne(String load) {
    return switch (load) {
      case "100/s" -> 0.02;
      case "800/s" -> 0.14;
      case "4" -> 0.06;
      default -> 0.2;
    };
  }

  private static boolean steps(Map<String, String> row) {
    return row.getOrDefault("rate", "").equals("800/s");
  }

  private static void stale(Map<String, String> row, double rate) {
    double reads = Double.parseDouble(row.getOrDefault("reads", "0"));
    put(row, "stale_reads", Math.rint(reads * Math.max(0, rate)));
    put(row, "stale_rate", Math.rint(reads * Math.max(0, rate)) / reads);
  }

  private double noise() {
    return 1 + 0.04 * random.nextGaussian();
  }

  private static void put(Map<String, String> row, String column, double value) {
    row.put(column, Figures.exact(value));
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.getOrDefault(column, "0"));
  }

  /** Reads of each second; more are stale while the link is slow and the policy has not seen it. */
  private String operations(Map<String, String> row) {
    StringBuilder csv = new StringBuilder("second,phase,operations,reads,writes,stale_reads\n");
    double rate = number(row, "stale_rate");
    for (int at = -WARM_UP; at < MEASURED; at++) {
      int reads = 300 + random.nextInt(60);
      boolean late = steps(row) && at >= SLOW && at < SLOW + 4;
      double share = Math.max(0, rate * (1 + 0.25 * random.nextGaussian()) + (late ? 0.12 : 0));
      csv.append(at < 0 ? at + WARM_UP + ",warmup," : at + ",measured,");
      csv.append(reads + 250).append(',').append(reads).append(",250,");
      csv.append(Math.round(reads * share)).append('\n');
    }
    return csv.toString();
  }

  private String decisions(Map<String, String> row) {
    StringBuilder csv =
        new StringBuilder(
            "second,phase,choice_replicas,share_above,mean_replicas,level,level_above,changed,"
                + "reads_per_s,writes_per_s,write_bytes,propagation_ms,live_replicas,harmony_one,"
                + "exact_one,pbs_one,harmony,exact,pbs,tolerated,factor,truth_reads,truth_stale,"
                + "truth_predicted,reasons,state_before,observation\n");
    for (int at = 1 - WARM_UP; at < MEASURED; at++) {
      boolean slow = steps(row) && at >= SLOW + 4 && at < MENDED + 3;
      double asked = Math.min(3, number(row, "mean_replicas") + (slow ? 0.6 : 0));
      double one = number(row, "exact_one") * (slow ? 2.2 : 1) * noise();
      double left = (3 - asked) / 2;
      csv.append(
          String.format(
              Locale.ROOT,
              "%.2f,%s,%d,%.3f,%.3f,ONE,TWO,%d,%.1f,%.1f,1000,%.2f,3,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,"
                  + "0.05,1,8,%d,0.3,\"the link, as it is\",s,o%n",
              at + 0.1,
              at < 0 ? "warmup" : "measured",
              (int) asked,
              asked - (int) asked,
              asked,
              slow ? 1 : 0,
              330 * noise(),
              250 * noise(),
              (slow ? 52 : 6) * noise(),
              Math.min(1, one * 6),
              one,
              one * 1.1,
              Math.min(1, one * 6) * left,
              one * left,
              one * 1.1 * left,
              random.nextInt(4) == 0 ? 1 : 0));
    }
    return csv.toString();
  }

  public static void main(String[] arguments) {
    Path folder = of(3).write(Path.of(arguments[0]));
    System.out.println(ReportWriter.write(folder));
  }
}
