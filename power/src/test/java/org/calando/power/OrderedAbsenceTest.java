package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.junit.jupiter.api.Test;

class OrderedAbsenceTest {
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  private final FakeTicker ticker = new FakeTicker();
  private final FakeUsage processes = new FakeUsage(2, ticker);
  private final OrderedAbsence usage = new OrderedAbsence(processes, 2, ticker);

  @Test
  void aNodeThatIsAwayByOrderDrawsIdlePowerAndComesBackWithoutAGap() throws Exception {
    ModelMeter meter = new ModelMeter(usage, List.of(NODE, NODE), 10_000_000L);
    ticker.advance(1);
    processes.use(0, 4);
    usage.mayEnd(0);
    assertThat(meter.read(0).joules()).isCloseTo(150, within(1e-9));
    processes.kill(0);
    ticker.advance(10);
    EnergyReading away = meter.read(0);
    assertThat(away.meanWatts()).isCloseTo(75, within(1e-9));
    assertThat(away.gap()).isFalse();
    processes.restart(0);
    ticker.advance(2);
    processes.use(0, 4);
    EnergyReading back = meter.read(0);
    assertThat(back.gap()).isFalse();
    assertThat(back.meanWatts()).isCloseTo(112.5, within(1e-9));
    assertThat(back.joules()).isCloseTo(150 + 750 + 225, within(1e-9));
  }

  @Test
  void aMachineThatGoesOffWithItsProcessDrawsOffPowerUntilItComesBack() throws Exception {
    ModelMeter meter = new ModelMeter(usage, List.of(NODE, NODE), 10_000_000L);
    usage.mayGoOff(0);
    ticker.advance(1);
    assertThat(meter.read(0).meanWatts()).as("still on").isEqualTo(75);
    processes.kill(0);
    ticker.advance(10);
    assertThat(meter.read(0).meanWatts()).isEqualTo(5);
    assertThat(usage.isOff(0)).isTrue();
    assertThat(usage.isOff(1)).isFalse();
    processes.restart(0);
    ticker.advance(1);
    EnergyReading back = meter.read(0);
    assertThat(back.meanWatts()).isEqualTo(75);
    assertThat(back.gap()).isFalse();
    assertThat(back.joules()).isCloseTo(75 + 50 + 75, within(1e-9));
    processes.kill(0);
    assertThatThrownBy(() -> usage.read(0)).isInstanceOf(MeterException.class);
  }

  @Test
  void aNodeThatIsOffAtFirstIsOneNodeWithTheProcessThatComesLater() throws Exception {
    processes.kill(1);
    usage.isOffAtFirst(1);
    ModelMeter meter = new ModelMeter(usage, List.of(NODE, NODE), 10_000_000L);
    ticker.advance(2);
    assertThat(meter.read(1).joules()).isCloseTo(10, within(1e-9));
    assertThat(usage.knows(1)).isTrue();
    processes.restart(1);
    ticker.advance(1);
    processes.use(1, 2);
    EnergyReading on = meter.read(1);
    assertThat(on.gap()).isFalse();
    assertThat(on.meanWatts()).isCloseTo(112.5, within(1e-9));
    assertThat(usage.isOff(1)).isFalse();
  }

  @Test
  void aMachineThatIsToBeOnAgainAndIsSilentIsAnErrorAndDrawsNoOffPower() throws Exception {
    OrderedAbsence over = new OrderedAbsence(usage, 2, ticker);
    over.read(0);
    usage.mayGoOff(0);
    processes.kill(0);
    over.read(0);
    assertThat(over.isOff(0)).as("as its source says").isTrue();
    usage.isOn(0);
    assertThat(over.isOff(0)).isFalse();
    assertThatThrownBy(() -> over.read(0)).isInstanceOf(MeterException.class);
  }

  @Test
  void aProcessThatIsThereWhenItsMachineIsToBeOnGoesOnWithItsSums() throws Exception {
    processes.use(0, 3);
    usage.mayGoOff(0);
    processes.kill(0);
    long life = usage.read(0).incarnation();
    processes.restart(0);
    usage.isOn(0);
    processes.use(0, 2);
    assertThat(usage.read(0).cpuNanos()).isEqualTo(5_000_000_000L);
    assertThat(usage.read(0).incarnation()).isEqualTo(life);
    processes.kill(0);
    assertThatThrownBy(() -> usage.read(0)).isInstanceOf(MeterException.class);
  }

  @Test
  void whatItUsedBetweenItsLastReadingAndTheOrderIsNotLost() throws Exception {
    processes.use(0, 3);
    usage.mayEnd(0);
    processes.kill(0);
    assertThat(usage.read(0).cpuNanos()).isEqualTo(3_000_000_000L);
    assertThat(usage.read(0).rssBytes()).isZero();
    processes.restart(0);
    processes.use(0, 2);
    assertThat(usage.read(0).cpuNanos()).isEqualTo(5_000_000_000L);
    assertThat(usage.read(0).rssBytes()).isPositive();
  }

  @Test
  void aSecondAbsenceAddsToTheFirst() throws Exception {
    for (int i = 0; i < 2; i++) {
      processes.use(0, 1);
      usage.mayEnd(0);
      processes.kill(0);
      assertThat(usage.read(0).cpuNanos()).isEqualTo((i + 1) * 1_000_000_000L);
      processes.restart(0);
    }
    assertThat(usage.read(0).cpuNanos()).isEqualTo(2_000_000_000L);
  }

  @Test
  void anEndWithoutAnOrderIsAnError() throws Exception {
    usage.read(1);
    usage.mayEnd(0);
    processes.kill(1);
    assertThatThrownBy(() -> usage.read(1)).isInstanceOf(MeterException.class);
    processes.restart(1);
    long other = usage.read(1).incarnation();
    assertThat(other).isEqualTo(processes.incarnations[1]);
  }

  @Test
  void anOrderHoldsForOneEndOnly() throws Exception {
    usage.mayEnd(0);
    processes.kill(0);
    usage.read(0);
    processes.restart(0);
    usage.read(0);
    processes.kill(0);
    assertThatThrownBy(() -> usage.read(0)).isInstanceOf(MeterException.class);
  }
}
