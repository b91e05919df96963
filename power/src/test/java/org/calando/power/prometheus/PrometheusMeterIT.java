package org.calando.power.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Ticker;
import org.calando.power.prometheus.PrometheusSource.Quantity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a real Prometheus, which collects from pages that the test writes. */
class PrometheusMeterIT {
  private static final long SECOND = 1_000_000_000L;
  private static final Ticker TICKER = Ticker.system();
  private static final Map<Integer, Long> COLLECTED_NANOS = new ConcurrentHashMap<>();
  private static final String STEADY =
      """
      rack_watts{outlet="1"} 120.5
      rack_watts{outlet="2"} 80
      rack_broken NaN
      kepler_node_cpu_joules_total{zone="package",path="a"} 5000
      kepler_node_cpu_joules_total{zone="core",path="b"} 4000
      kepler_node_cpu_joules_total{zone="dram",path="c"} 700
      kepler_node_platform_joules_total{mode="idle"} 9000
      kepler_node_platform_joules_total{mode="dynamic"} 1000
      scaph_host_power_microwatts 42500000
      scaph_process_power_consumption_microwatts{pid="7",exe="java"} 1500000
      scaph_process_power_consumption_microwatts{pid="8",exe="java"} 2500000
      node_rapl_package_joules_total{index="0",path="p0"} 100
      node_rapl_package_joules_total{index="1",path="p1"} 200
      node_rapl_dram_joules_total{index="0",path="d0"} 30
      node_rapl_core_joules_total{index="0",path="c0"} 90
      """;

  @TempDir static Path folder;
  private static PageServer steady;
  private static PageServer other;
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws Exception {
    steady = new PageServer();
    steady.show(
        number -> {
          COLLECTED_NANOS.put(number, TICKER.nanos());
          return STEADY + "collection " + number + "\n";
        });
    other = new PageServer();
    other.show("other_joules_total 1000\n");
    prometheus =
        new RealPrometheus(
            folder, Map.of("steady", steady.hostAndPort(), "other", other.hostAndPort()));
    prometheus.start();
    eventually(() -> open("collection", Quantity.POWER));
    eventually(() -> open("other_joules_total", Quantity.ENERGY));
  }

  @AfterAll
  static void stop() throws Exception {
    prometheus.close();
    steady.close();
    other.close();
  }

  @Test
  void powerIsScaledAndDescribed() throws Exception {
    PrometheusSource source =
        new PrometheusSource(
            prometheus.endpoint(),
            "rack_watts{outlet=\"1\"}",
            Optional.empty(),
            Quantity.POWER,
            0.5,
            Scope.HOST,
            false,
            "half a rack");
    try (PowerProbe probe = source.open(TICKER)) {
      assertThat(((PowerSample.Power) sample(probe)).watts()).isEqualTo(60.25);
      assertThat(probe.info().cumulative()).isFalse();
      assertThat(probe.info().resolution()).contains("half a rack");
      assertThat(source.describe()).contains(prometheus.uri().toString(), "rack_watts");
    }
  }

  @Test
  void sampleHasTheTimeOfItsCollection() throws Exception {
    try (PowerProbe probe = open("collection", Quantity.POWER)) {
      PowerSample.Power first = (PowerSample.Power) sample(probe);
      PowerSample.Power next = (PowerSample.Power) eventually(() -> soonAsked(probe, first));
      PowerSample.Power last = (PowerSample.Power) eventually(() -> soonAsked(probe, next));
      assertThat(last.watts()).isGreaterThan(next.watts());
      assertThat(probe.info().renewalNanos()).isBetween(SECOND / 2, 60 * SECOND);
    }
  }

  @Test
  void sameCollectionIsTheSameSample() throws Exception {
    try (PowerProbe probe = open("collection", Quantity.POWER)) {
      eventually(
          () -> {
            PowerSample one = sample(probe);
            return one.equals(sample(probe)) ? one : null;
          });
    }
  }

  @Test
  void counterCountsFromTheOpeningAndTellsAReset() throws Exception {
    other.show("other_joules_total 1000\n");
    eventually(() -> value("other_joules_total") == 1000 ? "there" : null);
    try (PowerProbe probe = open("other_joules_total", Quantity.ENERGY)) {
      assertThat(probe.info().cumulative()).isTrue();
      PowerSample.Energy opened = (PowerSample.Energy) sample(probe);
      assertThat(opened.joules()).isZero();

      other.show("other_joules_total 1250.5\n");
      PowerSample.Energy later =
          (PowerSample.Energy) eventually(() -> withJoules(probe, 250.5, false));
      assertThat(later.atNanos()).isGreaterThan(opened.atNanos());

      other.show("other_joules_total 3\n");
      eventually(() -> withJoules(probe, 250.5, true));
      other.show("other_joules_total 13\n");
      eventually(() -> withJoules(probe, 260.5, false));
    }
  }

  @Test
  void severalSeriesAndNoneAreErrorsWithTheirRemedy() {
    assertThatThrownBy(() -> open("rack_watts", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("2 series")
        .hasMessageContaining("outlet=\"1\"")
        .hasMessageContaining("outlet=\"2\"")
        .extracting(e -> ((MeterException) e).remedy())
        .asString()
        .contains("sum()");
    assertThatThrownBy(() -> open("rack_wats", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("no series");
    assertThatThrownBy(() -> open("rack_broken", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("NaN");
  }

  @Test
  void queryThatIsWrongIsRefusedInPrometheusWords() {
    assertThatThrownBy(() -> open("sum(rack_watts", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("the query is refused")
        .hasMessageContaining("parse error");
    assertThatThrownBy(() -> open("1 + 1", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("the query is refused");
  }

  @Test
  void expressionIsDatedWhenItIsAsked() throws Exception {
    try (PowerProbe probe = open("sum(rack_watts) # all outlets", Quantity.POWER)) {
      long before = TICKER.nanos();
      PowerSample.Power sample = (PowerSample.Power) sample(probe);
      assertThat(sample.watts()).isEqualTo(200.5);
      assertThat(sample.atNanos()).isBetween(before - SECOND / 10, TICKER.nanos() + SECOND / 10);
      assertThat(probe.info().resolution()).contains("dated when asked");
    }
  }

  @Test
  void presetsAddUpWhatDoesNotOverlap() throws Exception {
    assertThat(preset(PrometheusPreset.SCAPHANDRE, Map.of())).isCloseTo(42.5, within(1e-9));
    assertThat(preset(PrometheusPreset.SCAPHANDRE_PROCESS, Map.of("pid", "8")))
        .isCloseTo(2.5, within(1e-9));
    assertThat(counted(PrometheusPreset.KEPLER)).isEqualTo(5700);
    assertThat(counted(PrometheusPreset.KEPLER_PLATFORM)).isEqualTo(10000);
    assertThat(counted(PrometheusPreset.NODE_EXPORTER_RAPL)).isEqualTo(330);
  }

  @Test
  void targetThatIsGoneIsAnErrorUntilItReturns() throws Exception {
    try (PowerProbe probe = open("other_joules_total", Quantity.ENERGY)) {
      other.stop();
      try {
        // The staleness marker of the next collection, long before Prometheus's five minutes.
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(100))
            .untilAsserted(
                () ->
                    assertThatThrownBy(() -> sample(probe))
                        .isInstanceOf(MeterException.class)
                        .hasMessageContaining("no series"));
      } finally {
        other.start();
      }
      eventually(() -> sample(probe));
    }
  }

  @Test
  void serverThatDiesAndReturnsIsReadAgain() throws Exception {
    try (PowerProbe probe = open("rack_watts{outlet=\"2\"}", Quantity.POWER)) {
      sample(probe);
      prometheus.stop();
      try {
        assertThatThrownBy(() -> sample(probe))
            .isInstanceOf(MeterException.class)
            .hasMessageContaining("connection refused");
      } finally {
        prometheus.start();
      }
      PowerSample.Power again = (PowerSample.Power) eventually(() -> sample(probe));
      assertThat(again.watts()).isEqualTo(80);
    }
  }

  @Test
  void addressThatIsNoPrometheusIsNamed() throws Exception {
    assertThatThrownBy(
            () -> open(Endpoint.of(prometheus.uri().resolve("/nowhere")), "up", Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("HTTP 404");
    assertThatThrownBy(
            () ->
                open(
                    Endpoint.of(URI.create("http://" + steady.hostAndPort())),
                    "up",
                    Quantity.POWER))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("not Prometheus's");
  }

  private static double preset(PrometheusPreset preset, Map<String, String> match)
      throws Exception {
    try (PowerProbe probe = preset.on(prometheus.endpoint(), match).open(TICKER)) {
      assertThat(probe.info().modelled())
          .isEqualTo(preset.on(prometheus.endpoint(), match).modelled());
      return ((PowerSample.Power) sample(probe)).watts();
    }
  }

  /** The counter's present value, read as if it were power. */
  private static double counted(PrometheusPreset preset) throws Exception {
    PrometheusSource source =
        preset.on(prometheus.endpoint(), Map.of("instance", steady.hostAndPort()));
    try (PowerProbe probe = source.open(TICKER)) {
      assertThat(((PowerSample.Energy) sample(probe)).joules()).isZero();
    }
    return value(source.query());
  }

  private static double value(String query) throws Exception {
    try (PowerProbe probe = open(query, Quantity.POWER)) {
      return ((PowerSample.Power) sample(probe)).watts();
    }
  }

  private static PowerProbe open(String query, Quantity quantity) throws MeterException {
    return open(prometheus.endpoint(), query, quantity);
  }

  private static PowerProbe open(Endpoint server, String query, Quantity quantity)
      throws MeterException {
    return new PrometheusSource(server, query, Optional.empty(), quantity, 1, Scope.HOST, false, "")
        .open(TICKER);
  }

  private static PowerSample sample(PowerProbe probe) throws MeterException, InterruptedException {
    return probe.sample(TICKER.nanos() + 10 * SECOND);
  }

  /**
   * A newer sample of a collection whose page was asked for within a second of its date: Prometheus
   * dates a collection when it begins, and a busy machine may ask for the page much later. None is
   * ever dated later than it was asked for.
   */
  private static PowerSample soonAsked(PowerProbe probe, PowerSample than) throws Exception {
    PowerSample one = newer(probe, than);
    if (one == null) {
      return null;
    }
    long collected = COLLECTED_NANOS.get((int) ((PowerSample.Power) one).watts());
    assertThat(one.atNanos()).isLessThanOrEqualTo(collected + SECOND / 10);
    return one.atNanos() >= collected - 9 * SECOND / 10 ? one : null;
  }

  private static PowerSample newer(PowerProbe probe, PowerSample than) throws Exception {
    PowerSample now = sample(probe);
    return now.atNanos() > than.atNanos() ? now : null;
  }

  private static PowerSample withJoules(PowerProbe probe, double joules, boolean reset)
      throws Exception {
    PowerSample.Energy now = (PowerSample.Energy) sample(probe);
    return Math.abs(now.joules() - joules) < 1e-6 && now.reset() == reset ? now : null;
  }

  /** Tries until there is an answer; readings that fail are tried again. */
  private static <T> T eventually(Callable<T> attempt) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsInstanceOf(MeterException.class)
        .until(attempt, answer -> answer != null);
  }
}
