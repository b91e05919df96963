package org.calando.power.schema;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.text;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.core.energy.Scope;
import org.calando.power.prometheus.PrometheusPreset;
import org.calando.power.prometheus.PrometheusSource;
import org.calando.power.prometheus.PrometheusSource.Quantity;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;

/** What {@code prometheus} of a node's power may say. */
final class PrometheusSchema {
  private static final ScalarType<String> PROMQL =
      text("a query", "[^\\p{Cntrl}]{1,2000}", "PromQL in one line");

  /** What one of a value is, in watts or joules. */
  private record Unit(Quantity quantity, double size) {}

  private static final Key<URI> URL =
      Key.of("url", EndpointKeys.URL, "Base address of the Prometheus server.")
          .mandatory()
          .example("\"http://10.0.0.9:9090\"");
  private static final Key<PrometheusPreset> PRESET =
      Key.of("preset", choice("a preset", presets()), "An exporter whose metrics are known.")
          .example("kepler");
  private static final Key<Map<String, Object>> MATCH =
      Key.of("match", freeMap(), "Labels that tell the machine from others, with a preset.")
          .byDefaultWith("preset", "{}")
          .example("{instance: \"10.0.0.1:9100\"}");
  private static final Key<String> QUERY =
      Key.of("query", PROMQL, "Any expression with one series as its value.")
          .example("'pdu_watts{outlet=\"7\"}'");
  private static final Key<Unit> UNIT =
      Key.of(
              "unit",
              choice("a unit", units()),
              "Unit of the query's value; those of energy are counters.")
          .example("watts");
  private static final Key<Double> SCALE =
      Key.of("scale", number(1e-12, 1e12), "Units in one of the query's value.")
          .byDefaultWith("query", "1")
          .example("0.1");
  private static final Key<String> CLOCK =
      Key.of(
              "clock",
              PROMQL,
              "A selector collected together with what the query computes from, for the time of its"
                  + " value; a query that is a selector needs none.")
          .example("'pdu_watts'");
  private static final Key<Scope> COVERS =
      Key.of(
              "covers",
              choice("a scope", scopes()),
              "What the query's value covers: the whole machine, or its processors.")
          .byDefaultWith("query", "host")
          .example("package");
  private static final Key<Boolean> MODELLED =
      Key.of("modelled", bool(), "Whether the exporter computes the value from a model.")
          .byDefaultWith("query", "false")
          .example("true");

  static final ObjectType<PrometheusSource> TYPE =
      ObjectType.named("a Prometheus meter", "Power or energy of a node's machine in Prometheus.")
          .keys(URL, PRESET, MATCH, QUERY, UNIT, SCALE, CLOCK, COVERS, MODELLED)
          .keys(EndpointKeys.keys())
          .check(PrometheusSchema::check)
          .build(PrometheusSchema::build);

  private PrometheusSchema() {}

  private static Map<String, PrometheusPreset> presets() {
    Map<String, PrometheusPreset> presets = new LinkedHashMap<>();
    for (PrometheusPreset preset : PrometheusPreset.values()) {
      presets.put(preset.id(), preset);
    }
    return presets;
  }

  private static Map<String, Scope> scopes() {
    Map<String, Scope> scopes = new LinkedHashMap<>();
    scopes.put("host", Scope.HOST);
    scopes.put("package", Scope.PACKAGE);
    return scopes;
  }

  private static Map<String, Unit> units() {
    Map<String, Unit> units = new LinkedHashMap<>();
    units.put("watts", new Unit(Quantity.POWER, 1));
    units.put("kilowatts", new Unit(Quantity.POWER, 1e3));
    units.put("milliwatts", new Unit(Quantity.POWER, 1e-3));
    units.put("microwatts", new Unit(Quantity.POWER, 1e-6));
    units.put("joules", new Unit(Quantity.ENERGY, 1));
    units.put("millijoules", new Unit(Quantity.ENERGY, 1e-3));
    units.put("microjoules", new Unit(Quantity.ENERGY, 1e-6));
    units.put("watt-hours", new Unit(Quantity.ENERGY, 3.6e3));
    units.put("kilowatt-hours", new Unit(Quantity.ENERGY, 3.6e6));
    return units;
  }

  private static void check(Values meter) {
    meter.requireExactlyOne(PRESET, QUERY);
    if (meter.given(QUERY)) {
      meter.require("write the unit of the query's value", UNIT);
      meter.forbid("belongs to a preset", MATCH);
    } else {
      meter.forbid("belongs to a query; a preset knows it", UNIT, SCALE, CLOCK, COVERS, MODELLED);
    }
    meter
        .find(CLOCK)
        .filter(clock -> !PrometheusSource.isSelector(clock))
        .ifPresent(clock -> meter.error(CLOCK, "is not a selector", "write NAME{LABEL=\"VALUE\"}"));
    meter.find(MATCH).orElse(Map.of()).forEach((label, value) -> checkLabel(meter, label, value));
    EndpointKeys.check(meter);
  }

  private static void checkLabel(Values meter, String label, Object value) {
    if (!label.matches("[a-zA-Z_][a-zA-Z0-9_]{0,200}")) {
      meter.error(MATCH, "'" + label + "' is not a label", "write letters, digits and _");
    } else if (value instanceof Map || value instanceof Iterable) {
      meter.error(MATCH, label + " is not a single value", "write label: value");
    }
  }

  private static PrometheusSource build(Values meter) {
    var server = EndpointKeys.endpoint(meter.get(URL), meter);
    if (meter.find(PRESET).isPresent()) {
      Map<String, String> match = new LinkedHashMap<>();
      meter.get(MATCH).forEach((label, value) -> match.put(label, String.valueOf(value)));
      return meter.get(PRESET).on(server, match);
    }
    Unit unit = meter.get(UNIT);
    return new PrometheusSource(
        server,
        meter.get(QUERY),
        meter.find(CLOCK),
        unit.quantity(),
        unit.size() * meter.get(SCALE),
        meter.get(COVERS),
        meter.get(MODELLED),
        "");
  }
}
