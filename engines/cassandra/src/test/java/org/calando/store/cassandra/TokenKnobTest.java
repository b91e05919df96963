package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.TokenMover.End;
import org.calando.store.cassandra.TokenMover.Ended;
import org.junit.jupiter.api.Test;

class TokenKnobTest {
  private final FakeRing ring = new FakeRing(0, 100, 200);
  private final RingTokens before = RingTokens.now(ring.tokens());

  @Test
  void nodesMoveOneAfterTheOtherInTheOrderOfThePlan() throws InterruptedException {
    Plan plan = plan(false, "h2", 150, "h1", 50);
    assertThat(plan.steps())
        .extracting(Plan.Action::describe)
        .containsExactly("move n2 from 100 to 150", "move n1 from 0 to 50");
    perform(plan);
    assertThat(ring.orders).containsExactly("n2=150", "n1=50");
    assertThat(ring.places()).isEqualTo(Map.of("h1", 50L, "h2", 150L, "h3", 200L));
    assertThat(ring.streamed)
        .isEqualTo(Map.of("n1", FakeRing.BYTES_PER_MOVE, "n2", FakeRing.BYTES_PER_MOVE));
    assertThat(plan.steps()).allMatch(Plan.Action::isDone);
  }

  @Test
  void aMoveThatADeadProcessOrderedIsWatchedAndNotOrderedAgain() throws InterruptedException {
    for (long second : List.of(1L, 20L, 39L)) {
      FakeRing killed = new FakeRing(0, 100, 200);
      killed.killedAtSeconds = second;
      Plan.Action step = plan(killed, before, false, "h2", 150).steps().get(0);
      assertThatThrownBy(step::perform).isInstanceOf(FakeRing.Killed.class);
      killed.forget();

      assertThat(step.isDone()).isFalse();
      step.perform();
      assertThat(killed.orders).containsExactly("n2=150");
      assertThat(step.isDone()).isTrue();
      assertThat(killed.streamed).isEqualTo(Map.of("n2", FakeRing.BYTES_PER_MOVE));
    }
  }

  @Test
  void aWayThatBreaksIsNoReasonToStop() throws InterruptedException {
    ring.brokenWays.add("h2");
    perform(plan(false, "h2", 150));
    assertThat(ring.places()).containsEntry("h2", 150L);
  }

  @Test
  void aNodeThatRefusesIsTold() {
    ring.refusals.put("h2", new Ended(End.REFUSED, "target token is already owned"));
    assertFails(plan(false, "h2", 150), "n2: is at rest and has not moved: target token is");
    assertThat(ring.places()).isEqualTo(Map.of("h1", 0L, "h2", 100L, "h3", 200L));
  }

  @Test
  void aNodeThatGivesUpIsToBeRestartedAndThenMoves() throws InterruptedException {
    ring.givingUp.add("h2");
    Plan plan = plan(false, "h2", 150);
    assertFails(plan, "n2: gave up (Stream failed) and stays in the state MOVING");
    ring.forget();
    assertFails(plan, "n2: is in the state MOVING, and nothing has been streamed for 10 minutes");

    ring.restart("h2");
    ring.givingUp.clear();
    perform(plan);
    assertThat(ring.places()).containsEntry("h2", 150L);
  }

  @Test
  void anOrderThatNeverArrivesIsNotWaitedForAllDay() {
    ring.deaf.add("h2");
    assertFails(plan(false, "h2", 150), "n2: has not begun to move 10 minutes after");
  }

  @Test
  void nothingIsBegunWhileSomethingStandsInTheWay() {
    ring.obstacle = Optional.of("node n3 does not answer");
    assertFails(plan(false, "h2", 150), "node n3 does not answer; nothing was begun");
    assertThat(ring.orders).isEmpty();
  }

  @Test
  void aMoveThatTakesTooLongIsLeftToItself() {
    ring.moveSeconds = 7200;
    assertFails(plan(false, "h2", 150), "n2: has not arrived within 3600 s; it continues");
    assertThat(ring.isMoving("h2")).isTrue();
  }

  @Test
  void aNodeThatHasArrivedIsSeenByAllOrTheStepIsNotDone() {
    ring.doubt = Optional.of("node n3 holds n2 to be NORMAL at [100]");
    Plan plan = plan(false, "h2", 150);
    assertFails(plan, "n2: has arrived, but node n3 holds n2");
    assertThat(plan.steps().get(0).isDone()).isFalse();
    ring.doubt = Optional.empty();
    assertThat(plan.steps().get(0).isDone()).isTrue();
  }

  @Test
  void aNodeThatAnswersNoMoreIsGivenTime() throws InterruptedException {
    ring.silentFrom = 5;
    ring.silentTo = 60;
    perform(plan(false, "h2", 150));
    assertThat(ring.places()).containsEntry("h2", 150L);

    ring.silentFrom = ring.nanoTime() / FakeRing.SECOND + 5;
    ring.silentTo = Long.MAX_VALUE;
    RingTokens now = RingTokens.now(ring.tokens());
    assertFails(plan(ring, now, false, "h2", 160), "n2: does not answer any more");
  }

  @Test
  void aNodeThatDoesNotAnswerIsNotMoved() {
    ring.silent.add("h2");
    assertThatThrownBy(() -> perform(plan(false, "h2", 150)))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer");
    assertThat(ring.orders).isEmpty();
  }

  @Test
  void whoeverElseMovedNodesIsRespected() {
    Plan plan = plan(false, "h2", 150);
    ring.put("h2", 120);
    assertFails(plan, "n2: has token 120, and the plan has it at 100; nothing was begun");
    ring.put("h2", 100);
    ring.put("h3", 140);
    assertFails(plan, "n3: has token 140, and the plan has it at 200; nothing was begun");
    assertThat(ring.orders).isEmpty();
  }

  @Test
  void nothingIsBegunWhileAnotherProcessMovesNodes() {
    ring.movedElsewhere = "h3";
    ring.moveElsewhere();
    assertFails(plan(false, "h2", 150), "n3 is moving, by no step of this plan; nothing was begun");
    assertThat(ring.orders).isEmpty();
    assertThat(ring.nanoTime()).as("it does not wait for its turn").isZero();
  }

  @Test
  void aPlanStopsWhenAnotherProcessBeginsToMoveNodes() {
    ring.movedElsewhere = "h3";
    ring.elsewhereAtSeconds = 10;
    Plan plan = plan(false, "h2", 150, "h1", 50);
    assertFails(plan, "n3 is moving, by no step of this plan; n2 continues by itself");
    ring.pause(3600 * FakeRing.SECOND);
    Plan.Action next = plan.steps().get(1);
    assertThatThrownBy(next::perform)
        .hasMessageContaining("n3: has token 1000, and the plan has it at 200");
    assertThat(ring.orders).containsExactly("n2=150");
  }

  @Test
  void aMoveThatEndsAmidALookHasNotFailed() throws InterruptedException {
    ring.torn = true;
    perform(plan(false, "h2", 150, "h1", 50));
    assertThat(ring.orders).containsExactly("n2=150", "n1=50");

    ring.killedAtSeconds = ring.nanoTime() / FakeRing.SECOND + 10;
    RingTokens now = RingTokens.now(ring.tokens());
    Plan.Action step = plan(ring, now, false, "h2", 160).steps().get(0);
    assertThatThrownBy(step::perform).isInstanceOf(FakeRing.Killed.class);
    ring.forget();
    step.perform();
    assertThat(step.isDone()).isTrue();
    assertThat(ring.orders).containsExactly("n2=150", "n1=50", "n2=160");
  }

  @Test
  void aPlanThatWasTakenBackInPartGoesForwardAgain() throws InterruptedException {
    Plan plan = plan(false, "h2", 150, "h1", 50);
    perform(plan);
    plan.steps().get(1).undo();
    assertThat(plan.steps()).extracting(Plan.Action::isDone).containsExactly(true, false);
    plan.steps().get(1).perform();
    assertThat(ring.orders).containsExactly("n2=150", "n1=50", "n1=0", "n1=50");
  }

  @Test
  void movesAreTakenBackAlsoAmidThem() throws InterruptedException {
    Plan.Action step = plan(false, "h2", 150).steps().get(0);
    step.perform();
    step.undo();
    assertThat(ring.orders).containsExactly("n2=150", "n2=100");
    assertThat(ring.places()).containsEntry("h2", 100L);
    step.undo();
    assertThat(ring.orders).hasSize(2);

    ring.killedAtSeconds = ring.nanoTime() / FakeRing.SECOND + 10;
    assertThatThrownBy(step::perform).isInstanceOf(FakeRing.Killed.class);
    ring.forget();
    step.undo();
    assertThat(ring.orders).containsExactly("n2=150", "n2=100", "n2=150", "n2=100");
    assertThat(ring.places()).containsEntry("h2", 100L);
  }

  @Test
  void cleanupComesAfterAllMovesAndIsDoneAgainAfterAKill() throws InterruptedException {
    perform(plan(true, "h2", 150));
    assertThat(ring.orders).containsExactly("n2=150", "cleanup n1", "cleanup n2", "cleanup n3");
    Plan again = plan(true, "h2", 150);
    assertThat(again.steps()).extracting(Plan.Action::isDone).startsWith(true, false);

    ring.refusals.put("h1", new Ended(End.REFUSED, "No space left"));
    assertFails(plan(true), "cleanup of n1: No space left");
  }

  @Test
  void aPlanForOtherNodesIsRefused() {
    RingTokens other = RingTokens.now(Map.of("h1", BigInteger.ONE));
    assertThatThrownBy(() -> knob(ring).plan(other, other))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("for other nodes");
  }

  private void assertFails(Plan plan, String message) {
    assertThatThrownBy(() -> perform(plan))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(message);
  }

  private static void perform(Plan plan) throws InterruptedException {
    for (Plan.Action step : plan.steps()) {
      step.perform();
    }
  }

  private Plan plan(boolean cleanup, Object... targets) {
    return plan(ring, before, cleanup, targets);
  }

  /** Hosts and where they are to go, in turn. */
  private static Plan plan(FakeRing ring, RingTokens before, boolean cleanup, Object... targets) {
    Map<String, BigInteger> after = new TreeMap<>(before.tokens());
    List<String> order = new ArrayList<>();
    for (int i = 0; i < targets.length; i += 2) {
      order.add((String) targets[i]);
      after.put((String) targets[i], BigInteger.valueOf((Integer) targets[i + 1]));
    }
    return knob(ring).plan(before, new RingTokens("half", after, order, cleanup));
  }

  private static TokenKnob knob(FakeRing ring) {
    return new TokenKnob(ring.state(), ring, ring, ring, Duration.ofHours(1));
  }
}
