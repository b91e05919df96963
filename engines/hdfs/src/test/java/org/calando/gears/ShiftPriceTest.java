package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.layout.gear.GearGroups;
import org.junit.jupiter.api.Test;

class ShiftPriceTest {
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 50, 100, 2, 1, PowerCurve.linear(), 60, 70, "a test");
  private static final GearGroups GROUPS = new GearGroups(List.of(3, 7));
  private static final List<NodeProfile> NODES = Collections.nCopies(7, NODE);

  @Test
  void goingDownSavesIdlePowerAndPaysWhenTheBootsAreEarned() {
    ShiftPrice down = ShiftPrice.of(GROUPS, NODES, 2, 1, 30, 0);
    assertThat(down.savedWatts()).isCloseTo(4 * 45, within(1e-9));
    assertThat(down.shiftJoules()).isCloseTo(4 * 30 * 50, within(1e-9));
    // Four nodes are at 50 W, not at 5 W, for 30 s, and boot at 70 W, not idling at 50 W, for 60 s.
    assertThat(down.roundTripJoules()).isCloseTo(4 * (30 * 45 + 60 * 20), within(1e-9));
    assertThat(down.paysAfterSeconds()).isCloseTo(4 * (30 * 45 + 60 * 20) / 180.0, within(1e-9));
    assertThat(down.catchUpBytes()).isZero();
  }

  @Test
  void goingUpBootsNodesAndMovesWhatWaits() {
    ShiftPrice up = ShiftPrice.of(GROUPS, NODES, 1, 2, 30, 1_000_000_000);
    assertThat(up.shiftSeconds()).isEqualTo(60);
    // 20 ms of CPU time a megabyte, of 25 W each.
    assertThat(up.shiftJoules()).isCloseTo(4 * 60 * 70 + 20 * 25, within(1e-6));
    assertThat(up.savedWatts()).isCloseTo(4 * 45, within(1e-9));
    assertThatThrownBy(() -> ShiftPrice.of(GROUPS, NODES, 2, 2, 30, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nodesThatDrawAsMuchWhenOffNeverPay() {
    NodeProfile hungry =
        new NodeProfile("hungry", 50, 50, 100, 2, 1, PowerCurve.linear(), 60, 70, "a test");
    ShiftPrice price = ShiftPrice.of(GROUPS, Collections.nCopies(7, hungry), 2, 1, 30, 0);
    assertThat(price.paysAfterSeconds()).isInfinite();
  }
}
