package org.calando.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.calando.core.replication.RoleEvent.Kind;
import org.junit.jupiter.api.Test;

class RoleWatchTest {
  private static final long PROMISE = 1000;

  private final RoleWatch watch = new RoleWatch(List.of("n1", "n2", "n3"), 0, PROMISE);

  @Test
  void aNodeThatHasNotAnsweredMayBeTheMaster() {
    assertThat(watch.view()).extracting(NodeView::mayBeMaster).containsExactly(true, true, true);
  }

  @Test
  void theFirstWordTellsWhatTheNodeIs() {
    assertThat(kinds(watch.said(master("n1", 10, 0)))).containsExactly(Kind.RAISE);
    assertThat(kinds(watch.said(replica("n2", 11, 0)))).containsExactly(Kind.LOWER);
    assertThat(view("n1").mayBeMaster()).isTrue();
    assertThat(view("n2").mayBeMaster()).isFalse();
  }

  @Test
  void theSameWordAgainTellsNothing() {
    watch.said(replica("n2", 1, 5));
    assertThat(watch.said(replica("n2", 2, 9))).isEmpty();
  }

  @Test
  void aPromotedNodeIsRaisedByItsOwnWord() {
    watch.said(replica("n2", 1, 0));
    assertThat(kinds(watch.said(master("n2", 2, 0)))).containsExactly(Kind.RAISE);
  }

  @Test
  void aChosenNodeIsRaisedBeforeItSaysSo() {
    watch.said(replica("n2", 1, 0));
    List<RoleEvent> events = watch.chosen("n2", 2);
    assertThat(kinds(events)).containsExactly(Kind.RAISE);
    assertThat(events.get(0).isUrgent()).isTrue();
    assertThat(watch.said(replica("n2", 3, 0))).isEmpty();
    assertThat(view("n2").mayBeMaster()).isTrue();
    assertThat(view("n2").promised()).isTrue();
  }

  @Test
  void aChoiceThatCameToNothingLapses() {
    watch.said(replica("n2", 1, 0));
    watch.chosen("n2", 2);
    assertThat(watch.said(replica("n2", 2 + PROMISE - 1, 0))).isEmpty();
    assertThat(kinds(watch.said(replica("n2", 2 + PROMISE, 0)))).containsExactly(Kind.LOWER);
  }

  @Test
  void aPromotedNodeThatIsDemotedIsLoweredAtOnce() {
    watch.said(replica("n2", 1, 0));
    watch.chosen("n2", 2);
    watch.said(master("n2", 3, 0));
    assertThat(kinds(watch.said(replica("n2", 4, 0)))).containsExactly(Kind.LOWER);
  }

  @Test
  void twoThatSayToBeTheMasterBothStayRaised() {
    watch.said(master("n1", 1, 0));
    watch.said(master("n2", 2, 0));
    watch.chosen("n2", 3);
    assertThat(view("n1").mayBeMaster()).isTrue();
    assertThat(view("n2").mayBeMaster()).isTrue();
    assertThat(kinds(watch.said(replica("n1", 4, 0)))).containsExactly(Kind.LOWER);
  }

  @Test
  void aSilentReplicaMayHaveBecomeTheMaster() {
    watch.said(replica("n2", 1, 0));
    assertThat(kinds(watch.silent("n2", 2))).containsExactly(Kind.RAISE);
    assertThat(view("n2").role()).isEqualTo(Role.UNKNOWN);
    assertThat(watch.silent("n2", 3)).isEmpty();
    assertThat(kinds(watch.said(replica("n2", 4, 0)))).containsExactly(Kind.LOWER);
  }

  @Test
  void aSilentMasterStaysRaised() {
    watch.said(master("n1", 1, 0));
    assertThat(watch.silent("n1", 2)).isEmpty();
    assertThat(view("n1").mayBeMaster()).isTrue();
  }

  @Test
  void anotherProcessOrIncarnationIsARestart() {
    watch.said(word("n2", 7, "a", Role.REPLICA, "n1", true, 0, 1));
    watch.silent("n2", 2);
    assertThat(kinds(watch.said(word("n2", 8, "b", Role.REPLICA, "n1", true, 0, 3))))
        .containsExactly(Kind.RESTARTED, Kind.LOWER);
    assertThat(kinds(watch.said(word("n2", 8, "c", Role.REPLICA, "n1", true, 0, 4))))
        .containsExactly(Kind.RESTARTED);
  }

  @Test
  void whatIsNotToldIsNoRestart() {
    watch.said(word("n2", 7, "a", Role.REPLICA, "n1", true, 0, 1));
    assertThat(watch.said(word("n2", 0, "", Role.REPLICA, "n1", true, 0, 2))).isEmpty();
  }

  @Test
  void aLinkThatBreaksOrLeadsElsewhereIsTold() {
    watch.said(replica("n3", 1, 0));
    assertThat(kinds(watch.said(word("n3", 0, "", Role.REPLICA, "n1", false, -1, 2))))
        .containsExactly(Kind.LINK);
    assertThat(kinds(watch.said(word("n3", 0, "", Role.REPLICA, "n2", false, -1, 3))))
        .containsExactly(Kind.LINK);
  }

  @Test
  void changedThreadsAreToldAfterTheFirstLook() {
    assertThat(watch.threads("n1", Set.of(1L, 2L), 1)).isEmpty();
    assertThat(watch.threads("n1", Set.of(2L, 1L), 2)).isEmpty();
    assertThat(kinds(watch.threads("n1", Set.of(1L, 2L, 3L), 3))).containsExactly(Kind.THREADS);
  }

  @Test
  void aReplicaThatServesReadsIsToldOnce() {
    watch.said(replica("n2", 1, 0));
    assertThat(kinds(watch.reads("n2", true, 2))).containsExactly(Kind.READS);
    assertThat(watch.reads("n2", true, 3)).isEmpty();
    assertThat(view("n2").servesReads()).isTrue();
    assertThat(kinds(watch.reads("n2", false, 4))).containsExactly(Kind.READS);
  }

  @Test
  void wordsThatComeLateAreIgnored() {
    watch.said(master("n2", 10, 0));
    assertThat(watch.said(replica("n2", 9, 0))).isEmpty();
    assertThat(view("n2").role()).isEqualTo(Role.MASTER);
  }

  @Test
  void strangersAreIgnored() {
    assertThat(watch.said(master("n9", 1, 0))).isEmpty();
    assertThat(watch.chosen("n9", 1)).isEmpty();
    assertThat(watch.silent("n9", 1)).isEmpty();
  }

  @Test
  void theLagIsWhatTheMasterHasWrittenSince() {
    watch.said(master("n1", 1_000, 5_000));
    watch.said(master("n1", 2_000, 7_000));
    watch.said(replica("n2", 2_000, 6_000));
    assertThat(view("n2").lagBytes()).isEqualTo(OptionalLong.of(1_000));
    assertThat(view("n2").lagNanos()).isEqualTo(OptionalLong.of(500));
    assertThat(view("n1").lagBytes()).isEmpty();
  }

  @Test
  void theLagOfAReplicasReplicaIsToTheMaster() {
    watch.said(master("n1", 1_000, 5_000));
    watch.said(replica("n2", 1_000, 5_000));
    watch.said(word("n3", 0, "", Role.REPLICA, "n2", true, 4_000, 1_000));
    assertThat(view("n3").lagBytes()).isEqualTo(OptionalLong.of(1_000));
  }

  @Test
  void aReplicaThatIsCutOffAheadOfItsMasterHasNoLag() {
    watch.said(master("n1", 1_000, 5_000));
    watch.said(word("n2", 0, "", Role.REPLICA, "n1", false, 4_000, 1_000));
    assertThat(view("n2").lagBytes()).isEqualTo(OptionalLong.of(1_000));
    watch.said(master("n1", 2_000, 100));
    assertThat(view("n2").lagBytes()).as("the master has begun anew").isEmpty();
    assertThat(view("n2").lagNanos()).isEmpty();
    watch.said(word("n2", 0, "", Role.REPLICA, "n1", true, 110, 2_001));
    assertThat(view("n2").lagBytes()).as("it was asked later").isEqualTo(OptionalLong.of(0));
  }

  @Test
  void replicasThatFollowEachOtherHaveNoLag() {
    watch.said(word("n2", 0, "", Role.REPLICA, "n3", true, 10, 1));
    watch.said(word("n3", 0, "", Role.REPLICA, "n2", true, 20, 1));
    assertThat(view("n2").lagBytes()).isEmpty();
  }

  /** Whatever comes in whatever order: a node that says master is raised, before and after. */
  @Test
  void noNodeThatSaysMasterIsEverLowered() {
    long seed = Long.getLong("calando.seed", new Random().nextLong());
    Random random = new Random(seed);
    for (int i = 1; i < 20_000; i++) {
      String name = "n" + (1 + random.nextInt(3));
      List<RoleEvent> events =
          switch (random.nextInt(5)) {
            case 0 -> watch.said(master(name, i, i));
            case 1 -> watch.said(replica(name, i, i / 2));
            case 2 -> watch.silent(name, i);
            case 3 -> watch.chosen(name, i);
            default -> watch.reads(name, random.nextBoolean(), i);
          };
      for (RoleEvent event : events) {
        assertThat(event.kind() == Kind.LOWER && event.now().role() != Role.REPLICA)
            .as("seed %d: %s", seed, event)
            .isFalse();
      }
      for (NodeView view : watch.view()) {
        assertThat(view.mayBeMaster() || view.role() == Role.REPLICA)
            .as("seed %d: %s", seed, view)
            .isTrue();
      }
    }
  }

  private NodeView view(String name) {
    return watch.view(name).orElseThrow();
  }

  private static NodeRole master(String node, long at, long offset) {
    return word(node, 0, "", Role.MASTER, "", true, offset, at);
  }

  private static NodeRole replica(String node, long at, long offset) {
    return word(node, 0, "", Role.REPLICA, "n1", true, offset, at);
  }

  private static NodeRole word(
      String node,
      long pid,
      String incarnation,
      Role role,
      String upstream,
      boolean linkUp,
      long offset,
      long at) {
    return new NodeRole(node, pid, incarnation, role, upstream, linkUp, offset, 0, at);
  }

  private static List<Kind> kinds(List<RoleEvent> events) {
    return events.stream().map(RoleEvent::kind).toList();
  }
}
