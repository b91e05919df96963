package org.calando.power.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.energy.Scope;
import org.calando.power.prometheus.PrometheusSource.Quantity;

/**
 * Exporters whose metrics are known. Where a machine has several counters (sockets, zones, idle and
 * dynamic energy), those that do not overlap are added up; two machines stay two series, and are
 * refused.
 */
public enum PrometheusPreset {
  /** Kepler 0.10 and later: the processors' counters (RAPL), packages and memory. */
  KEPLER(
      "kepler_node_cpu_joules_total",
      "zone=~\"(package|dram)(-[0-9]+)?\"",
      Quantity.ENERGY,
      1,
      Scope.PACKAGE,
      false,
      ""),
  /** Kepler before 0.10: the whole machine, idle and dynamic together. */
  KEPLER_PLATFORM(
      "kepler_node_platform_joules_total",
      "",
      Quantity.ENERGY,
      1,
      Scope.HOST,
      true,
      "Kepler does not report whether a sensor or its model made the figure"),
  /** Scaphandre: the machine as far as its processors' counters tell. */
  SCAPHANDRE("scaph_host_power_microwatts", "", Quantity.POWER, 1e-6, Scope.PACKAGE, false, ""),
  /** Scaphandre: one process, whose share follows from its CPU time. */
  SCAPHANDRE_PROCESS(
      "scaph_process_power_consumption_microwatts",
      "",
      Quantity.POWER,
      1e-6,
      Scope.PACKAGE,
      true,
      "Scaphandre shares the processors' power by CPU time"),
  /** node_exporter: the processors' counters (RAPL), packages and memory. */
  NODE_EXPORTER_RAPL(
      "",
      // The mmio zones repeat the packages through another register.
      "__name__=~\"node_rapl_(package|dram).*_joules_total\",path!~\".*intel-rapl-mmio.*\"",
      Quantity.ENERGY,
      1,
      Scope.PACKAGE,
      false,
      "");

  private final String metric;
  private final String matcher;
  private final Quantity quantity;
  private final double scale;
  private final Scope scope;
  private final boolean modelled;
  private final String note;

  PrometheusPreset(
      String metric,
      String matcher,
      Quantity quantity,
      double scale,
      Scope scope,
      boolean modelled,
      String note) {
    this.metric = metric;
    this.matcher = matcher;
    this.quantity = quantity;
    this.scale = scale;
    this.scope = scope;
    this.modelled = modelled;
    this.note = note;
  }

  /** Its name in a study. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Where one machine's figure is.
   *
   * @param server the server
   * @param match labels and their values that tell the machine from others
   */
  public PrometheusSource on(Endpoint server, Map<String, String> match) {
    List<String> matchers = new ArrayList<>();
    if (!matcher.isEmpty()) {
      matchers.add(matcher);
    }
    new TreeMap<>(match).forEach((label, value) -> matchers.add(label + "=" + quoted(value)));
    String selector = metric + (matchers.isEmpty() ? "" : "{" + String.join(",", matchers) + "}");
    return new PrometheusSource(
        server,
        "sum by (job, instance) (" + selector + ")",
        Optional.of(selector),
        quantity,
        scale,
        scope,
        modelled,
        note);
  }

  /** A text as PromQL quotes it. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
