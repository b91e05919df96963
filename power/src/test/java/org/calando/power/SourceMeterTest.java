package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.powercap.PowercapTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A counter tree in a folder is the instrument: its values are the test's, its files are real. */
class SourceMeterTest {
  private static final long SEED = Long.getLong("calando.seed", 20110907L);
  private static final long INTERVAL = 1_000_000_000L;
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  @TempDir Path folder;
  private final FakeTicker ticker = new FakeTicker();
  private final FakeUsage usage = new FakeUsage(3, ticker);
  private PowercapTree tree;

  @BeforeEach
  void plant() throws IOException {
    tree = new PowercapTree(folder);
    tree.zone("intel-rapl:0", "package-0", 262_143_328_850L, 10_000_000);
  }

  @Test
  void sharesOfAMachineFollowCpuTimeAndAddUpToItsCounter() throws Exception {
    try (Meter meter = open(3)) {
      assertThat(meter.info().provenance()).isEqualTo(Provenance.ATTRIBUTED);
      assertThat(meter.info().scope()).isEqualTo(Scope.PACKAGE);
      ticker.advance(1);
      usage.use(0, 3);
      usage.use(1, 1);
      tree.add("intel-rapl:0", 80_000_000);
      refresh(meter);
      assertThat(meter.read(0).joules()).isCloseTo(60, within(1e-9));
      assertThat(meter.read(1).joules()).isCloseTo(20, within(1e-9));
      assertThat(meter.read(2).joules()).isCloseTo(0, within(1e-9));

      ticker.advance(1);
      tree.add("intel-rapl:0", 30_000_000);
      refresh(meter);
      // Nobody worked: the idle power is everybody's alike.
      assertThat(meter.read(2).joules()).isCloseTo(10, within(1e-9));
      assertThat(meter.read(2).meanWatts()).isNaN();
      assertThat(meter.notes()).anyMatch(note -> note.contains("divided"));
    }
  }

  @Test
  void sumOverNodesIsTheMachinesWhateverHappensToThem() throws Exception {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 20; trial++) {
      tree.set("intel-rapl:0", random.nextInt(1_000_000_000));
      double truth = 0;
      try (Meter meter = open(3)) {
        for (int i = 0; i < 50; i++) {
          ticker.advance(0.5 + random.nextDouble());
          int node = random.nextInt(3);
          if (random.nextInt(10) == 0) {
            usage.kill(node);
          } else if (random.nextInt(10) == 0) {
            usage.restart(node);
          }
          usage.use(node, 4 * random.nextDouble());
          int microjoules = random.nextInt(200_000_000);
          tree.add("intel-rapl:0", microjoules);
          truth += microjoules / 1e6;
          refresh(meter);
        }
        for (int node = 0; node < 3; node++) {
          usage.restart(node);
        }
        ticker.advance(1);
        refresh(meter);
        double sum = 0;
        for (int node = 0; node < 3; node++) {
          sum += meter.read(node).joules();
        }
        assertThat(sum).as("seed %d, trial %d", SEED, trial).isCloseTo(truth, within(1e-6));
      }
    }
  }

  @Test
  void instrumentThatDiesAndReturnsLosesNoEnergyOfItsCounter() throws Exception {
    List<SampleRow> rows = new ArrayList<>();
    List<MeteredNode> nodes = nodes(1);
    try (Meter meter = open(1);
        Sampler sampler = new Sampler(meter, usage, nodes, rows::add, ticker, INTERVAL)) {
      sampler.start("measured");
      step(sampler, 100_000_000);
      tree.hide("intel-rapl:0");
      step(sampler, 110_000_000);
      step(sampler, 120_000_000);
      tree.show("intel-rapl:0");
      step(sampler, 130_000_000);
      PhaseEnergy phase = sampler.stop().get(0);
      assertThat(phase.energy().grossJoules()).isCloseTo(460, within(1e-6));
      assertThat(phase.energy().coverage()).isEqualTo(1);
      assertThat(phase.problems())
          .singleElement()
          .asString()
          .contains("n0", "energy_uj", "no longer exists", "(2 readings)");
      assertThat(rows).extracting(SampleRow::gap).startsWith(false, true, true, false);
      assertThat(rows.get(1).watts()).isNaN();
      // The row after the gap tells the mean since the last reading.
      assertThat(rows.get(3).watts()).isCloseTo(120, within(1e-6));
    }
  }

  @Test
  void counterThatStartedAgainIsAGapInTheAccount() throws Exception {
    try (Meter meter = open(1);
        Sampler sampler = new Sampler(meter, usage, nodes(1), row -> {}, ticker, INTERVAL)) {
      sampler.start("measured");
      step(sampler, 100_000_000);
      ticker.advance(1);
      // Far more than any machine draws in a second: not a lap but a reset.
      tree.set("intel-rapl:0", 5_000);
      sampler.tick();
      step(sampler, 100_000_000);
      PhaseEnergy phase = sampler.stop().get(0);
      assertThat(phase.energy().coverage()).isCloseTo(2 / 3.0, within(1e-9));
      assertThat(phase.energy().grossJoules()).isCloseTo(200, within(1e-6));
    }
  }

  @Test
  void autoTakesTheBestThatWorksAndSaysWhyNotTheOthers() throws Exception {
    Meters.Choice choice = choose("auto", nodes(1));
    try (Meter meter = choice.meter()) {
      assertThat(meter.info().id()).isEqualTo("powercap");
      assertThat(meter.info().instruments()).containsExactly(folder.toString());
      assertThat(choice.reasons().get(0)).startsWith("snmp: no outlet of a PDU");
      assertThat(choice.reasons()).last().isEqualTo("powercap: chosen");
    }
    tree.hide("intel-rapl:0");
    Meters.Choice fallback = choose("auto", nodes(1));
    try (Meter meter = fallback.meter()) {
      assertThat(meter.info().id()).isEqualTo("model");
      assertThat(fallback.reasons())
          .anyMatch(reason -> reason.startsWith("powercap: " + folder + "/*/energy_uj: no energy"));
    }
  }

  @Test
  void meterThatWasAskedForIsNeverReplacedByAnother() {
    tree.hide("intel-rapl:0");
    assertThatThrownBy(() -> choose("powercap", nodes(1)))
        .isInstanceOf(org.calando.core.FailedWorkException.class)
        .hasMessageContaining("modprobe");
    assertThatThrownBy(() -> choose("snmp", nodes(1)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("outlet");
    assertThatThrownBy(() -> choose("magic", nodes(1)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("magic")
        .hasMessageContaining("auto")
        .hasMessageContaining("powercap");
  }

  private Meters.Choice choose(String wanted, List<MeteredNode> nodes) throws Exception {
    return Meters.open(wanted, nodes, usage, ticker, INTERVAL, "study.yaml: power.meter");
  }

  private Meter open(int count) throws Exception {
    return choose("powercap", nodes(count)).meter();
  }

  private List<MeteredNode> nodes(int count) {
    List<MeteredNode> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new MeteredNode("n" + i, NODE, List.of(new PowercapSource(folder))));
    }
    return nodes;
  }

  private void refresh(Meter meter) throws InterruptedException {
    meter.refresh(ticker.nanos() + 10 * INTERVAL).await();
  }

  private void step(Sampler sampler, int microjoules) throws Exception {
    ticker.advance(1);
    tree.add("intel-rapl:0", microjoules);
    sampler.tick();
  }
}
