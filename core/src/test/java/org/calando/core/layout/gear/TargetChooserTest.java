package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.layout.gear.GearFile.Offload;
import org.junit.jupiter.api.Test;

class TargetChooserTest {
  private static final long MB = 1 << 20;
  private final GearGroups groups = GearGroups.parse("3,7");
  private final GearLayout rabbit = RabbitLayout.of(groups, 3, 2);
  private final GearLayout paraid = ParaidLayout.of(groups, ParaidLayout.Order.EVEN);

  @Test
  void homesThatAreOnAreTaken() {
    assertThat(chooser(rabbit).forNew(List.of(2, 5), 2, node -> true, MB)).containsExactly(2, 5);
    assertThat(chooser(paraid).forNew(List.of(5, 2), 2, node -> true, MB)).containsExactly(5, 2);
  }

  @Test
  void whereFewerReplicasAreWantedLowGearsReadThem() {
    assertThat(chooser(paraid).forNew(List.of(5, 2), 1, node -> true, MB)).containsExactly(2);
    assertThat(chooser(rabbit).forNew(List.of(2, 5), 1, node -> true, MB)).containsExactly(2);
  }

  @Test
  void whereMoreAreWantedMoreAreChosen() {
    assertThat(chooser(rabbit).forNew(List.of(2, 5), 3, node -> true, MB))
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(chooser(paraid).forNew(List.of(1), 3, node -> true, MB)).hasSize(2);
  }

  @Test
  void rabbitsHomesThatAreOffAreReplaced() {
    for (int seed = 0; seed < 20; seed++) {
      List<Integer> chosen =
          new TargetChooser(rabbit, Offload.RANDOM, seed)
              .forNew(List.of(2, 5), 2, node -> node <= 3, MB);
      assertThat(chosen).hasSize(2).contains(2).isSubsetOf(1, 2, 3);
    }
  }

  @Test
  void paraidsAreNotWhereAnotherHomeIsOn() {
    assertThat(chooser(paraid).forNew(List.of(5, 2), 2, node -> node <= 3, MB)).containsExactly(2);
    assertThat(chooser(paraid).forNew(List.of(5, 2), 2, node -> node != 2, MB))
        .hasSize(2)
        .contains(5)
        .containsAnyOf(1, 3);
  }

  @Test
  void whereNoneOfTheFirstGroupIsLeftAnyNodeIsBetterThanNone() {
    assertThat(chooser(paraid).forNew(List.of(2), 2, node -> node == 6, MB)).containsExactly(6);
    assertThat(chooser(rabbit).forNew(List.of(2, 5), 2, node -> node >= 6, MB))
        .containsExactlyInAnyOrder(6, 7);
    assertThat(chooser(rabbit).forNew(List.of(2, 5), 2, node -> false, MB)).isEmpty();
  }

  @Test
  void balancedThoseStandInThatDidLeast() {
    TargetChooser chooser = new TargetChooser(rabbit, Offload.BALANCED, 1);
    Placer placer = rabbit.placer();
    long[] stoodIn = new long[8];
    for (int i = 0; i < 300; i++) {
      List<Integer> homes = placer.next("f");
      for (int node : chooser.forNew(homes, 2, node -> node <= 3, MB)) {
        stoodIn[node] += homes.contains(node) ? 0 : 1;
      }
    }
    for (int node = 1; node <= 3; node++) {
      assertThat(stoodIn[node]).isBetween(99L, 101L);
    }
  }

  @Test
  void nothingIsReplicatedThatEveryGearCanRead() {
    assertThat(chooser(paraid).forLacking(List.of(2), 1, node -> true, MB)).isEmpty();
    assertThat(chooser(paraid).forLacking(List.of(5), 1, node -> true, MB))
        .hasSize(1)
        .isSubsetOf(1, 2, 3);
    // A file of three replicas wants one more than the layout has.
    assertThat(chooser(paraid).forLacking(List.of(2), 2, node -> true, MB)).hasSize(1);
  }

  @Test
  void whatRabbitLacksIsReplicatedWhereTheRuleWouldHaveIt() {
    assertThat(chooser(rabbit).forLacking(List.of(2), 1, node -> true, MB))
        .hasSize(1)
        .isSubsetOf(4, 5, 6, 7);
    assertThat(chooser(rabbit).forLacking(List.of(4), 1, node -> true, MB))
        .hasSize(1)
        .isSubsetOf(1, 2, 3);
    assertThat(chooser(rabbit).forLacking(List.of(2), 1, node -> node <= 3, MB))
        .hasSize(1)
        .isSubsetOf(1, 3);
  }

  @Test
  void aPipelineGetsAnyNodeThereIs() {
    assertThat(chooser(paraid).forMore(List.of(2), 1, node -> node == 3, MB)).containsExactly(3);
    assertThat(chooser(paraid).forMore(List.of(2), 1, node -> true, MB)).isSubsetOf(4, 5, 6, 7);
  }

  @Test
  void theHintIsDeletedUnlessAGearNeedsIt() {
    assertThat(deleted(rabbit, Set.of(1, 2, 5), 2, 1)).containsExactly(2);
    assertThat(deleted(rabbit, Set.of(1, 4, 5), 1, 1)).hasSize(1).isSubsetOf(4, 5);
    assertThat(deleted(rabbit, Set.of(1, 2, 5), 0, 1)).hasSize(1).isSubsetOf(1, 2);
    assertThat(deleted(paraid, Set.of(2, 4, 5), 0, 1)).hasSize(1).isSubsetOf(4, 5);
    assertThat(deleted(rabbit, Set.of(1), 1, 1)).isEmpty();
  }

  @Test
  void noDeletionMakesAGearUnreadable() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 500; trial++) {
      GearLayout layout = GearLayouts.any(random);
      int nodes = layout.groups().nodes();
      Set<Integer> held = new TreeSet<>();
      for (int i = 0; i <= random.nextInt(5); i++) {
        held.add(1 + random.nextInt(nodes));
      }
      List<Integer> left = new ArrayList<>(held);
      left.removeAll(deleted(layout, held, random.nextInt(nodes + 1), random.nextInt(5)));
      assertThat(left).isNotEmpty();
      for (int gear = 1; gear <= layout.groups().gears(); gear++) {
        assertThat(layout.isReadable(left, gear)).isEqualTo(layout.isReadable(held, gear));
      }
    }
  }

  private static List<Integer> deleted(GearLayout layout, Set<Integer> held, int hint, int excess) {
    return TargetChooser.toDelete(layout, held, held, hint, excess);
  }

  private static TargetChooser chooser(GearLayout layout) {
    return new TargetChooser(layout, Offload.RANDOM, 1);
  }
}
