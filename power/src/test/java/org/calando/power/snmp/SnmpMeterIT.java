package org.calando.power.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Ticker;
import org.calando.power.snmp.PduMib.Quantity;
import org.calando.power.snmp.SnmpDevice.Prefer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real snmpd in the shape of the units of several makers. */
class SnmpMeterIT {
  private static final String OURS = "1.3.6.1.4.1.55555.";
  private static final String EATON = "1.3.6.1.4.1.534.6.6.7.6.5.1.";
  private static final String RARITAN = "1.3.6.1.4.1.13742.6.";
  private static final String MESSAGES_IN = "1.3.6.1.2.1.11.1.0";

  @TempDir static Path folder;
  private static RealSnmpd agent;
  private final Ticker ticker = Ticker.system();

  @BeforeAll
  static void start() throws IOException {
    agent = RealSnmpd.start(folder.resolve("shared"));
  }

  @AfterAll
  static void stop() {
    agent.close();
  }

  private PowerSample sample(PowerProbe probe) throws MeterException, InterruptedException {
    return probe.sample(ticker.nanos() + TimeUnit.SECONDS.toNanos(10));
  }

  private double watts(PowerProbe probe) throws MeterException, InterruptedException {
    return ((PowerSample.Power) sample(probe)).watts();
  }

  private PowerSample.Energy energy(PowerProbe probe) throws MeterException, InterruptedException {
    return (PowerSample.Energy) sample(probe);
  }

  private static SnmpSource source(PduMib mib, Integer... outlets) {
    return new SnmpSource(agent.device(mib), List.of(outlets));
  }

  private static PduMib counter(String oid, double joules, int bits) {
    Quantity energy = new Quantity("energy-oid", oid, joules, bits, Optional.empty());
    return new PduMib("custom", "own OIDs", Optional.empty(), Optional.of(energy), false);
  }

  @Test
  void readsApcWattsBecauseItsCounterIsTooCoarse() throws Exception {
    agent.showApc(1, 120, 1234);
    long before = ticker.nanos();
    try (PowerProbe probe = source(PduMib.apc(), 1).open(ticker)) {
      assertThat(probe.info().cumulative()).isFalse();
      assertThat(probe.info().scope()).isEqualTo(Scope.HOST);
      assertThat(probe.info().resolution()).contains("steps of 1 W", "360 kJ", "PowerNet-MIB");
      assertThat(watts(probe)).isEqualTo(120);
      agent.showApc(1, 80, 1234);
      PowerSample later = sample(probe);
      assertThat(later).isInstanceOf(PowerSample.Power.class);
      assertThat(((PowerSample.Power) later).watts()).isEqualTo(80);
      assertThat(later.atNanos()).isBetween(before, ticker.nanos());
    }
  }

  @Test
  void sumsTheOutletsOfAMachine() throws Exception {
    agent.showApc(7, 61, 1).showApc(8, 59, 1);
    try (PowerProbe probe = source(PduMib.apc(), 8, 7).open(ticker)) {
      assertThat(watts(probe)).isEqualTo(120);
    }
    assertThat(source(PduMib.apc(), 8, 7)).isEqualTo(source(PduMib.apc(), 7, 8));
    assertThat(source(PduMib.apc(), 8, 7).describe())
        .isEqualTo("outlets 7, 8 of PDU pdu1 (127.0.0.1:" + agent.port() + ")");
  }

  @Test
  void sumsTheSuppliesOfAMachineOnTwoUnits() throws Exception {
    agent.showApc(11, 61, 1).show(EATON + "3.0.12", RealSnmpd.INTEGER, 59);
    agent.show(EATON + "4.0.12", RealSnmpd.GAUGE, 1);
    SnmpFeed first = new SnmpFeed(agent.device(PduMib.apc()), 11);
    SnmpFeed second = new SnmpFeed(agent.device(PduMib.eaton(0)), 12);
    try (PowerProbe probe = new SnmpSource(List.of(first, second)).open(ticker)) {
      assertThat(watts(probe)).isEqualTo(120);
      assertThat(probe.info().resolution()).contains("PowerNet-MIB and EATON-EPDU-MIB");
    }
    SnmpDevice counting = agent.device(PduMib.eaton(0), Prefer.ENERGY);
    SnmpDevice sampling = agent.device(PduMib.apc(), Prefer.POWER);
    SnmpSource mixed =
        new SnmpSource(List.of(new SnmpFeed(counting, 12), new SnmpFeed(sampling, 11)));
    assertRefused(mixed, "one outlet of this machine is read as energy", "set prefer alike");
  }

  @Test
  void readsMoreThanFitsIntoOneMessage() throws Exception {
    List<Integer> outlets = new ArrayList<>();
    for (int outlet = 101; outlet <= 140; outlet++) {
      agent.showApc(outlet, 2, 1);
      outlets.add(outlet);
    }
    try (PowerProbe probe = source(PduMib.apc(), outlets.toArray(Integer[]::new)).open(ticker)) {
      assertThat(watts(probe)).isEqualTo(80);
    }
  }

  @Test
  void neverLeavesAnOutletOutOfASum() throws Exception {
    agent.showApc(9, 61, 1).showApc(10, 59, 1);
    try (PowerProbe probe = source(PduMib.apc(), 9, 10).open(ticker)) {
      agent.hide("1.3.6.1.4.1.318.1.1.26.9.4.3.1.7.10");
      assertThatThrownBy(() -> sample(probe))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("outlet 10 of PDU pdu1")
          .hasMessageContaining("no such object");
      agent.showApc(10, 59, 1);
      assertThat(watts(probe)).isEqualTo(120);
    }
  }

  @Test
  void readsEatonInBothWays() throws Exception {
    agent.show(EATON + "3.0.4", RealSnmpd.INTEGER, 143);
    agent.show(EATON + "4.0.4", RealSnmpd.GAUGE, 55_000);
    try (PowerProbe probe = source(PduMib.eaton(0), 4).open(ticker)) {
      assertThat(watts(probe)).isEqualTo(143);
    }
    SnmpDevice counting = agent.device(PduMib.eaton(0), Prefer.ENERGY);
    try (PowerProbe probe = new SnmpSource(counting, List.of(4)).open(ticker)) {
      assertThat(probe.info().resolution()).contains("steps of 3.6 kJ");
      energy(probe);
      agent.show(EATON + "4.0.4", RealSnmpd.GAUGE, 55_001);
      assertThat(energy(probe).joules()).isEqualTo(3600);
      // Its user may set it to 0 at any time.
      agent.show(EATON + "4.0.4", RealSnmpd.GAUGE, 0);
      assertThat(energy(probe)).matches(shown -> shown.reset() && shown.joules() == 3600);
      agent.show(EATON + "4.0.4", RealSnmpd.GAUGE, 1);
      assertThat(energy(probe)).matches(shown -> !shown.reset() && shown.joules() == 7200);
    }
  }

  @Test
  void readsRaritansDigitsUnitAndAvailability() throws Exception {
    showRaritan(5, 1, 3, 1, 874);
    showRaritan(5, 1, 5, 0, 12);
    String available = RARITAN + "5.4.3.1.2.1.5.5";
    try (PowerProbe probe = source(PduMib.raritan(1), 5).open(ticker)) {
      assertThat(watts(probe)).isCloseTo(87.4, within(1e-9));
      assertThat(probe.info().resolution()).contains("0.1 W", "3.6 kJ");
      agent.show(available, RealSnmpd.INTEGER, 2);
      assertThatThrownBy(() -> sample(probe)).hasMessageContaining("no figure now");
    }
    agent.show(available, RealSnmpd.INTEGER, 1);
    agent.show(RARITAN + "3.5.4.1.6.1.5.5", RealSnmpd.INTEGER, 4);
    assertThatThrownBy(() -> source(PduMib.raritan(1), 5).open(ticker))
        .hasMessageContaining("its unit is 4, not 3");
  }

  private static void showRaritan(int outlet, int pdu, int unit, int digits, int value)
      throws IOException {
    int type = unit == 3 ? 5 : 8;
    String index = pdu + "." + outlet + "." + type;
    agent.show(RARITAN + "5.4.3.1.2." + index, RealSnmpd.INTEGER, 1);
    agent.show(RARITAN + "5.4.3.1.4." + index, RealSnmpd.GAUGE, value);
    agent.show(RARITAN + "3.5.4.1.6." + index, RealSnmpd.INTEGER, unit);
    agent.show(RARITAN + "3.5.4.1.7." + index, RealSnmpd.GAUGE, digits);
  }

  @Test
  void marksWhatFollowsFromAmperesAsModelled() throws Exception {
    agent.show("1.3.6.1.4.1.318.1.1.12.3.5.1.1.7.3", RealSnmpd.GAUGE, 6);
    try (PowerProbe probe = source(PduMib.apcOld(230), 3).open(ticker)) {
      assertThat(watts(probe)).isCloseTo(138, within(1e-9));
      assertThat(probe.info().modelled()).isTrue();
    }
  }

  @Test
  void countsAcrossTheWrapOf32Bits() throws Exception {
    long start = (1L << 32) - 100;
    agent.show(OURS + "1.2", RealSnmpd.COUNTER, start);
    try (PowerProbe probe = source(counter(OURS + "1.{outlet}", 0.001, 32), 2).open(ticker)) {
      assertThat(probe.info().cumulative()).isTrue();
      energy(probe);
      agent.show(OURS + "1.2", RealSnmpd.COUNTER, 400);
      assertThat(energy(probe)).matches(shown -> !shown.reset() && shown.joules() == 0.5);
    }
  }

  @Test
  void prefersAFineCounterAndCountsItIn64Bits() throws Exception {
    agent.show(OURS + "3.1", RealSnmpd.STRING, "97.5");
    agent.show(OURS + "4.1", RealSnmpd.COUNTER64, 9_007_199_254_740_993L);
    Quantity power = new Quantity("power-oid", OURS + "3.{outlet}", 1);
    Quantity energy = new Quantity("energy-oid", OURS + "4.{outlet}", 0.001, 64, Optional.empty());
    PduMib mib = new PduMib("custom", "own OIDs", Optional.of(power), Optional.of(energy), false);
    try (PowerProbe probe = source(mib, 1).open(ticker)) {
      assertThat(probe.info().cumulative()).isTrue();
      energy(probe);
      agent.show(OURS + "4.1", RealSnmpd.COUNTER64, 9_007_199_254_740_994L);
      assertThat(energy(probe).joules()).isEqualTo(0.001);
    }
    SnmpDevice sampling = agent.device(mib, Prefer.POWER);
    try (PowerProbe probe = new SnmpSource(sampling, List.of(1)).open(ticker)) {
      assertThat(watts(probe)).isEqualTo(97.5);
    }
  }

  @Test
  void refusesWhatIsNoPower() throws Exception {
    agent.showApc(20, -1, 1);
    assertRefused(source(PduMib.apc(), 20), "shows '-1'", "check that this outlet is metered");
    agent.showApc(20, 2_000_000, 1);
    assertRefused(source(PduMib.apc(), 20), "more than an outlet carries", "check its scale");
    agent.show("1.3.6.1.4.1.318.1.1.26.9.4.3.1.7.20", RealSnmpd.STRING, "n/a");
    assertRefused(source(PduMib.apc(), 20), "shows 'n/a'", "check that this outlet is metered");
    assertRefused(source(PduMib.apc(), 99), "1.3.6.1.4.1.318.1.1.26.9.4.3.1.7.99", "check outlet");
    agent.show(OURS + "1.9", RealSnmpd.STRING, "many");
    assertRefused(source(counter(OURS + "1.{outlet}", 1, 32), 9), "not a counter", "check mib");
  }

  private void assertRefused(SnmpSource source, String what, String remedy) {
    MeterException refusal =
        catchThrowableOfType(MeterException.class, () -> source.open(ticker).close());
    assertThat(refusal).isNotNull();
    assertThat(refusal.what()).contains(what);
    assertThat(refusal.where()).contains("PDU pdu1", "127.0.0.1:" + agent.port());
    assertThat(refusal.remedy()).contains(remedy);
  }

  @Test
  void asksADeviceOnceForAllNodesOfATick() throws Exception {
    int nodes = 24;
    List<PowerProbe> probes = new ArrayList<>();
    for (int node = 1; node <= nodes; node++) {
      agent.showApc(node, 100 + node, 1);
    }
    Quantity messages = new Quantity("snmpInPkts", MESSAGES_IN, 1);
    PduMib ownWork =
        new PduMib("custom", "SNMPv2-MIB", Optional.of(messages), Optional.empty(), false);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (PowerProbe work = source(ownWork, 1).open(ticker)) {
      for (int node = 1; node <= nodes; node++) {
        probes.add(source(PduMib.apc(), node).open(ticker));
      }
      List<Callable<Double>> tick =
          probes.stream().<Callable<Double>>map(probe -> () -> watts(probe)).toList();
      // An answer is shared for a quarter of a second, which a busy machine may take to ask for it.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                double before = watts(work);
                for (Future<Double> answer : threads.invokeAll(tick)) {
                  assertThat(answer.get()).isBetween(101.0, 124.0);
                }
                // One for all outlets, and the one that asks for this number.
                assertThat(watts(work) - before).isEqualTo(2);
              });
    } finally {
      threads.shutdownNow();
      probes.forEach(PowerProbe::close);
    }
  }

  @Test
  void goesOnWhenTheDeviceDiesAndReturns() throws Exception {
    try (RealSnmpd mortal = RealSnmpd.start(folder.resolve("mortal"))) {
      mortal.show(OURS + "1.1", RealSnmpd.COUNTER, 1000);
      SnmpDevice device = mortal.device(counter(OURS + "1.{outlet}", 2, 32));
      try (PowerProbe probe = new SnmpSource(device, List.of(1)).open(ticker)) {
        energy(probe);
        mortal.kill();
        assertThatThrownBy(() -> probe.sample(ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(500)))
            .isInstanceOf(MeterException.class)
            .hasMessageContaining("no answer by SNMP v2c within ");
        mortal.show(OURS + "1.1", RealSnmpd.COUNTER, 1050);
        mortal.restart();
        assertThat(energy(probe)).matches(shown -> !shown.reset() && shown.joules() == 100);
      }
    }
  }
}
