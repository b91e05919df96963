package org.calando.power.schema;

import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.net.URI;
import org.calando.power.host.HostSource;
import org.calando.power.host.NodeExporterSource;
import org.calando.power.host.PrometheusHostSource;
import org.calando.power.prometheus.Endpoint;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What {@code metrics} of a node may say. */
public final class MetricsSchema {
  private static final Key<URI> PAGE =
      Key.of("url", EndpointKeys.URL, "Page of the node's node_exporter.")
          .example("\"http://10.0.0.1:9100/metrics\"");
  private static final Key<URI> PROMETHEUS =
      Key.of(
              "prometheus",
              EndpointKeys.URL,
              "Base address of a Prometheus server that collects the node's node_exporter.")
          .example("\"http://10.0.0.9:9090\"");
  private static final Key<String> INSTANCE =
      Key.of(
              "instance",
              text("an instance", "[^\\p{Cntrl}]{1,253}", "HOST:PORT, as Prometheus labels it"),
              "The node's label instance in Prometheus.")
          .example("\"10.0.0.1:9100\"");

  private static final ObjectType<HostSource> MAPPING =
      ObjectType.named(
              "host metrics",
              "Where a node's machine reports its CPU, memory, disk and network use.")
          .keys(PAGE, PROMETHEUS, INSTANCE)
          .keys(EndpointKeys.keys())
          .check(MetricsSchema::check)
          .build(MetricsSchema::build);

  /** A URL of a node_exporter, or a mapping. */
  public static final Type<HostSource> TYPE =
      scalarOrMapping(
          mapped(EndpointKeys.URL, url -> (HostSource) new NodeExporterSource(Endpoint.of(url))),
          MAPPING);

  private MetricsSchema() {}

  private static void check(Values metrics) {
    metrics.requireExactlyOne(PAGE, PROMETHEUS);
    if (metrics.given(PROMETHEUS)) {
      metrics.require("write the node's label instance in Prometheus", INSTANCE);
    } else {
      metrics.forbid("belongs to prometheus", INSTANCE);
    }
    EndpointKeys.check(metrics);
  }

  private static HostSource build(Values metrics) {
    return metrics
        .find(PROMETHEUS)
        .<HostSource>map(
            url ->
                new PrometheusHostSource(
                    EndpointKeys.endpoint(url, metrics), metrics.get(INSTANCE)))
        .orElseGet(() -> new NodeExporterSource(EndpointKeys.endpoint(metrics.get(PAGE), metrics)));
  }
}
