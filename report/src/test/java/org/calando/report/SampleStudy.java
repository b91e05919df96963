package org.calando.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.calando.report.page.ReportWriter;

/**
 * Invents the output folder of a study, from a seed, to test what reads one. Its figures look like
 * those of a small cluster and mean nothing.
 *
 * <p>Run its main method with a folder to look at a page: {@code DIR [repeats]}.
 */
public final class SampleStudy {
  static final String COLUMNS =
      "run,engine,workload,threads,rate,consistency,read_level,write_level,layout,gear,clock,"
          + "write_buffer,repeat,operations,errors,duration_s,throughput_ops_s,read_p50_us,"
          + "read_p99_us,write_p50_us,write_p99_us,reads,stale_reads,stale_rate,stale_p99_ms,"
          + "freshness_p99_ms,at_risk,energy_j,energy_net_j,joules_per_kop,power_mean_w,power_cv,"
          + "power_max_min,cpu_cv,cpu_max_min,meter,provenance,status,cpu_s,stale_max_versions,"
          + "stale_coverage,ryw_violations,monotonic_violations,dual_reads,dual_stale_reads,"
          + "intended_rate,message,nodes,power_scope,energy_kwh,cost,co2e_g,sampling_cpu_s,"
          + "sampling_j,client_cpu_s";

  private final Random random;
  private final List<Map<String, String>> rows = new ArrayList<>();
  private String paper = "";

  public SampleStudy(long seed) {
    this.random = new Random(seed);
  }

  /** A folder with closed and open loops at ONE, QUORUM and ALL. */
  public static SampleStudy demo(int repeats) {
    SampleStudy study = new SampleStudy(42);
    for (int repeat = 1; repeat <= repeats; repeat++) {
      for (String level : List.of("ALL", "ONE", "QUORUM")) {
        study.run(level, "4", "", repeat);
        study.run(level, "", "400/s", repeat);
      }
    }
    return study;
  }

  /**
   * The thesis's shape: three mixes, levels and numbers of threads, without a figure in it true.
   */
  public static SampleStudy thesis(int repeats) {
    SampleStudy study = new SampleStudy(2013);
    study.paper = "li-2013";
    List<String> mixes = List.of("heavy-update", "moderate", "heavy-read");
    for (int repeat = 1; repeat <= repeats; repeat++) {
      double block = 1 + 0.02 * study.random.nextGaussian();
      for (String level : List.of("ALL", "ONE", "QUORUM")) {
        for (String threads : List.of("20", "5", "40")) {
          for (String mix : mixes) {
            study.mixed(study.run(level, threads, "", repeat), mixes.indexOf(mix), mix, block);
          }
        }
      }
    }
    return study;
  }

  private void mixed(Map<String, String> row, int mix, String name, double block) {
    row.put("workload", name);
    row.put("run", row.get("run") + "-" + name);
    double slower = (1 + 0.35 * mix) * block;
    for (String column :
        List.of("duration_s", "energy_j", "energy_net_j", "joules_per_kop", "energy_kwh")) {
      put(row, column, Double.parseDouble(row.get(column)) * slower);
    }
    put(row, "throughput_ops_s", Double.parseDouble(row.get("throughput_ops_s")) / slower);
    double reads = Math.rint(20_000 * (0.2 + 0.3 * mix));
    put(row, "operations", 20_000);
    put(row, "reads", reads);
    put(row, "stale_reads", Math.rint(reads * Double.parseDouble(row.get("stale_rate"))));
    put(row, "dual_reads", reads);
    double dual = 1.2 * Double.parseDouble(row.get("stale_reads"));
    put(row, "dual_stale_reads", Math.rint(dual));
  }

  /** Adds a run; exactly one of threads and rate is not empty. */
  public Map<String, String> run(String level, String threads, String rate, int repeat) {
    int strength = List.of("ONE", "QUORUM", "ALL").indexOf(level);
    boolean open = threads.isEmpty();
    double load = open ? Double.parseDouble(rate.replace("/s", "")) : Double.parseDouble(threads);
    double throughput =
        open ? load : 520 * Math.pow(load, 0.7) / (1 + 0.42 * Math.max(0, strength));
    throughput *= 1 + 0.015 * random.nextGaussian();
    double operations = open ? throughput * 20 : 20_000;
    double seconds = operations / throughput;
    double watts = (228 + 14 * random.nextDouble() + (open ? 4 : 26)) * (1 + 0.012 * strength);
    double reads = Math.rint(operations * 0.4);
    double staleReads =
        strength <= 0
            ? Math.rint(reads * (open ? 0.031 : 0.006) * (0.7 + 0.6 * random.nextDouble()))
            : 0;
    double latency = 1400 * (1 + 0.8 * Math.max(0, strength)) * (0.95 + 0.1 * random.nextDouble());
    Map<String, String> row = new LinkedHashMap<>();
    for (String column : COLUMNS.split(",", -1)) {
      row.put(column, "");
    }
    row.put(
        "run",
        String.format(
            Locale.ROOT,
            "%03d-%s-%s-r%d",
            rows.size() + 1,
            level.replaceAll("\\W", "_"),
            open ? "open" + (int) load : threads + "t",
            repeat));
    row.put("engine", "cassandra 5.0.5");
    row.put("workload", "heavy-update");
    row.put("threads", threads);
    row.put("rate", rate);
    row.put("consistency", level);
    row.put("read_level", level);
    row.put("write_level", level);
    row.put("repeat", Integer.toString(repeat));
    put(row, "operations", Math.rint(operations));
    put(row, "errors", 0);
    put(row, "duration_s", seconds);
    put(row, "throughput_ops_s", throughput);
    put(row, "read_p50_us", latency);
    put(row, "read_p99_us", latency * (3 + random.nextDouble()));
    put(row, "write_p50_us", latency * 0.8);
    put(row, "write_p99_us", latency * (2.4 + random.nextDouble()));
    put(row, "reads", reads);
    put(row, "stale_reads", staleReads);
    put(row, "stale_rate", staleReads / reads);
    put(row, "stale_p99_ms", staleReads > 0 ? 9 + 3 * random.nextDouble() : 0);
    put(row, "energy_j", watts * seconds);
    put(row, "energy_net_j", (watts - 225) * seconds);
    put(row, "joules_per_kop", watts * seconds / operations * 1000);
    put(row, "power_mean_w", watts);
    put(row, "power_cv", 0.01 + 0.01 * random.nextDouble());
    put(row, "power_max_min", 2 + random.nextDouble());
    put(row, "cpu_cv", 0.05 + 0.02 * random.nextDouble());
    put(row, "cpu_max_min", 3 + random.nextDouble());
    row.put("meter", "model");
    row.put("provenance", "modelled");
    row.put("status", "ok");
    row.put("nodes", "3");
    row.put("power_scope", "node");
    put(row, "energy_kwh", watts * seconds / 3.6e6);
    put(row, "cost", watts * seconds / 3.6e6 * 0.31);
    put(row, "co2e_g", watts * seconds / 3.6e6 * 380);
    put(row, "sampling_cpu_s", 0.0021 * seconds);
    put(row, "sampling_j", 0.04 * seconds);
    put(row, "client_cpu_s", 0.4 * seconds);
    put(row, "cpu_s", 0.3 * seconds);
    put(row, "stale_max_versions", staleReads > 0 ? 2 : 0);
    put(row, "stale_coverage", 0.998);
    put(row, "ryw_violations", Math.rint(staleReads / 9));
    put(row, "monotonic_violations", Math.rint(staleReads / 14));
    rows.add(row);
    return row;
  }

  /** Turns a run into one that failed. */
  public static void fail(Map<String, String> row, String message) {
    List.of("throughput_ops_s", "energy_j", "energy_net_j", "joules_per_kop", "stale_rate", "reads")
        .forEach(column -> row.put(column, ""));
    row.put("status", "failed");
    row.put("message", message);
  }

  public List<Map<String, String>> rows() {
    return rows;
  }

  /** Its runs as a report reads them. */
  public Results results() {
    return Results.of(rows.stream().map(RunRow::new).toList());
  }

  /** Writes all files of the folder. */
  public Path write(Path folder) {
    try {
      Files.createDirectories(folder);
      writeResults(folder);
      Files.writeString(folder.resolve("study.yaml"), STUDY);
      Files.writeString(
          folder.resolve("environment.json"),
          ENVIRONMENT.replace("\"seed\": 42", "\"seed\": 42, \"paper\": \"" + paper + "\""));
      for (Map<String, String> row : rows) {
        Path run = Files.createDirectories(folder.resolve("runs").resolve(row.get("run")));
        Files.writeString(run.resolve("summary.json"), summary(row));
        SampleFiles.write(run, row, random);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes results.csv and nothing else. */
  public Path writeResults(Path folder) throws IOException {
    StringBuilder csv = new StringBuilder();
    csv.append(rows.isEmpty() ? COLUMNS : String.join(",", rows.get(0).keySet())).append("\r\n");
    for (Map<String, String> row : rows) {
      List<String> cells = new ArrayList<>();
      row.values().forEach(cell -> cells.add('"' + cell.replace("\"", "\"\"") + '"'));
      csv.append(String.join(",", cells)).append("\r\n");
    }
    Files.writeString(folder.resolve("results.csv"), csv);
    return folder;
  }

  private String summary(Map<String, String> row) {
    StringBuilder nodes = new StringBuilder();
    double share = row.get("energy_j").isEmpty() ? 0 : Double.parseDouble(row.get("energy_j")) / 3;
    for (int node = 1; node <= 3; node++) {
      nodes.append(node == 1 ? "" : ",");
      nodes.append(
          String.format(
              Locale.ROOT,
              "{\"node\":\"n%d\",\"energy_j\":%.2f,\"energy_net_j\":%.2f,\"power_mean_w\":%.2f,"
                  + "\"cpu_s\":%.2f,\"cpu_percent\":%.2f,\"idle_w\":75}",
              node,
              share * (0.98 + 0.01 * node),
              share * 0.1,
              84.5 + node,
              5.1 + node,
              11.0 + node));
    }
    return "{\"version\":1,\"run\":\""
        + row.get("run")
        + "\",\"energy\":{\"meter\":\"model\","
        + "\"provenance\":\"modelled\",\"nodes\":["
        + nodes
        + "]},\"notes\":[]}";
  }

  private static void put(Map<String, String> row, String column, double value) {
    row.put(column, Figures.exact(value));
  }

  private static final String STUDY =
      """
      study: energy-of-consistency
      store: {engine: cassandra, local: {nodes: 3, racks: 3, rf: 3, link-delay: 5ms}}
      workload: {preset: heavy-update, records: 10000, operations: 20000}
      matrix:
        consistency: [ONE, QUORUM, ALL]
        threads: [4]
      repeats: 5
      seed: 42
      power: {meter: auto, profile: xeon-x3440}
      """;

  private static final String ENVIRONMENT =
      """
      {"version": 1, "calando": {"version": "0.1.0", "commit": "0123abcd"},
       "engine": "cassandra 5.0.5",
       "host": {"cpu": "Example CPU at 2.5 GHz", "cores": 2, "memory_bytes": 25769803776,
                "os": "Debian 12", "kernel": "6.1.0", "java": "17.0.15"},
       "command": "./calando demo", "seed": 42,
       "started": "2026-03-04T10:00:00Z", "finished": "2026-03-04T10:04:12Z",
       "power": {"meter": "model", "provenance": "modelled", "scope": "node",
                 "resolution": "10 ms of CPU time", "interval_s": 1, "baseline_s": 5,
                 "load_generator": "outside: its own processes are no node's",
                 "price_per_kwh": 0.31, "currency": "EUR", "carbon_intensity_g_per_kwh": 380,
                 "pue": 1.0,
                 "reasons": ["rapl: /sys/class/powercap holds no zone on this machine",
                             "ipmi: ipmitool is not installed"],
                 "profile": {"name": "xeon-x3440", "offWatts": 8, "idleWatts": 75, "busyWatts": 150,
                   "cores": 4, "cpuScale": 1.0, "curve": "linear", "bootSeconds": 90,
                   "bootWatts": 120, "source": "invented for tests"}},
       "nodes": [{"name": "n1", "address": "127.0.0.1", "rack": "r1", "profile": "xeon-x3440"},
                 {"name": "n2", "address": "127.0.0.2", "rack": "r2", "profile": "xeon-x3440"},
                 {"name": "n3", "address": "127.0.0.3", "rack": "r3", "profile": "xeon-x3440"}],
       "notes": ["the nodes and the load generator shared two cores"]}
      """;

  public static void main(String[] arguments) throws IOException {
    int repeats = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    boolean thesis = arguments.length > 2 && arguments[2].equals("thesis");
    SampleStudy study = thesis ? thesis(repeats) : demo(repeats);
    if (arguments.length > 2 && !thesis) {
      study.run("QUORUM", "8", "", 1);
      study.run("ONE", "8", "", 1);
      study.run("harmony 5% / ONE", "4", "", 1);
      fail(study.run("ALL", "8", "", 1), "node n2 died: <exit 137>\n  see runs/x/n2.log");
    }
    Path folder = study.write(Path.of(arguments[0]));
    System.out.println(ReportWriter.write(folder, thesis ? SampleFiles.claims() : List.of()));
    System.out.print(ResultsTable.read(folder).render(java.nio.charset.StandardCharsets.UTF_8));
  }
}
