package org.calando.session.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.session.internal.shared.LeaseWorld.SECOND;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.calando.session.internal.shared.Leadership.Role;
import org.calando.session.internal.shared.LeaseWorld.Instance;
import org.junit.jupiter.api.Test;

class LeadershipTest {
  private final LeaseWorld world = new LeaseWorld(42);

  private Instance leader() {
    assertThat(world.leading()).hasSize(1);
    return world.leading().get(0);
  }

  private void settle() {
    world.run(5 * SECOND);
    leader();
  }

  @Test
  void oneAloneLeadsWithinASecondAndKeepsTheLease() {
    Instance only = world.join();
    world.run(SECOND);
    assertThat(only.role()).isEqualTo(Role.LEADING);
    var term = only.leadership.term();
    world.run(300 * SECOND);
    assertThat(only.role()).isEqualTo(Role.LEADING);
    assertThat(only.leadership.term()).isEqualTo(term);
    assertThat(only.published).isBetween(290, 310);
    assertThat(world.violated).isFalse();
  }

  @Test
  void ofManyThatComeAtOnceOneLeadsAndTheOthersFollowAtAPaceThatTheyShare() {
    for (int i = 0; i < 100; i++) {
      world.join();
    }
    world.run(20 * SECOND);
    Instance leader = leader();
    assertThat(world.instances).filteredOn(each -> each.role() == Role.FOLLOWING).hasSize(99);
    // What the leader publishes tells the others how many they are.
    world.instances.forEach(each -> each.leadership.told(leader.leadership.instances()));
    world.run(10 * SECOND);
    int before = world.instances.stream().mapToInt(each -> each.asked).sum();
    world.run(100 * SECOND);
    int asked = world.instances.stream().mapToInt(each -> each.asked).sum() - before;
    assertThat(asked / 100.0).isLessThan(100 / 6.0 + 100 / 60.0 + 2);
    assertThat(leader()).isSameAs(leader);
  }

  @Test
  void thoseWhoseGovernorIsSilentJoinOneByOneAndOneOfThemLeads() {
    for (int i = 0; i < 100; i++) {
      Instance instance = world.join();
      instance.governed = true;
      instance.leadership.told(100);
    }
    world.run(60 * SECOND);
    assertThat(world.instances).as("none asks anything").allMatch(each -> each.asked == 0);
    world.instances.forEach(each -> each.governed = false);
    world.run(SECOND);
    int atOnce = world.instances.stream().mapToInt(each -> each.asked).sum();
    assertThat(atOnce).isLessThan(50);
    world.run(20 * SECOND);
    Instance leader = leader();
    world.instances.forEach(each -> each.governed = true);
    world.run(5 * SECOND);
    assertThat(leader.role()).isEqualTo(Role.IDLE);
    int before = world.instances.stream().mapToInt(each -> each.asked).sum();
    world.run(60 * SECOND);
    assertThat(world.instances.stream().mapToInt(each -> each.asked).sum()).isEqualTo(before);
  }

  /** They would else contend for the lease with the one whose it is, and with whoever takes it. */
  @Test
  void ofManyWhoLeaveAtOnceOnlyTheOneThatLeadsTouchesTheLease() {
    for (int i = 0; i < 100; i++) {
      world.join();
    }
    world.run(20 * SECOND);
    leader();
    int before = world.withdrawn;
    world.instances.forEach(each -> each.governed = true);
    world.run(10 * SECOND);
    assertThat(world.owner()).isEmpty();
    assertThat(world.withdrawn - before).isEqualTo(1);
  }

  @Test
  void aBidThatIsMadeAfterItsInstanceHasLeftIsWithdrawn() {
    Leadership late =
        new Leadership(LeadershipSettings.usual(60 * SECOND), () -> 0, () -> new UUID(1, 1), 0);
    assertThat(late.begin(0, 1)).contains(GroupRequest.READ);
    late.saw(SECOND, Optional.empty());
    assertThat(late.begin(SECOND, 2)).contains(GroupRequest.TAKE);
    assertThat(late.bids()).isTrue();
    assertThat(late.rest(2 * SECOND, 3)).contains(GroupRequest.LEAVE);
    late.left();
    assertThat(late.bids()).isFalse();
    late.took(SECOND, 3 * SECOND, Leadership.Answer.YES, "");
    assertThat(late.rest(4 * SECOND, 4)).contains(GroupRequest.LEAVE);
    assertThat(late.bids()).isTrue();
  }

  /** One whose take is under way when it is told to leave. */
  private static Leadership leaving() {
    Leadership leaving =
        new Leadership(LeadershipSettings.usual(60 * SECOND), () -> 0, () -> new UUID(1, 1), 0);
    assertThat(leaving.begin(0, 1)).contains(GroupRequest.READ);
    leaving.saw(SECOND, Optional.empty());
    assertThat(leaving.begin(SECOND, 2)).contains(GroupRequest.TAKE);
    assertThat(leaving.rest(2 * SECOND, 3)).contains(GroupRequest.LEAVE);
    return leaving;
  }

  @Test
  void aBidThatIsMadeBeforeItsWithdrawalIsAnsweredIsWithdrawnAgain() {
    Leadership late = leaving();
    late.took(SECOND, 3 * SECOND, Leadership.Answer.YES, "");
    late.left();
    assertThat(late.bids()).isTrue();
    assertThat(late.rest(4 * SECOND, 4)).contains(GroupRequest.LEAVE);
    late.left();
    assertThat(late.bids()).isFalse();
  }

  @Test
  void aBidThatMayHaveBeenMadeAfterItsInstanceHasLeftIsWithdrawn() {
    Leadership late = leaving();
    late.left();
    late.took(SECOND, 3 * SECOND, Leadership.Answer.FAILED, "no answer");
    assertThat(late.bids()).isTrue();
    assertThat(late.rest(4 * SECOND, 4)).contains(GroupRequest.LEAVE);
  }

  @Test
  void aRenewalThatTookLongIsRepeatedAtOnce() {
    Leadership leader =
        new Leadership(
            LeadershipSettings.ofGovernor(60 * SECOND), () -> 0, () -> new UUID(1, 1), 0);
    assertThat(leader.begin(0, 1)).contains(GroupRequest.READ);
    leader.saw(0, Optional.empty());
    assertThat(leader.begin(0, 2)).contains(GroupRequest.TAKE);
    leader.took(0, 0, Leadership.Answer.YES, "");
    assertThat(leader.begin(SECOND, 3)).contains(GroupRequest.RENEW);
    leader.renewed(SECOND, 5 * SECOND, Leadership.Answer.FAILED);
    assertThat(leader.begin(5 * SECOND, 4)).contains(GroupRequest.RENEW);
    leader.renewed(5 * SECOND, 5 * SECOND + 1, Leadership.Answer.FAILED);
    assertThat(leader.begin(5 * SECOND + 2, 5)).doesNotContain(GroupRequest.RENEW);
  }

  /** Servers' clocks are so far apart that a row has ended for whoever reads it elsewhere. */
  @Test
  void whereBidsEndBeforeTheyAreReadEachMeasuresAloneAndSaysSo() {
    world.bidsEndAtOnce = true;
    Instance only = world.join();
    world.run(30 * SECOND);
    assertThat(only.role()).isEqualTo(Role.STANDALONE);
    assertThat(only.leadership.trouble().orElseThrow()).contains("clocks");
    world.bidsEndAtOnce = false;
    world.run(70 * SECOND);
    assertThat(only.role()).isEqualTo(Role.LEADING);
  }

  @Test
  void ofManyWhoBidAtTheSameTimeOneIsLeftWhenTheyRenew() {
    for (long seed = 1; seed <= 100; seed++) {
      LeaseWorld crowd = new LeaseWorld(seed);
      for (int i = 0; i < 30; i++) {
        crowd.join();
      }
      crowd.run(20 * SECOND);
      assertThat(crowd.leading()).as("seed %d", seed).hasSize(1);
      assertThat(crowd.owner()).contains(crowd.leading().get(0).leadership.term());
      assertThat(crowd.longestTogether).as("seed %d", seed).isLessThan(4 * SECOND);
      assertThat(crowd.violated).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void aGovernorThatIsStartedAgainLeadsWhenTheShortLeaseOfItsFormerSelfHasEnded() {
    for (int round = 0; round < 20; round++) {
      Instance former = world.join(LeadershipSettings.ofGovernor(60 * SECOND));
      world.run(30 * SECOND);
      assertThat(leader()).isSameAs(former);
      former.killed = true;
      Instance next = world.join(LeadershipSettings.ofGovernor(60 * SECOND));
      world.run(9 * SECOND);
      assertThat(leader()).isSameAs(next);
      next.killed = true;
      world.run(30 * SECOND);
    }
    assertThat(world.violated).isFalse();
  }

  /** Before figures of the leader's are too old to decide on. */
  @Test
  void aGovernorLeadsSecondsAfterTheLeaderOfManyLeftForIt() {
    for (int i = 0; i < 100; i++) {
      world.join().leadership.told(101);
    }
    List<Instance> sessions = List.copyOf(world.instances);
    Instance governor = world.join(LeadershipSettings.ofGovernor(60 * SECOND));
    for (int round = 0; round < 20; round++) {
      governor.governed = true;
      sessions.forEach(each -> each.governed = false);
      world.run(30 * SECOND);
      assertThat(leader()).isNotSameAs(governor);
      governor.governed = false;
      governor.leadership.told(101);
      world.run(2 * SECOND);
      assertThat(governor.role()).isEqualTo(Role.FOLLOWING);
      sessions.forEach(each -> each.governed = true);
      world.run(4 * SECOND);
      assertThat(leader()).isSameAs(governor);
    }
  }

  @Test
  void anotherTakesOverWhenTheLeaderIsKilled() {
    world.join();
    world.join();
    world.join();
    settle();
    Instance dead = leader();
    dead.killed = true;
    world.run(13 * SECOND);
    assertThat(leader()).isNotSameAs(dead);
    assertThat(world.violated).isFalse();
  }

  @Test
  void aProcessThatWasStoppedFindsOutThatAnotherLeads() {
    world.join();
    world.join();
    settle();
    Instance stopped = leader();
    stopped.stopped = true;
    world.run(30 * SECOND);
    assertThat(stopped.role()).isEqualTo(Role.LEADING); // in its own memory
    Instance next = leader();
    int published = stopped.published;
    stopped.stopped = false;
    world.run(SECOND);
    assertThat(stopped.role()).isEqualTo(Role.FOLLOWING);
    assertThat(stopped.published).isEqualTo(published);
    assertThat(leader()).isSameAs(next);
    assertThat(world.violated).isFalse();
  }

  @Test
  void oneAloneThatWasStoppedLeadsAgain() {
    Instance only = world.join();
    settle();
    only.stopped = true;
    world.run(30 * SECOND);
    only.stopped = false;
    world.run(2 * SECOND);
    assertThat(only.role()).isEqualTo(Role.LEADING);
    assertThat(world.owner()).contains(only.leadership.term());
  }

  @Test
  void whereBidsFailEachMeasuresAloneUntilTheyWorkAgain() {
    world.bidsFail = true;
    List<Instance> both = List.of(world.join(), world.join());
    world.run(15 * SECOND);
    assertThat(both).allMatch(each -> each.role() == Role.STANDALONE && each.leadership.measures());
    assertThat(both.get(0).leadership.trouble()).contains("no quorum");
    world.bidsFail = false;
    world.run(130 * SECOND);
    leader();
    assertThat(both).filteredOn(each -> each.role() == Role.FOLLOWING).hasSize(1);
  }

  @Test
  void aRefusalMakesItAloneAtOnce() {
    world.bidsRefused = true;
    Instance only = world.join();
    world.run(2 * SECOND);
    assertThat(only.role()).isEqualTo(Role.STANDALONE);
    int asked = only.asked;
    world.run(300 * SECOND);
    assertThat(only.asked - asked).isLessThan(8);
  }

  @Test
  void aLeaderWhoseRenewalsFailMeasuresOnWithoutPublishing() {
    world.join();
    world.join();
    settle();
    Instance leader = leader();
    world.bidsFail = true;
    world.run(11 * SECOND);
    assertThat(leader.role()).isEqualTo(Role.STANDALONE);
    int published = leader.published;
    world.run(5 * SECOND);
    assertThat(leader.published).isEqualTo(published);
    assertThat(world.violated).isFalse();
  }

  @Test
  void aLeaderThatCannotPublishLeavesTheLeaseToAnother() {
    world.join();
    world.join();
    settle();
    Instance leader = leader();
    world.publishingFails = true;
    world.run(12 * SECOND);
    world.publishingFails = false;
    world.run(5 * SECOND);
    assertThat(leader()).isNotSameAs(leader);
  }

  @Test
  void whoIsNotReadFallsAsleepLeavesTheLeaseAndWakesWithTheNextRead() {
    Instance one = world.join();
    settle();
    one.isRead = false;
    world.run(61 * SECOND);
    assertThat(one.role()).isEqualTo(Role.IDLE);
    assertThat(world.owner()).isEmpty();
    int asked = one.asked;
    world.run(600 * SECOND);
    assertThat(one.asked).isEqualTo(asked);
    one.isRead = true;
    world.run(2 * SECOND);
    assertThat(one.role()).isEqualTo(Role.LEADING);
  }

  @Test
  void whateverIsLostStoppedAndKilledOnlyThoseWhoseBidStandsPublishAndSoonOneAlone() {
    for (long seed = 1; seed <= 200; seed++) {
      LeaseWorld wild = new LeaseWorld(seed);
      SplittableRandom chance = new SplittableRandom(seed);
      for (int i = 0; i < 4; i++) {
        wild.join(20 * SECOND);
      }
      for (int round = 0; round < 40; round++) {
        wild.lost = chance.nextInt(4) == 0 ? 0.5 : 0.02;
        wild.bidsFail = chance.nextInt(8) == 0;
        wild.publishingFails = chance.nextInt(8) == 0;
        for (Instance each : wild.instances) {
          each.stopped = chance.nextInt(4) == 0;
          each.isRead = chance.nextInt(3) > 0;
          if (chance.nextInt(60) == 0) {
            each.killed = true;
          }
        }
        if (chance.nextInt(8) == 0) {
          wild.join(20 * SECOND);
        }
        wild.run((long) (chance.nextDouble() * 15 * SECOND));
        assertThat(wild.violated).as("seed %d", seed).isFalse();
        assertThat(wild.longestTogether).as("seed %d", seed).isLessThan(10 * SECOND);
      }
      wild.lost = 0;
      wild.bidsFail = false;
      wild.publishingFails = false;
      wild.join();
      wild.instances.forEach(
          each -> {
            each.stopped = false;
            each.isRead = true;
          });
      wild.run(150 * SECOND);
      assertThat(wild.leading()).as("seed %d", seed).hasSize(1);
      assertThat(wild.instances)
          .as("seed %d", seed)
          .allMatch(each -> each.killed || each.role() != Role.STANDALONE);
    }
  }
}
