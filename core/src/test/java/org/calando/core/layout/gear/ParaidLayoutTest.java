package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.ParaidLayout.Order;
import org.junit.jupiter.api.Test;

class ParaidLayoutTest {
  @Test
  void threeGearsOfSixNodesAreThePapersTable() {
    ParaidLayout layout = ParaidLayout.of(GearGroups.parse("2,4,6"), Order.EVEN);
    List<List<Integer>> homes = GearLayouts.homes(layout, layout.placer(), 6000);
    assertThat(GearLayouts.counts(layout, homes))
        .containsExactly(3000, 3000, 1500, 1500, 1000, 1000);
    assertThat(layout.served(1, 3)).isEqualTo(1 / 6.0);
    assertThat(layout.served(1, 2)).isEqualTo(1 / 4.0);
    assertThat(layout.served(1, 1)).isEqualTo(1 / 2.0);
    assertThat(layout.served(5, 2)).isZero();
  }

  @Test
  void copiesOfANodeThatIsSwitchedOffAreEvenOnThoseThatStay() {
    ParaidLayout layout = ParaidLayout.of(GearGroups.parse("2,4,6"), Order.EVEN);
    List<List<Integer>> homes = GearLayouts.homes(layout, layout.placer(), 6000);
    for (int node = 1; node <= 4; node++) {
      int copy = node;
      long ofNode5 = homes.stream().filter(each -> each.get(0) == 5 && each.get(1) == copy).count();
      assertThat((double) ofNode5).isCloseTo(250, within(30.0));
    }
  }

  @Test
  void nodesHoldTheirSharesToWithinABlockForEachGear() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 150; trial++) {
      ParaidLayout layout = ParaidLayout.of(GearLayouts.groups(random), Order.EVEN);
      List<List<Integer>> homes = GearLayouts.homes(layout, layout.placer(), 300);
      for (int blocks = 1; blocks <= homes.size(); blocks += 7) {
        long[] counts = GearLayouts.counts(layout, homes.subList(0, blocks));
        assertThat(GearLayouts.farthest(layout, counts, blocks))
            .as("trial %d: %s", trial, layout.groups())
            .isLessThanOrEqualTo(layout.groups().gears());
      }
    }
  }

  @Test
  void perFileTheRoundBeginsAtTheFirstNode() {
    ParaidLayout layout = ParaidLayout.of(GearGroups.parse("3,7"), Order.PER_FILE);
    Placer placer = layout.placer();
    for (String file : List.of("a", "b")) {
      for (int node = 1; node <= 4; node++) {
        assertThat(placer.next(file).get(0)).isEqualTo(node);
      }
    }
    assertThat(placer.next("a").get(0)).isEqualTo(5);
  }

  @Test
  void theRuleIsOneReplicaAGroupAndOneInTheFirst() {
    ParaidLayout layout = ParaidLayout.of(GearGroups.parse("2,4,6"), Order.EVEN);
    assertThat(layout.isPlaced(Set.of(1))).isTrue();
    assertThat(layout.isPlaced(Set.of(1, 3, 5))).isTrue();
    assertThat(layout.isPlaced(Set.of(1, 5))).isTrue();
    assertThat(layout.isPlaced(Set.of(1, 2))).isFalse();
    assertThat(layout.isPlaced(Set.of(3, 5))).isFalse();
    assertThat(layout.isPlaced(Set.of())).isFalse();
    assertThat(layout.isPlaced(Set.of(1, 7))).isFalse();
    assertThat(layout.isReadable(Set.of(3), 1)).isFalse();
    assertThat(layout.isReadable(Set.of(3), 2)).isTrue();
  }

  @Test
  void ordersAreReadAsTheyAreWritten() {
    for (Order order : Order.values()) {
      assertThat(Order.parse(order.label())).isEqualTo(order);
    }
    assertThatThrownBy(() -> Order.parse("odd"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("order: 'odd' is no order");
  }
}
