package org.calando.power.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.Scope;
import org.calando.power.Secret;
import org.calando.power.host.NodeExporterSource;
import org.calando.power.host.PrometheusHostSource;
import org.calando.power.prometheus.Endpoint;
import org.calando.power.prometheus.PrometheusPreset;
import org.calando.power.prometheus.PrometheusSource;
import org.calando.power.prometheus.PrometheusSource.Quantity;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Problems;
import org.calando.schema.Type;
import org.calando.schema.YamlTree;
import org.junit.jupiter.api.Test;

class PrometheusSchemaTest {
  private static final URI SERVER = URI.create("http://10.0.0.9:9090");
  private final Problems problems = new Problems();

  private <T> T bind(Type<T> type, String yaml) {
    Bound<T> bound =
        type.bind(
            YamlTree.parse(yaml, "f", problems).orElseThrow(),
            new Binding(problems, "", Path.of("/etc/studies")));
    return bound == null ? null : bound.value();
  }

  @Test
  void queryWithUnitAndLogin() {
    PrometheusSource source =
        bind(
            PrometheusSchema.TYPE,
            "{url: 'http://10.0.0.9:9090', query: 'sum(wh)', unit: watt-hours, scale: 0.1,"
                + " clock: 'wh', covers: package, modelled: true, user: me,"
                + " password-file: secrets/p, ca: ca.pem}");
    assertThat(problems.lines()).isEmpty();
    assertThat(source)
        .isEqualTo(
            new PrometheusSource(
                new Endpoint(
                    SERVER,
                    Optional.of(
                        new Endpoint.Basic(
                            "me", new Secret.InFile(Path.of("/etc/studies/secrets/p")))),
                    Optional.of(Path.of("/etc/studies/ca.pem"))),
                "sum(wh)",
                Optional.of("wh"),
                Quantity.ENERGY,
                360,
                Scope.PACKAGE,
                true,
                ""));
  }

  @Test
  void presetWithLabels() {
    assertThat(
            bind(
                PrometheusSchema.TYPE,
                "{url: 'http://10.0.0.9:9090', preset: scaphandre-process, match: {pid: 7}}"))
        .isEqualTo(PrometheusPreset.SCAPHANDRE_PROCESS.on(Endpoint.of(SERVER), Map.of("pid", "7")));
  }

  @Test
  void contradictionsAreReportedTogether() {
    assertThat(
            bind(
                PrometheusSchema.TYPE,
                "{url: 'http://me:pw@host', query: a, preset: kepler, clock: 'rate(a)', user: me,"
                    + " token-env: T}"))
        .isNull();
    assertThat(problems.lines())
        .noneSatisfy(line -> assertThat(line).contains("pw"))
        .anySatisfy(line -> assertThat(line).contains("url: shows a user or password"))
        .anySatisfy(line -> assertThat(line).contains("given beside"))
        .anySatisfy(line -> assertThat(line).contains("unit: is missing"))
        .anySatisfy(line -> assertThat(line).contains("clock").contains("not a selector"))
        .anySatisfy(line -> assertThat(line).contains("user").contains("beside a token"));
  }

  @Test
  void metricsAreAPageOrAPrometheus() {
    assertThat(bind(MetricsSchema.TYPE, "'http://10.0.0.1:9100/metrics'"))
        .isEqualTo(new NodeExporterSource(Endpoint.of(URI.create("http://10.0.0.1:9100/metrics"))));
    assertThat(
            bind(
                MetricsSchema.TYPE,
                "{prometheus: 'http://10.0.0.9:9090', instance: 'c1:9100', token-env: TOKEN}"))
        .isEqualTo(
            new PrometheusHostSource(
                new Endpoint(
                    SERVER,
                    Optional.of(new Endpoint.Bearer(new Secret.InVariable("TOKEN"))),
                    Optional.empty()),
                "c1:9100"));
    assertThat(problems.lines()).isEmpty();
    assertThat(bind(MetricsSchema.TYPE, "{prometheus: 'http://10.0.0.9:9090'}")).isNull();
    assertThat(bind(MetricsSchema.TYPE, "'http://_bad_host_:1/'")).isNull();
    assertThat(problems.lines())
        .anySatisfy(line -> assertThat(line).contains("instance: is missing"))
        .anySatisfy(line -> assertThat(line).contains("is not a URL"));
  }
}
