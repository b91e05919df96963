package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LackingHomesTest {
  @Test
  void inTheHighestGearItIsWhatACatchUpWouldSendForTheBlockAlone() {
    Random random = new Random(GearLayouts.SEED);
    for (int i = 0; i < 2000; i++) {
      GearLayout layout = GearLayouts.any(random);
      TreeSet<Integer> nodes = new TreeSet<>();
      int size = 1 + random.nextInt(layout.groups().nodes());
      while (nodes.size() < size) {
        nodes.add(1 + random.nextInt(layout.groups().nodes()));
      }
      CatchUpPlan plan =
          CatchUpPlan.of(
              layout, node -> true, List.of(new PlacedBlock(1, 1, nodes, Optional.empty())));
      assertThat(layout.lacksHome(nodes, layout.groups().gears(), nodes.size()))
          .as("%s of %s, seed %d", nodes, layout.groups(), GearLayouts.SEED)
          .isEqualTo(!plan.transfers().isEmpty());
    }
  }

  @Test
  void whatIsAtHomeLacksNothingInAnyGear() {
    Random random = new Random(GearLayouts.SEED + 1);
    for (int i = 0; i < 500; i++) {
      GearLayout layout = GearLayouts.any(random);
      for (List<Integer> homes : GearLayouts.homes(layout, layout.placer(), 5)) {
        for (int gear = 1; gear <= layout.groups().gears(); gear++) {
          int now = gear;
          List<Integer> seen = new ArrayList<>(homes);
          seen.removeIf(node -> !layout.groups().isOn(node, now));
          assertThat(layout.lacksHome(seen, gear, layout.replicas()))
              .as("%s of %s in gear %d, seed %d", homes, layout.groups(), gear, GearLayouts.SEED)
              .isFalse();
        }
      }
    }
  }

  @Test
  void replicasBeyondTheLayoutsLeaveRoomForAHomeThatIsOff() {
    GearLayout rabbit = RabbitLayout.of(new GearGroups(List.of(3, 7)), 3, 2);
    assertThat(rabbit.lacksHome(List.of(1, 2), 1, 2)).isTrue();
    assertThat(rabbit.lacksHome(List.of(1, 2), 1, 3)).isFalse();
    assertThat(rabbit.lacksHome(List.of(1, 2, 3), 1, 3)).isTrue();
    assertThat(rabbit.lacksHome(List.of(1, 2), 2, 3)).isTrue();
    // One that asks for fewer than the layout's is to have the layout's all the same.
    assertThat(rabbit.lacksHome(List.of(1), 1, 1)).isFalse();
  }
}
