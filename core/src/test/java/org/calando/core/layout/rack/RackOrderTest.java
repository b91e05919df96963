package org.calando.core.layout.rack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class RackOrderTest {
  private static final KeptCopies ONE_COPY = new KeptCopies(OptionalInt.of(1), 0);

  private static List<RackNode> nodes(String centre, int racks, int each) {
    List<RackNode> nodes = new ArrayList<>();
    for (int node = 0; node < racks * each; node++) {
      nodes.add(new RackNode(centre + node, centre, "r" + (1 + node % racks)));
    }
    return nodes;
  }

  /** Of each range one replica in each rack, as NetworkTopologyStrategy has it. */
  private static KeyspaceReplicas spread(String name, List<RackNode> nodes, int racks) {
    Set<Set<String>> ranges = new LinkedHashSet<>();
    for (int from = 0; from < nodes.size(); from++) {
      Set<String> range = new LinkedHashSet<>();
      for (int i = 0; i < racks; i++) {
        range.add(nodes.get((from + i) % nodes.size()).name());
      }
      ranges.add(range);
    }
    return new KeyspaceReplicas(name, ranges);
  }

  @Test
  void oneRackOfThreeMayBeOffWhereAQuorumIsToStay() {
    List<RackNode> nodes = nodes("a", 3, 2);
    RackOrder order = RackOrder.of(nodes, List.of(spread("k", nodes, 3)), KeptCopies.QUORUM);
    assertThat(order.highest()).isEqualTo(2);
    assertThat(order.offIn(1)).containsExactly("a/r3");
    assertThat(order.offIn(2)).isEmpty();
    assertThat(order.nodesOf(order.offIn(1))).containsExactly("a2", "a5");
    assertThat(order.gearOf(Set.of("a/r3"))).contains(1);
    assertThat(order.gearOf(Set.of("a/r1"))).isEmpty();
  }

  @Test
  void twoRacksOfThreeNeedAnExplicitPromiseOfOneCopy() {
    List<RackNode> nodes = nodes("a", 3, 2);
    RackOrder order = RackOrder.of(nodes, List.of(spread("k", nodes, 3)), ONE_COPY);
    assertThat(order.highest()).isEqualTo(3);
    assertThat(order.offIn(1)).containsExactly("a/r2", "a/r3");
  }

  /** With a rack off QUORUM bears no failure of RF 3, ONE bears one, and two copies are left. */
  @Test
  void whatClientsWerePromisedKeepsARackOnWhereLessIsLeft() {
    assertThat(gears(promised(ConsistencyLevel.QUORUM, OptionalInt.of(1), 0))).isEqualTo(1);
    assertThat(gears(promised(ConsistencyLevel.QUORUM, OptionalInt.of(0), 2))).isEqualTo(2);
    assertThat(gears(promised(ConsistencyLevel.ONE, OptionalInt.of(1), 0))).isEqualTo(2);
    assertThat(gears(promised(ConsistencyLevel.ONE, OptionalInt.of(2), 0))).isEqualTo(1);
    assertThat(gears(promised(ConsistencyLevel.ALL, OptionalInt.of(0), 0))).isEqualTo(1);
    assertThat(gears(promised(ConsistencyLevel.ALL, OptionalInt.empty(), 3))).isEqualTo(1);
  }

  private static KeptCopies promised(ConsistencyLevel reads, OptionalInt survive, int copies) {
    return KeptCopies.promised(reads, Optional.empty(), survive, copies);
  }

  /** Whatever is promised of failures: requests at these levels would fail. */
  @Test
  void aLevelOfClientsThatNeedsMoreCopiesKeepsARackOn() {
    for (ConsistencyLevel level : List.of(ConsistencyLevel.ALL, ConsistencyLevel.THREE)) {
      assertThat(gears(promised(level, OptionalInt.empty(), 0))).isEqualTo(1);
      KeptCopies written =
          KeptCopies.promised(ConsistencyLevel.ONE, Optional.of(level), OptionalInt.empty(), 0);
      assertThat(gears(written)).isEqualTo(1);
    }
    KeptCopies two =
        KeptCopies.promised(
            ConsistencyLevel.TWO,
            Optional.of(ConsistencyLevel.LOCAL_QUORUM),
            OptionalInt.empty(),
            0);
    assertThat(gears(two)).isEqualTo(2);
    // Each data centre that loses a copy keeps a quorum of its own.
    assertThat(gears(promised(ConsistencyLevel.EACH_QUORUM, OptionalInt.empty(), 0))).isEqualTo(2);
  }

  private static int gears(KeptCopies keeps) {
    List<RackNode> nodes = nodes("a", 3, 2);
    return RackOrder.of(nodes, List.of(spread("k", nodes, 3)), keeps).highest();
  }

  @Test
  void aFailureThatIsToBeSurvivedKeepsTheRackOn() {
    List<RackNode> nodes = nodes("a", 3, 2);
    List<KeyspaceReplicas> three = List.of(spread("k", nodes, 3));
    KeptCopies survives = new KeptCopies(OptionalInt.empty(), 1);
    assertThat(RackOrder.of(nodes, three, survives).highest()).isEqualTo(1);
    List<RackNode> five = nodes("a", 5, 1);
    RackOrder order = RackOrder.of(five, List.of(spread("k", five, 5)), survives);
    assertThat(order.highest()).isEqualTo(2);
  }

  @Test
  void oneKeyspaceWithOneCopyKeepsAllOn() {
    List<RackNode> nodes = nodes("a", 3, 1);
    List<KeyspaceReplicas> both = List.of(spread("k", nodes, 3), spread("system_auth", nodes, 1));
    assertThat(RackOrder.of(nodes, both, KeptCopies.QUORUM).highest()).isEqualTo(1);
    assertThat(
            RackOrder.shortfall(nodes, both, KeptCopies.QUORUM, Set.of("a/r2"))
                .map(Shortfall::words))
        .contains("keyspace system_auth: of the copies on a1 0 would be on, and 1 are needed");
  }

  @Test
  void aDataCentreKeepsALocalQuorumOfItsOwn() {
    List<RackNode> nodes = new ArrayList<>(nodes("a", 3, 1));
    nodes.addAll(nodes("b", 2, 1));
    KeyspaceReplicas both = new KeyspaceReplicas("k", Set.of(Set.of("a0", "a1", "a2", "b0", "b1")));
    // Four of five are a quorum of all, and one of two is none of b.
    assertThat(
            RackOrder.shortfall(nodes, List.of(both), KeptCopies.QUORUM, Set.of("b/r2"))
                .map(Shortfall::needed))
        .contains(2);
    assertThat(RackOrder.of(nodes, List.of(both), KeptCopies.QUORUM).offIn(1))
        .containsExactly("a/r3");
  }

  @Test
  void whatIsOffleavesEachRangeItsCopiesWhateverTheRing() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int trial = 0; trial < 200; trial++) {
      int racks = 1 + random.nextInt(6);
      List<RackNode> nodes = nodes("a", racks, 1 + random.nextInt(3));
      Set<Set<String>> ranges = new LinkedHashSet<>();
      int replicas = 1 + random.nextInt(nodes.size());
      for (int range = 0; range < 20; range++) {
        Set<String> held = new LinkedHashSet<>();
        while (held.size() < replicas) {
          held.add(nodes.get(random.nextInt(nodes.size())).name());
        }
        ranges.add(held);
      }
      KeptCopies keeps = new KeptCopies(OptionalInt.empty(), random.nextInt(2));
      RackOrder order = RackOrder.of(nodes, List.of(new KeyspaceReplicas("k", ranges)), keeps);
      List<String> off = order.nodesOf(order.offIn(1));
      for (Set<String> range : ranges) {
        long left = range.stream().filter(node -> !off.contains(node)).count();
        assertThat(left == replicas || left >= keeps.needed(replicas))
            .as("seed " + seed + ", trial " + trial)
            .isTrue();
      }
    }
  }

  @Test
  void oneRackOfADataCentreStaysEvenWhereNothingIsHeld() {
    List<RackNode> nodes = nodes("a", 3, 1);
    assertThat(RackOrder.of(nodes, List.of(), KeptCopies.QUORUM).offIn(1))
        .containsExactly("a/r2", "a/r3");
  }

  @Test
  void aPromiseOfNoCopiesIsNone() {
    assertThatThrownBy(() -> new KeptCopies(OptionalInt.of(0), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
