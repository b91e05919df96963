package org.calando.power.host;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.prometheus.Endpoint;
import org.calando.power.prometheus.PrometheusApi;
import org.calando.power.prometheus.PrometheusPreset;
import org.calando.power.prometheus.ServerClock;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose node_exporter a Prometheus server collects. Its figures are as old as the last
 * collection, and dated so.
 *
 * @param server the server
 * @param instance the machine's label {@code instance}, mostly {@code HOST:9100}
 */
public record PrometheusHostSource(Endpoint server, String instance) implements HostSource {
  /** Collections are usually 15 s apart, and a figure is rarely older than two of them. */
  private static final long RENEWAL_NANOS = 15_000_000_000L;

  private static final long MAX_AGE_MILLIS = 300_000;
  private static final String FIGURE = "calando_figure";
  private static final String[] VALUES = {
    "cpu", "boot", "memory", "disk_read", "disk_written", "net_received", "net_sent"
  };

  @Override
  public long renewalNanos() {
    return RENEWAL_NANOS;
  }

  @Override
  public String describe() {
    return "Prometheus " + server.uri() + ", instance " + instance;
  }

  @Override
  public HostProbe open(Ticker ticker) throws MeterException {
    return new Probe(this, new PrometheusApi(server, ticker));
  }

  /** One question for all figures, so that they are of one moment. */
  String question() {
    String disks = "device!~\"" + Devices.NOT_DISKS + "\"";
    String networks = "device!~\"" + Devices.NOT_NETWORKS + "\"";
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("time", "max(timestamp(" + metric("node_cpu_seconds_total", "") + "))");
    figures.put("jobs", "count(count by (job) (" + metric("node_cpu_seconds_total", "") + "))");
    figures.put("cores", "count(" + metric("node_cpu_seconds_total", "mode=\"idle\"") + ")");
    figures.put("cpu", sum("node_cpu_seconds_total", "mode!~\"idle|iowait|steal\""));
    figures.put("boot", "max(" + metric("node_boot_time_seconds", "") + ")");
    figures.put(
        "memory",
        "(%s - %s)"
            .formatted(
                sum("node_memory_MemTotal_bytes", ""), sum("node_memory_MemAvailable_bytes", "")));
    figures.put("disk_read", sum("node_disk_read_bytes_total", disks));
    figures.put("disk_written", sum("node_disk_written_bytes_total", disks));
    figures.put("net_received", sum("node_network_receive_bytes_total", networks));
    figures.put("net_sent", sum("node_network_transmit_bytes_total", networks));
    return figures.entrySet().stream()
        .map(
            figure ->
                "label_replace(%s, \"%s\", \"%s\", \"\", \"\")"
                    .formatted(figure.getValue(), FIGURE, figure.getKey()))
        .collect(Collectors.joining(" or "));
  }

  private String sum(String name, String matcher) {
    return "sum(" + metric(name, matcher) + ")";
  }

  private String metric(String name, String matcher) {
    String all = "instance=" + PrometheusPreset.quoted(instance);
    return name + "{" + all + (matcher.isEmpty() ? "" : "," + matcher) + "}";
  }

  private static final class Probe implements HostProbe {
    private final PrometheusHostSource source;
    private final PrometheusApi api;
    private final String question;
    private final ServerClock clock = new ServerClock();
    private final BootTrack boots = new BootTrack();
    private long lastMillis;
    private @Nullable NodeUsage last;

    Probe(PrometheusHostSource source, PrometheusApi api) {
      this.source = source;
      this.api = api;
      question = source.question();
    }

    @Override
    public NodeUsage sample(long deadlineNanos) throws MeterException, InterruptedException {
      PrometheusApi.Answer answer = api.query(question, deadlineNanos);
      Map<String, Double> figures = new HashMap<>();
      long serverMillis = 0;
      for (PrometheusApi.Series series : answer.series()) {
        PrometheusApi.Point point = series.points().get(0);
        figures.put(series.labels().getOrDefault(FIGURE, ""), point.value());
        serverMillis = point.millis();
      }
      check(figures, serverMillis);
      clock.exchange(answer.sentNanos(), answer.receivedNanos(), serverMillis);
      long collectedMillis = collectedMillis(figures);
      if (last == null || collectedMillis > lastMillis) {
        lastMillis = collectedMillis;
        last =
            NodeExporterPage.figures(
                clock.nanosAt(collectedMillis),
                boots,
                (int) Math.round(figures.getOrDefault("cores", 0.0)),
                Arrays.stream(VALUES)
                    .mapToDouble(name -> figures.getOrDefault(name, Double.NaN))
                    .toArray());
      }
      return last;
    }

    private void check(Map<String, Double> figures, long serverMillis) throws MeterException {
      if (!figures.containsKey("cpu") || !figures.containsKey("time")) {
        throw new MeterException(
            "there is no node_cpu_seconds_total of this instance",
            source.describe(),
            "check that its node_exporter runs, and compare the instance with Prometheus's page"
                + " /targets");
      }
      if (figures.getOrDefault("jobs", 1.0) > 1) {
        throw new MeterException(
            "several jobs collect this instance, and its figures would be counted twice",
            source.describe(),
            "let one job of Prometheus collect it, or give the URL of its node_exporter");
      }
      long ageMillis = serverMillis - collectedMillis(figures);
      if (ageMillis > MAX_AGE_MILLIS) {
        throw new MeterException(
            "the newest figures are " + ageMillis / 1000 + " s old",
            source.describe(),
            "check that its node_exporter runs and that Prometheus collects it");
      }
    }

    private static long collectedMillis(Map<String, Double> figures) {
      return Math.round(figures.getOrDefault("time", 0.0) * 1000);
    }

    @Override
    public void close() {
      api.close();
    }
  }
}
