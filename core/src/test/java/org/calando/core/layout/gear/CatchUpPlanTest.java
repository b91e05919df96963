package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.calando.core.layout.gear.ParaidLayout.Order;
import org.junit.jupiter.api.Test;

class CatchUpPlanTest {
  private static final long MB = 1 << 20;

  @Test
  void withHomesThatAreKnownAllBlocksComeHomeAndNothingElseIsSent() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 100; trial++) {
      GearLayout layout = GearLayouts.any(random);
      List<PlacedBlock> blocks = written(layout, random, 120, true);
      CatchUpPlan plan = CatchUpPlan.of(layout, blocks);
      assertThat(plan.bytes()).isEqualTo(plan.lowerBoundBytes());
      assertThat(plan.pending()).isZero();
      List<PlacedBlock> after = carriedOut(layout, plan, blocks);
      for (PlacedBlock block : after) {
        assertThat(block.nodes()).isEqualTo(new TreeSet<>(block.homes().orElseThrow()));
      }
      assertThat(CatchUpPlan.of(layout, after).transfers()).isEmpty();
    }
  }

  @Test
  void ofBlocksWhoseHomesAreUnknownOnlyThoseThatBreakTheRuleAreSent() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 100; trial++) {
      GearLayout layout = GearLayouts.any(random);
      List<PlacedBlock> blocks = written(layout, random, 60, false);
      CatchUpPlan plan = CatchUpPlan.of(layout, blocks);
      assertThat(plan.bytes()).isEqualTo(plan.lowerBoundBytes());
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
        CatchUpPlan plan = CatchUpPlan.of(layout, gear, blocks);
        for (Transfer transfer : plan.transfers()) {
          assertThat(layout.groups().isOn(transfer.source(), gear)).isTrue();
          assertThat(layout.groups().isOn(transfer.to(), gear)).isTrue();
        }
        sent += plan.bytes();
        blocks = carriedOut(layout, plan, blocks);
        assertThat(CatchUpPlan.of(layout, gear, blocks).transfers()).isEmpty();
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
    CatchUpPlan plan = CatchUpPlan.of(layout, 2, List.of(block));
    assertThat(plan.transfers()).hasSize(1);
    assertThat(plan.transfers().get(0).to()).isEqualTo(4);
    assertThat(plan.transfers().get(0).isMove()).isTrue();
    assertThat(plan.pending()).isEqualTo(1);
    assertThat(CatchUpPlan.of(layout, 1, List.of(block)).transfers()).isEmpty();
  }

  @Test
  void whatIsMissingIsCopiedBeforeAnythingGoes() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 3);
    CatchUpPlan plan = CatchUpPlan.of(layout, List.of(block(Set.of(2), List.of(1, 4, 6))));
    assertThat(plan.transfers()).hasSize(3);
    assertThat(plan.transfers().stream().map(Transfer::isMove)).containsExactly(false, false, true);
    assertThat(plan.transfers().get(2).source()).isEqualTo(2);
    assertThat(plan.bytes()).isEqualTo(3 * 64 * MB);
  }

  @Test
  void whatNobodyCanSendIsTold() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    CatchUpPlan plan = CatchUpPlan.of(layout, 1, List.of(block(Set.of(7), List.of(1, 7))));
    assertThat(plan.transfers()).isEmpty();
    assertThat(plan.unreadable()).containsExactly(7L);
  }

  @Test
  void homesThatCannotBeAreNotBelieved() {
    RabbitLayout layout = RabbitLayout.of(GearGroups.parse("3,7"), 3, 2);
    for (List<Integer> homes : List.of(List.of(1, 2), List.of(1), List.of(1, 99))) {
      PlacedBlock block = block(Set.of(1, 4), homes);
      assertThat(CatchUpPlan.of(layout, List.of(block)).transfers()).isEmpty();
    }
  }

  @Test
  void theExperimentsFileOf200MbMovesWhatWasPublished() {
    GearGroups groups = GearGroups.parse("3,7");
    ShiftForecast.NewFile file = ShiftForecast.NewFile.of("new", 200 * MB, 64 * MB);
    assertThat(file.blockBytes()).containsExactly(64 * MB, 64 * MB, 64 * MB, 8 * MB);
    GearLayout perFile = ParaidLayout.of(groups, Order.PER_FILE);
    assertThat(forecast(perFile, List.of(file)).bytes()).isEqualTo(8 * MB);
    GearLayout rabbit = RabbitLayout.of(groups, 3, 2);
    assertThat(forecast(rabbit, List.of(file)).bytes()).isEqualTo(200 * MB);
    assertThat(forecast(rabbit, List.of(file)).lowerBoundBytes() / MB).isBetween(199.9, 200.1);
  }

  @Test
  void placedEvenlyFourSeventhsMoveWhichIs114Mb() {
    GearLayout even = ParaidLayout.of(GearGroups.parse("3,7"), Order.EVEN);
    List<ShiftForecast.NewFile> files =
        IntStream.range(0, 70)
            .mapToObj(i -> ShiftForecast.NewFile.of("f" + i, 200 * MB, 50 * MB))
            .toList();
    ShiftForecast forecast = forecast(even, files);
    assertThat(forecast.bytes()).isEqualTo(70 * 200 * MB * 4 / 7);
    assertThat(forecast.lowerBoundBytes() / MB / 70).isBetween(114.28, 114.29);
    assertThat(forecast.blocks()).isEqualTo(160);
  }

  private static ShiftForecast forecast(GearLayout layout, List<ShiftForecast.NewFile> files) {
    return ShiftForecast.of(layout, layout.placer(), 1, 2, files);
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
