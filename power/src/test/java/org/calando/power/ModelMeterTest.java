package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.junit.jupiter.api.Test;

class ModelMeterTest {
  private static final long SEED = Long.getLong("calando.seed", 20130101L);
  private static final long TICK = 10_000_000L;
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  private final FakeTicker ticker = new FakeTicker();
  private final FakeUsage usage = new FakeUsage(2, ticker);

  @Test
  void energyIsThatOfTheProfileAtTheUtilisation() throws Exception {
    ModelMeter meter = open(NODE, NODE.withCpuScale(2));
    ticker.advance(2);
    usage.use(0, 4);
    usage.use(1, 2);
    // Node 0 used 4 of 8 core seconds; node 1's two stand for four.
    for (int node = 0; node < 2; node++) {
      EnergyReading reading = meter.read(node);
      assertThat(reading.meanWatts()).isCloseTo(112.5, within(1e-9));
      assertThat(reading.joules()).isCloseTo(225, within(1e-9));
      assertThat(reading.gap()).isFalse();
    }
    ticker.advance(1);
    EnergyReading idle = meter.read(0);
    assertThat(idle.meanWatts()).isEqualTo(75);
    assertThat(idle.joules()).isCloseTo(300, within(1e-9));
    assertThat(meter.notes()).isEmpty();
  }

  @Test
  void workBeyondTheProfilesMachineIsCutOffAndTold() throws Exception {
    ModelMeter meter = open(NODE, NODE);
    ticker.advance(1);
    usage.use(0, 6);
    usage.use(1, 4);
    assertThat(meter.read(0).meanWatts()).isEqualTo(150);
    assertThat(meter.read(1).meanWatts()).isEqualTo(150);
    assertThat(meter.clampedShare()).isCloseTo(0.2, within(1e-9));
    assertThat(meter.notes()).singleElement().asString().startsWith("20 % of the CPU time");
  }

  @Test
  void restartedProcessLeavesAGap() throws Exception {
    ModelMeter meter = open(NODE, NODE);
    ticker.advance(1);
    double before = meter.read(0).joules();
    usage.kill(0);
    ticker.advance(1);
    assertThatThrownBy(() -> meter.read(0)).isInstanceOf(MeterException.class);
    usage.restart(0);
    ticker.advance(3);
    EnergyReading after = meter.read(0);
    assertThat(after.gapNanos()).isEqualTo(4_000_000_000L);
    assertThat(after.joules()).isEqualTo(before);
    assertThat(after.meanWatts()).isNaN();
    ticker.advance(1);
    assertThat(meter.read(0).joules()).isCloseTo(before + 75, within(1e-9));
  }

  @Test
  void deadNodeCannotBeOpened() {
    usage.kill(1);
    assertThatThrownBy(() -> open(NODE, NODE)).isInstanceOf(MeterException.class);
  }

  @Test
  void readingWithoutTimeSinceTheLastOneAddsNothing() throws Exception {
    ModelMeter meter = open(NODE, NODE);
    usage.use(0, 1);
    EnergyReading now = meter.read(0);
    assertThat(now.joules()).isZero();
    assertThat(now.meanWatts()).isNaN();
    ticker.advance(1);
    assertThat(meter.read(0).meanWatts()).isEqualTo(75 + 75.0 / 4);
  }

  @Test
  void linearEnergyDoesNotDependOnWhenItIsRead() throws Exception {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 100; trial++) {
      ModelMeter meter = open(NODE, NODE);
      for (int i = 0; i < 40; i++) {
        double seconds = 0.01 + random.nextDouble();
        double cpu = 4 * seconds * random.nextDouble();
        ticker.advance(seconds);
        usage.use(0, cpu);
        usage.use(1, cpu);
        meter.read(0);
      }
      assertThat(meter.read(0).joules())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(meter.read(1).joules(), within(1e-4));
    }
  }

  @Test
  void everyFigureSaysThatItIsModelled() throws Exception {
    MeterInfo info = open(NODE, NODE).info();
    assertThat(info.id()).isEqualTo("model");
    assertThat(info.provenance()).isEqualTo(Provenance.MODELLED);
    assertThat(info.scope()).isEqualTo(Scope.NODE);
    assertThat(info.resolution()).contains("10.0 ms");
  }

  private ModelMeter open(NodeProfile first, NodeProfile second) throws MeterException {
    return new ModelMeter(usage, List.of(first, second), TICK);
  }
}
