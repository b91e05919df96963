package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CatchUpPlanTest {
  private static final long MB = 1 << 20;

  private static CatchUpPlan inGear(GearLayout layout, int gear, List<PlacedBlock> blocks) {
    return CatchUpPlan.of(layout, node -> layout.groups().isOn(node, gear), blocks);
  }

  /** What has to be sent at least with all nodes on, whatever plan is made. */
  private static long least(GearLayout layout, List<PlacedBlock> blocks) {
    List<Set<Integer>> homes = layout.homeFinder().homes(blocks);
    long bytes = 0;
    for (int i = 0; i < blocks.size(); i++) {
      PlacedBlock block = blocks.get(i);
      Set<Integer> missing = new TreeSet<>(homes.get(i));
      missing.removeAll(block.nodes());
      if (block.homes().map(layout::isPlaced).orElse(false) || !layout.isPlaced(block.nodes())) {
        bytes += missing.size() * block.bytes();
      }
    }
    return bytes;
  }

  @Test
  void withHomesThatAreKnownAllBlocksComeHomeAndNothingElseIsSent() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 100; trial++) {
      GearLayout layout = GearLayouts.any(random);
      List<PlacedBlock> blocks = written(layout, random, 120, true);
      CatchUpPlan plan = inGear(layout, layout.groups().gears(), blocks);
      assertThat(plan.bytes()).isEqualTo(least(layout, blocks));
      assertThat(plan.pending()).isZero();
      List<PlacedBlock> after = carriedOut(layout, plan, blocks);
      for (PlacedBlock block : after) {
        assertThat(block.nodes()).isEqualTo(new TreeSet<>(block.homes().orElseThrow()));
      }
      assertThat(inGear(layout, layout.groups().gears(), after).transfers()).isEmpty();
    }
  }

  @Test
  void ofBlocksWhoseHomesAreUnknownOnlyThoseThatBreakTheRuleAreSent() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 100; trial++) {
      GearLayout layout = GearLayouts.any(random);
      List<PlacedBlock> blocks = written(layout, random, 60, false);
      CatchUpPlan plan = inGear(layout, layout.groups().gears(), blocks);
      assertThat(plan.bytes()).isEqualTo(least(layout, blocks));
      List<PlacedBlock> after = carriedOut(layout, plan, blocks);
      assertThat(after).allMatch(block -> layout.isPlaced(block.nodes()));
      for (int i = 0; i < blocks.size(); i++) {
        if (layout.isPlaced(blocks.get(i).nodes())) {
          assertThat(after.get(i)).isEqualTo(blocks.get(i));
        }
      }
    }
  }

  @Test
  void gearByGearOnlyNodesThatAreOnSendAndGetAnything() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 60; trial++) {
      GearLayout layout = GearLayouts.any(random);
      List<PlacedBlock> blocks = written(layout, random, 60, true);
      long sent = 0;
      for (int gear = 1; gear <= layout.groups().gears(); gear++) {
        CatchUpPlan plan = inGear(layout, gear, blocks);
        for (Transfer transfer : plan.transfers()) {
          assertThat(layout.groups().isOn(transfer.source(), gear)).isTrue();
          assertThat(layout.groups().isOn(transfer.to(), gear)).isTrue();
        }
        sent += plan.bytes();
        blocks = carriedOut(layout, plan, blocks);
        assertThat(inGear(layout, gear, blocks).transfers()).isEmpty();
      }
      assertThat(blocks)
          .allMatch(each -> each.nodes().equals(new TreeSet<>(each.homes().orElseThrow())));
      assertThat(sent).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void aReplicaStandsInForAHomeThatIsOff() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,5,7"), 3, 3);
    PlacedBlock block = block(Set.of(1, 2, 3), List.of(1, 4, 6));
    CatchUpPlan plan = inGear(layout, 2, List.of(block));
    assertThat(plan.transfers()).hasSize(1);
    assertThat(plan.transfers().get(0).to()).isEqualTo(4);
    assertThat(plan.transfers().get(0).isMove()).isTrue();
    assertThat(plan.pending()).isEqualTo(1);
    assertThat(inGear(layout, 1, List.of(block)).transfers()).isEmpty();
  }

  @Test
  void whatIsMissingIsCopiedBeforeAnythingGoes() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 3);
    CatchUpPlan plan =
        inGear(layout, layout.groups().gears(), List.of(block(Set.of(2), List.of(1, 4, 6))));
    assertThat(plan.transfers()).hasSize(3);
    assertThat(plan.transfers().stream().map(Transfer::isMove)).containsExactly(false, false, true);
    assertThat(plan.transfers().get(2).source()).isEqualTo(2);
    assertThat(plan.bytes()).isEqualTo(3 * 64 * MB);
  }

  @Test
  void whatNobodyCanSendIsTold() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    CatchUpPlan plan = inGear(layout, 1, List.of(block(Set.of(7), List.of(1, 7))));
    assertThat(plan.transfers()).isEmpty();
    assertThat(plan.unreadable()).containsExactly(7L);
  }

  @Test
  void homesThatCannotBeAreNotBelieved() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    for (List<Integer> homes : List.of(List.of(1, 2), List.of(1), List.of(1, 99))) {
      PlacedBlock block = block(Set.of(1, 4), homes);
      assertThat(inGear(layout, layout.groups().gears(), List.of(block)).transfers()).isEmpty();
    }
  }

  private static PlacedBlock block(Set<Integer> nodes, List<Integer> homes) {
    return new PlacedBlock(7, 64 * MB, nodes, Optional.of(homes));
  }

  /** Blocks of which the first half was written in the highest gear, the rest in the lowest. */
  private static List<PlacedBlock> written(
      GearLayout layout, Random random, int blocks, boolean areHomesKnown) {
    List<List<Integer>> homes = GearLayouts.homes(layout, layout.placer(), blocks);
    List<PlacedBlock> written = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      List<Integer> nodes = i < blocks / 2 ? homes.get(i) : lowGear(layout, homes.get(i), random);
      Optional<List<Integer>> known = areHomesKnown ? Optional.of(homes.get(i)) : Optional.empty();
      written.add(new PlacedBlock(i, 1 + random.nextInt(100), Set.copyOf(nodes), known));
    }
    return written;
  }

  private static List<Integer> lowGear(GearLayout layout, List<Integer> homes, Random random) {
    GearGroups groups = layout.groups();
    Set<Integer> nodes = new TreeSet<>(homes);
    nodes.removeIf(node -> !groups.isOn(node, 1));
    int wanted = layout instanceof ParaidLayout ? 1 : homes.size();
    while (nodes.size() < Math.min(wanted, groups.nodesIn(1))) {
      nodes.add(1 + random.nextInt(groups.nodesIn(1)));
    }
    return List.copyOf(nodes);
  }

  /** The blocks after a plan; no block may have more replicas than its layout allows meanwhile. */
  private static List<PlacedBlock> carriedOut(
      GearLayout layout, CatchUpPlan plan, List<PlacedBlock> blocks) {
    List<PlacedBlock> after = new ArrayList<>();
    for (PlacedBlock block : blocks) {
      Set<Integer> nodes = new TreeSet<>(block.nodes());
      for (Transfer transfer : plan.transfers()) {
        if (transfer.id() == block.id()) {
          assertThat(nodes).contains(transfer.source()).doesNotContain(transfer.to());
          nodes.add(transfer.to());
          transfer.from().ifPresent(from -> assertThat(nodes.remove(from)).isTrue());
          assertThat(nodes).hasSizeLessThanOrEqualTo(layout.replicas());
        }
      }
      after.add(new PlacedBlock(block.id(), block.bytes(), nodes, block.homes()));
    }
    return after;
  }
}
