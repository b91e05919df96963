package org.calando.core.policy.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GearModelTest {
  @Test
  void aGearDrawsWhatItsNodesDrawAndTheOthersTheirOffPower() {
    GearModel model = GearCases.model(3, 7);
    assertThat(model.watts(2, 0)).isEqualTo(700);
    assertThat(model.watts(2, 350)).isEqualTo(7 * 150.0);
    assertThat(model.watts(1, 150)).isEqualTo(3 * 150.0 + 4 * 10);
    assertThat(model.watts(1, 1e9)).isEqualTo(3 * 200.0 + 4 * 10);
    assertThat(model.shiftSeconds(1, 2)).isEqualTo(60);
    assertThat(model.shiftSeconds(2, 1)).isEqualTo(20);
    assertThat(model.shiftSeconds(2, 2)).isZero();
    assertThat(model.shiftWatts(1, 2, 0)).isEqualTo(300 + 4 * 150.0);
    assertThat(model.shiftWatts(2, 1, 0)).isEqualTo(700);
  }

  @Test
  void theLowestGearLeavesTheShareFreeThatIsAskedFor() {
    GearModel model = GearCases.model(2, 5, 7);
    assertThat(model.lowestFor(200, 0)).isEqualTo(1);
    assertThat(model.lowestFor(200, 0.2)).isEqualTo(2);
    assertThat(model.lowestFor(400, 0.2)).isEqualTo(2);
    assertThat(model.lowestFor(401, 0.2)).isEqualTo(3);
    assertThat(model.lowestFor(1e9, 0.2)).isEqualTo(3);
    assertThat(model.lowestFor(Double.POSITIVE_INFINITY, 0)).isEqualTo(3);
    assertThat(model.lowestFor(Double.NaN, 0)).isEqualTo(3);
  }

  @Test
  void aNodeThatIsUpBeforeTheLastIdlesUntilThen() {
    GearModel model =
        new GearModel(
            List.of(1, 3),
            List.of(
                GearCases.node(0, 50, 100, 10, 80),
                GearCases.node(0, 50, 100, 10, 80),
                GearCases.node(0, 60, 100, 40, 90)),
            List.of(100.0, 300.0),
            5,
            CatchUpModel.none(2));
    assertThat(model.shiftSeconds(1, 2)).isEqualTo(40);
    assertThat(model.changingJoules(1, 2)).isEqualTo(10 * 80 + 30 * 50 + 40 * 90.0);
    assertThat(model.changingJoules(2, 1)).isEqualTo(5 * 110.0);
  }

  @Test
  void theNetSavingIsTheDifferenceOfTwoTimeLines() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = GearCases.random(random);
      int from = random.nextInt(2, model.highest() + 1);
      int to = random.nextInt(1, from);
      double load = random.nextDouble(model.capacity(to));
      double written = random.nextDouble(1e5);
      double seconds = model.offSeconds() + random.nextDouble(5000);
      double boot = model.shiftSeconds(to, from);
      double off = model.offSeconds();
      double up = model.watts(from, load) * (seconds + boot);
      double down =
          (off == 0 ? 0 : model.shiftWatts(from, to, load) * off)
              + model.watts(to, load) * (seconds - off)
              + (boot == 0 ? 0 : model.shiftWatts(to, from, load) * boot)
              + (seconds + boot)
                  * written
                  * model.catchUp().movedPerByte(to, from)
                  * model.catchUp().joulesPerByte();
      DownShift shift = DownShift.of(model, from, to, load, written);
      assertThat(shift.netJoules(seconds))
          .as("seed %d", seed)
          .isCloseTo(up - down, within(1e-9 * up));
      double even = shift.breakEvenSeconds();
      if (Double.isFinite(even) && even > off) {
        assertThat(shift.netJoules(even)).as("seed %d", seed).isCloseTo(0, within(1e-6 * up));
      }
      if (Double.isFinite(even)) {
        assertThat(shift.paysAfter(even * 1.001 + 0.001)).as("seed %d", seed).isTrue();
      }
    }
  }

  @Test
  void aShiftThatCostsMoreEachSecondNeverPays() {
    CatchUpModel dear = new CatchUpModel(List.of(1.0, 1.0), 1e6, 1, 0);
    GearModel model =
        GearModel.ofEqualNodes(List.of(3, 7), GearCases.node(10, 100, 200, 60, 150), 100, 20, dear);
    DownShift shift = DownShift.of(model, 2, 1, 100, 1000);
    assertThat(shift.savedWatts()).isNegative();
    assertThat(shift.breakEvenSeconds()).isInfinite();
    assertThat(shift.paysAfter(1e9)).isFalse();
    // Nothing written: 4 nodes save 90 W each, and boot at 50 W more than idle for 60 s. Going off
    // takes 20 s in which nothing is saved.
    DownShift dry = DownShift.of(model, 2, 1, 100, 0);
    assertThat(dry.savedWatts()).isCloseTo(360, within(1e-9));
    assertThat(dry.shiftJoules()).isCloseTo(4 * (20 * 90 + 60 * 50), within(1e-6));
  }

  @Test
  void modelsThatCannotBeAreRefused() {
    for (Integer[] gears : new Integer[][] {{}, {0, 1}, {3, 3}, {4, 3}}) {
      assertThatThrownBy(() -> GearCases.model(gears)).isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(() -> new CatchUpModel(List.of(0.0), 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GearLimits(0.9, 0.1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
