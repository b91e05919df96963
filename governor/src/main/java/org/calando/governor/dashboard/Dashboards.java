package org.calando.governor.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.Promised;
import org.calando.studyfile.ServiceSpec;

/**
 * Dashboards of Grafana for the clusters of a governor's file: one of the governor, and one of each
 * cluster, with what its file controls and promises. Stateless.
 */
public final class Dashboards {
  private static final String WATTS = "watt";
  private static final String JOULES = "joule";
  private static final String SECONDS = "s";
  private static final String SHARE = "percentunit";
  private static final String NUMBER = "none";

  private Dashboards() {}

  /**
   * Writes a file for each dashboard; those of the same names are replaced.
   *
   * @return the files
   * @throws FailedWorkException if one cannot be written
   */
  public static List<Path> write(ServiceSpec spec, Path folder) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, String> each : files(spec).entrySet()) {
        Path file = folder.resolve(each.getKey());
        Files.writeString(file, each.getValue());
        written.add(file);
      }
      return written;
    } catch (IOException e) {
      throw new FailedWorkException(
          "the dashboards cannot be written: " + e.getMessage(),
          folder.toString(),
          "name a folder that you may write",
          e);
    }
  }

  /** The dashboards as JSON, by their files' names. */
  static Map<String, String> files(ServiceSpec spec) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("calando-governor.json", governor().json());
    spec.clusters()
        .forEach(
            cluster ->
                files.put("calando-cluster-" + cluster.name() + ".json", of(cluster).json()));
    return files;
  }

  private static Dashboard governor() {
    return new Dashboard("calando-governor", "Calando: governor")
        .row("Clusters")
        .line("Observed", NUMBER, "calando_cluster_observed", "{{cluster}}")
        .line("Controlled", NUMBER, "calando_cluster_controlled", "{{cluster}}")
        .line("Something is amiss", NUMBER, "calando_cluster_problem", "{{cluster}} {{part}}")
        .line("Promises kept", NUMBER, "calando_promise_kept", "{{cluster}} {{promise}}")
        .line("Power", WATTS, "sum by (cluster) (calando_node_power_watts)", "{{cluster}}")
        .line(
            "Failures",
            NUMBER,
            "increase(calando_cluster_failures_total[1h])",
            "{{cluster}} {{part}}, in an hour")
        .row("The governor itself")
        .line(
            "CPU", SHARE, "rate(process_cpu_seconds_total{job=~\".*calando.*\"}[5m])", "of a core")
        .line("Memory", "bytes", "process_resident_memory_bytes{job=~\".*calando.*\"}", "resident")
        .line("Heap", "bytes", "calando_governor_heap_bytes", "heap");
  }

  private static Dashboard of(ServiceSpec.Cluster cluster) {
    String name = cluster.name();
    String of = "{cluster=\"" + name + "\"}";
    Dashboard board = new Dashboard("calando-cluster-" + name, "Calando: " + name);
    energy(board, cluster, of);
    if (!cluster.promise().limits().isEmpty()) {
      promises(board, cluster, name);
    }
    if (!cluster.control().axes().isEmpty()) {
      board
          .row("Knobs")
          .table("In force", "calando_knob_info" + of, List.of("knob", "target", "choice", "value"))
          .line("Paused", NUMBER, "calando_knob_paused" + of, "{{knob}}")
          .line(
              "Decisions",
              NUMBER,
              "increase(calando_decisions_total" + of + "[10m])",
              "{{knob}}, in 10 min");
    }
    if (!cluster.considered().axes().isEmpty()) {
      board
          .row("Considered only")
          .line(
              "What it would save",
              WATTS,
              "calando_considered_saving_watts" + of,
              "{{knob}}, {{provenance}}");
    }
    if (cluster.sessions()) {
      board
          .row("Applications' sessions")
          .line("Governed", NUMBER, "calando_cluster_sessions" + of, "sessions")
          .line(
              "Reads, p99",
              SECONDS,
              "histogram_quantile(0.99, sum by (le) (rate(calando_session_read_seconds_bucket"
                  + of
                  + "[5m])))",
              "p99");
    }
    return board;
  }

  private static void energy(Dashboard board, ServiceSpec.Cluster cluster, String of) {
    board
        .row("Energy")
        .line("Power of nodes", WATTS, "calando_node_power_watts" + of, "{{node}}, {{provenance}}");
    if (!cluster.control().axes().isEmpty()) {
      board
          .line("Saved by knobs", WATTS, "calando_saving_watts" + of, "{{end}}, {{provenance}}")
          .line(
              "Saved today", JOULES, "calando_saved_today_joules" + of, "{{end}}, {{provenance}}");
    }
    board
        .line("Energy of 1000 requests", JOULES, "calando_joules_per_kop" + of, "J")
        .line(
            "Requests",
            "reqps",
            "sum by (node, kind) (rate(calando_node_requests_total" + of + "[5m]))",
            "{{node}} {{kind}}")
        .line(
            "Unknown time",
            SHARE,
            "rate(calando_unknown_seconds_total" + of + "[10m])",
            "share of 10 min");
  }

  private static void promises(Dashboard board, ServiceSpec.Cluster cluster, String name) {
    board.row("Promises");
    for (Promised promise : cluster.promise().limits().keySet()) {
      String of = "{cluster=\"" + name + "\", promise=\"" + promise.word() + "\"}";
      String unit =
          switch (promise.unit()) {
            case "share" -> SHARE;
            case "seconds" -> SECONDS;
            default -> NUMBER;
          };
      board
          .line(
              promise.word(),
              unit,
              "calando_promise_value" + of,
              "{{end}}, {{provenance}}",
              "calando_promise_limit" + of,
              "promised")
          .line(
              promise.word() + ": kept (1), broken (0), unknown (none)",
              NUMBER,
              "calando_promise_kept" + of,
              "kept");
      if (promise == Promised.STALE) {
        board.line(
            "Budget of stale reads spent",
            SHARE,
            "calando_promise_budget_spent_ratio" + of,
            "{{end}}");
      }
      board.line(
          promise.word() + ": time of the window",
          SECONDS,
          "calando_promise_seconds" + of,
          "{{state}}");
    }
  }
}
