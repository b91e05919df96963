package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class RabbitLayoutTest {
  private static final double ROUNDING = 1e-9;

  @Test
  void twoOfSevenPrimaryAreThePapersTableScaledDown() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("2,4,7"), 2, 2);
    double sum = 1 / 3.0 + 1 / 4.0 + 1 / 5.0 + 1 / 6.0 + 1 / 7.0;
    assertThat(sum).isGreaterThan(1);
    assertThat(layout.share(1)).isEqualTo(1 / 2.0);
    assertThat(layout.share(2)).isEqualTo(1 / 2.0);
    for (int node = 3; node <= 7; node++) {
      assertThat(layout.share(node)).isCloseTo(1.0 / node / sum, within(ROUNDING));
    }
  }

  @Test
  void threeOfSevenPrimaryAreScaledUpAsTheyHoldNoWholeReplica() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    double sum = 1 / 4.0 + 1 / 5.0 + 1 / 6.0 + 1 / 7.0;
    assertThat(sum).isCloseTo(0.76, within(0.001));
    for (int node = 4; node <= 7; node++) {
      assertThat(layout.share(node)).isCloseTo(1.0 / node / sum, within(ROUNDING));
    }
  }

  @Test
  void noNodeHoldsABlockTwice() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("1,4"), 1, 4);
    assertThat(IntStream.rangeClosed(1, 4).mapToDouble(layout::share)).containsOnly(1.0);
    RabbitLayout tight = RabbitLayout.of(GearGroups.parse("1,5"), 1, 4);
    // 1/2 to 1/5 scaled to 3: the first would hold 1.17, which the others share.
    assertThat(tight.share(2)).isEqualTo(1);
    assertThat(tight.share(3)).isCloseTo(2 * (1 / 3.0) / (47 / 60.0), within(ROUNDING));
  }

  @Test
  void nodesServeEqualPartsWhereTheyCan() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    assertThat(layout.served(1, 1)).isCloseTo(1 / 3.0, within(ROUNDING));
    assertThat(layout.served(4, 1)).isZero();
    for (int node = 1; node <= 7; node++) {
      assertThat(layout.served(node, 2)).isCloseTo(1 / 7.0, within(ROUNDING));
    }
    // Scaled down, node 7 holds 0.131 of the data, which is less than a seventh.
    RabbitLayout less = RabbitLayout.of(GearGroups.parse("2,4,7"), 2, 2);
    assertThat(less.served(7, 3)).isCloseTo(less.share(7), within(ROUNDING)).isLessThan(1 / 7.0);
    assertThat(less.served(1, 3)).isGreaterThan(1 / 7.0).isEqualTo(less.served(3, 3));
  }

  @Test
  void everyGearServesEverything() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 300; trial++) {
      GearLayout layout = GearLayouts.any(random);
      for (int gear = 1; gear <= layout.groups().gears(); gear++) {
        double sum = 0;
        for (int node = 1; node <= layout.groups().nodes(); node++) {
          double served = layout.served(node, gear);
          assertThat(served).isLessThanOrEqualTo(layout.share(node) + ROUNDING);
          sum += served;
        }
        assertThat(sum).isCloseTo(1, within(ROUNDING));
      }
    }
  }

  @Test
  void afterAnyNumberOfBlocksNodesHoldTheirSharesToWithinABlock() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 150; trial++) {
      RabbitLayout layout = GearLayouts.rabbit(random);
      List<List<Integer>> homes = GearLayouts.homes(layout, layout.placer(), 300);
      for (int blocks = 1; blocks <= homes.size(); blocks += 7) {
        long[] counts = GearLayouts.counts(layout, homes.subList(0, blocks));
        assertThat(GearLayouts.farthest(layout, counts, blocks))
            .as("trial %d: %s", trial, layout.groups())
            .isLessThan(1 + 1e-6);
      }
    }
  }

  @Test
  void eachPrimaryMeetsEachOtherNodeEvenly() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,9"), 3, 2);
    int blocks = 3000;
    long[][] met = new long[3][9];
    for (List<Integer> homes : GearLayouts.homes(layout, layout.placer(), blocks)) {
      met[homes.get(0) - 1][homes.get(1) - 1]++;
    }
    for (int primary = 0; primary < 3; primary++) {
      for (int other = 4; other <= 9; other++) {
        assertThat((double) met[primary][other - 1])
            .isCloseTo(blocks * layout.share(other) / 3, within(3.0));
      }
    }
  }

  @Test
  void theRuleIsOnePrimaryAndAllReplicas() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    assertThat(layout.isPlaced(Set.of(1, 4))).isTrue();
    assertThat(layout.isPlaced(Set.of(1, 2))).isFalse();
    assertThat(layout.isPlaced(Set.of(4, 5))).isFalse();
    assertThat(layout.isPlaced(Set.of(1))).isFalse();
    assertThat(layout.isPlaced(Set.of(1, 4, 5))).isFalse();
    assertThat(layout.isPlaced(Set.of(1, 8))).isFalse();
    assertThat(layout.isPlaced(List.of(1, 4, 4))).isTrue();
  }

  @Test
  void whatCannotBeIsRefused() {
    GearGroups groups = GearGroups.parse("3,7");
    assertThatThrownBy(() -> RabbitLayout.of(groups, 4, 2))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("primaries: 4 primary nodes, where gear 1 has 3");
    assertThatThrownBy(() -> RabbitLayout.of(groups, 3, 6))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("replicas: 6 replicas");
    assertThatThrownBy(() -> RabbitLayout.of(groups, 0, 2)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> RabbitLayout.of(groups, 3, 0)).isInstanceOf(BadRequestException.class);
  }
}
