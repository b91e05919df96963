package org.calando.power.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerSample;
import org.calando.power.Secret;
import org.calando.power.internal.EnergyCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusSourceTest {
  private static final long MS = 1_000_000;
  private static final Endpoint SERVER = Endpoint.of(URI.create("http://127.0.0.1:9090/prom"));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        " a:b_c ",
        "a{}",
        "a{x=\"1\"}",
        "a { x = \"1\" , y!~'2|3', }",
        "{__name__=~\"a|b\"}",
        "a{x=\"with \\\" and } and )\"}"
      })
  void selectorsAreTheirOwnClock(String query) {
    assertThat(PrometheusSource.isSelector(query)).isTrue();
    assertThat(source(query).clock()).contains(query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "sum(a)",
        "a+b",
        "a[5m]",
        "a offset 5m",
        "a{x=1}",
        "a{x=\"1\"",
        "a{x=\"1} # \"",
        "a{x=\"1\"}) or (b"
      })
  void expressionsAreNot(String query) {
    assertThat(PrometheusSource.isSelector(query)).isFalse();
    assertThat(source(query).clock()).isEmpty();
  }

  @Test
  void presetSelectsWithQuotedLabels() {
    PrometheusSource source =
        PrometheusPreset.KEPLER.on(SERVER, Map.of("instance", "a\"b\\c", "job", "k"));
    assertThat(source.query())
        .isEqualTo(
            "sum by (job, instance) (kepler_node_cpu_joules_total{zone=~\"(package|dram)(-[0-9]+)?\""
                + ",instance=\"a\\\"b\\\\c\",job=\"k\"})");
    assertThat(PrometheusSource.isSelector(source.clock().orElseThrow())).isTrue();
    assertThat(PrometheusPreset.NODE_EXPORTER_RAPL.id()).isEqualTo("node-exporter-rapl");
  }

  @Test
  void equalDescriptionsAreOneMachine() {
    assertThat(source("a")).isEqualTo(source("a")).isNotEqualTo(source("b"));
  }

  @Test
  void addressIsCheckedAndShowsNoPassword() {
    assertThat(SERVER.below("api/v1/query")).hasToString("http://127.0.0.1:9090/prom/api/v1/query");
    assertThatThrownBy(() -> Endpoint.of(URI.create("http://me:secret@host/")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> Endpoint.of(URI.create("file:/etc/passwd")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void loginGoesIntoTheHeaderOnly() throws Exception {
    Path file = folder.resolve("password");
    Files.writeString(file, "open sesame\n");
    Secret secret = new Secret.InFile(file);
    Endpoint basic =
        new Endpoint(SERVER.uri(), Optional.of(new Endpoint.Basic("me", secret)), Optional.empty());
    assertThat(basic.request(SERVER.uri()).build().headers().firstValue("Authorization"))
        .contains("Basic bWU6b3BlbiBzZXNhbWU=");
    assertThat(basic.toString()).doesNotContain("sesame");
    Endpoint bearer =
        new Endpoint(SERVER.uri(), Optional.of(new Endpoint.Bearer(secret)), Optional.empty());
    assertThatThrownBy(() -> bearer.request(SERVER.uri()))
        .isInstanceOf(MeterException.class)
        .hasMessageNotContaining("sesame");
  }

  @Test
  void serverClockNeedNotAgreeWithOurs() {
    ServerClock clock = new ServerClock();
    // The server is 1000 s ahead; the answer took 100 ms, and the clock was read in the middle.
    clock.exchange(5_000 * MS, 5_100 * MS, 1_005_050);
    assertThat(clock.nanosAt(1_004_000)).isBetween(3_949 * MS, 4_051 * MS);
    // A quick answer says it more exactly, a slow one after it does not move it.
    clock.exchange(6_000 * MS, 6_002 * MS, 1_006_001);
    long quick = clock.nanosAt(1_005_000);
    assertThat(quick).isBetween(4_998 * MS, 5_002 * MS);
    clock.exchange(7_000 * MS, 8_000 * MS, 1_007_010);
    assertThat(clock.nanosAt(1_005_000)).isEqualTo(quick);
    // A clock that was set is followed.
    clock.exchange(9_000 * MS, 9_002 * MS, 2_009_001);
    assertThat(clock.nanosAt(2_009_000)).isBetween(8_997 * MS, 9_003 * MS);
  }

  @Test
  void counterThatFallsIsAReset() {
    EnergyCounter counter = new EnergyCounter(0.5);
    assertThat(counter.advance(1, 100)).isEqualTo(new PowerSample.Energy(1, 0, false));
    assertThat(counter.advance(2, 110)).isEqualTo(new PowerSample.Energy(2, 5, false));
    assertThat(counter.advance(3, 110)).isEqualTo(new PowerSample.Energy(3, 5, false));
    assertThat(counter.advance(4, 7)).isEqualTo(new PowerSample.Energy(4, 5, true));
    assertThat(counter.advance(5, 9)).isEqualTo(new PowerSample.Energy(5, 6, false));
  }

  private static PrometheusSource source(String query) {
    return new PrometheusSource(
        SERVER, query, Optional.empty(), PrometheusSource.Quantity.POWER, 1, Scope.HOST, false, "");
  }
}
