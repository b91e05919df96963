package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Plan;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Table table = new Table();
  private final ReadLevelKnob knob = new ReadLevelKnob(Table.NAME, table.picker);
  private final List<String> told = new ArrayList<>();
  private boolean nothingToSee;
  private HeldLevel level = new HeldLevel(knob, Table.SAFE_CHOICE, 5 * SECOND, false);

  /** Notes what it hears, beside how reads were set at that moment. */
  private final LoopListener notes =
      (decision, inForce) ->
          told.add(
              "%s while at %d"
                  .formatted(decision.step().reasons().get(0), table.picker.choice().replicas()));

  private ControlLoopBuilder<Integer> builder() {
    return builder(knob);
  }

  private ControlLoopBuilder<Integer> builder(Knob<ReadChoice> aKnob) {
    return builder(aKnob, 5 * SECOND, false);
  }

  private ControlLoopBuilder<Integer> builder(
      Knob<ReadChoice> aKnob, long validNanos, boolean dryRun) {
    level = new HeldLevel(aKnob, Table.SAFE_CHOICE, validNanos, dryRun);
    return ControlLoop.asking(scheduler, steered(), table, level).listener(notes);
  }

  private HeldLevel.State state(ControlLoop<Integer> ofLevel) {
    assertThat(ofLevel.failure()).isEmpty();
    return level.state();
  }

  private static PolicyLoop<Integer> steered() {
    return new PolicyLoop<>(new Table.Steered(), Table.NAME);
  }

  /** The open question is answered, some time later. */
  private void answer(int replicas, long afterNanos) {
    scheduler.advance(afterNanos);
    table.open.remove().complete(Table.saying(replicas, scheduler.now()));
    scheduler.run();
  }

  private ReadChoice reads() {
    return table.picker.choice();
  }

  @Test
  void eachPeriodItAsksDecidesTellsAndThenSets() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 10 * MILLI);
      assertThat(reads()).isEqualTo(ReadChoice.of(1));
      scheduler.advance(990 * MILLI);
      answer(2, 20 * MILLI);
      assertThat(reads()).isEqualTo(ReadChoice.of(2));
      assertThat(told).containsExactly("decision 1 while at 3", "decision 2 while at 1");
      assertThat(table.asked).containsExactly(1_000L, 1_000L + SECOND);
      assertThat(state(loop))
          .isEqualTo(new HeldLevel.State(ReadChoice.of(2), true, "decision 2", 2, 0));
    }
  }

  @Test
  void readsAreSafeBeforeTheFirstDecision() {
    table.picker.set(ReadChoice.of(1));
    try (ControlLoop<Integer> loop = builder().start()) {
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).decided()).isFalse();
    }
  }

  @Test
  void anObserverThatHangsIsNotAskedAgainAndLeavesReadsSafeUntilItAnswers() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 0);
      scheduler.advance(5 * SECOND - 1);
      assertThat(reads()).isEqualTo(ReadChoice.of(1));
      assertThat(table.asked).hasSize(2);
      scheduler.advance(1);
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      scheduler.advance(100 * SECOND);
      assertThat(table.asked).hasSize(2);
      assertThat(scheduler.tasks()).isLessThanOrEqualTo(4);
      assertThat(told).containsExactly("decision 1 while at 3");
      assertThat(state(loop).reason())
          .isEqualTo("no decision for 5.0 s: an observation is still under way");
      assertThat(state(loop).missed()).isGreaterThan(100);

      answer(2, 0);
      assertThat(reads()).as("it came too late").isEqualTo(Table.SAFE_CHOICE);
      scheduler.advance(SECOND);
      answer(2, 0);
      assertThat(reads()).isEqualTo(ReadChoice.of(2));
    }
  }

  @Test
  void aLateAnswerIsNotDecidedOnAndTheNextQuestionIsAskedInItsTime() {
    try (ControlLoop<Integer> loop = builder().deadlineNanos(100 * MILLI).start()) {
      scheduler.run();
      answer(1, 100 * MILLI + 1);
      assertThat(state(loop).decisions()).isZero();
      assertThat(state(loop).missed()).isEqualTo(1);
      scheduler.advance(SECOND - 100 * MILLI - 1);
      assertThat(table.asked).hasSize(2);
      answer(1, 99 * MILLI);
      assertThat(state(loop).decisions()).isEqualTo(1);
    }
  }

  @Test
  void failuresLeaveTheLastDecisionInForceForItsTimeOnly() {
    try (ControlLoop<Integer> loop = builder(knob, 3 * SECOND, false).start()) {
      scheduler.run();
      answer(1, 0);
      for (int i = 0; i < 20; i++) {
        scheduler.advance(SECOND);
        if (i == 1) {
          assertThat(reads()).isEqualTo(ReadChoice.of(1));
        }
        table.open.remove().completeExceptionally(new IllegalStateException("node b is down"));
        scheduler.run();
      }
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(told).hasSize(1);
      assertThat(state(loop).reason())
          .isEqualTo(
              "no decision for 3.0 s: asking failed:"
                  + " java.lang.IllegalStateException: node b is down");
    }
  }

  @Test
  void anObserverThatThrowsOrAnswersNothingIsAFailureToo() {
    List<Long> asked = new ArrayList<>();
    Observer broken =
        now -> {
          asked.add(now);
          if (asked.size() % 2 == 0) {
            throw new IllegalStateException("broken");
          }
          return java.util.concurrent.CompletableFuture.completedFuture(null);
        };
    try (ControlLoop<Integer> loop =
        ControlLoop.asking(scheduler, steered(), broken, level).start()) {
      scheduler.advance(9 * SECOND);
      assertThat(asked).hasSize(10);
      assertThat(state(loop).missed()).isEqualTo(10);
    }
  }

  @Test
  void aPolicyThatThrowsTurnsReadsSafeAtOnceAndMayRecover() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 0);
      for (int i = 0; i < 3; i++) {
        scheduler.advance(SECOND);
        answer(0, 0);
        assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
        assertThat(state(loop).reason())
            .isEqualTo("deciding failed: java.lang.IllegalStateException: no replica");
      }
      scheduler.advance(SECOND);
      answer(1, 0);
      assertThat(reads()).isEqualTo(ReadChoice.of(1));
      assertThat(told).containsExactly("decision 1 while at 3", "decision 2 while at 3");
      assertThat(state(loop).decided()).isTrue();
    }
  }

  @Test
  void whatAListenerCouldNotNoteIsNotDone() {
    LoopListener full =
        (decision, inForce) -> {
          throw new IllegalStateException("disk full");
        };
    try (ControlLoop<Integer> loop = builder().listener(full).start()) {
      scheduler.run();
      answer(1, 0);
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).reason()).contains("could not be recorded").contains("disk full");
    }
  }

  @Test
  void anObservationOfAnotherTimeOrTableIsNotDecidedOn() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      for (long at : new long[] {scheduler.now() - 1, scheduler.now() + 1}) {
        table.open.remove().complete(Table.saying(1, at));
        scheduler.run();
        assertThat(state(loop).decisions()).isZero();
        scheduler.advance(SECOND);
      }
      Observation other =
          new Observation(
              scheduler.now(),
              "shop.other",
              3,
              1,
              1,
              0,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              false);
      table.open.remove().complete(other);
      scheduler.run();
      assertThat(state(loop).decisions()).isZero();
      assertThat(state(loop).missed()).isEqualTo(3);
      assertThat(state(loop).reason()).contains("shop.other");
    }
  }

  @Test
  void afterTheClockJumpedForwardNothingOldIsInForceOrDecidedOn() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 0);
      scheduler.advance(SECOND);
      scheduler.jump(3600 * SECOND);
      answer(1, 0);
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).decisions()).isEqualTo(1);
      int before = table.asked.size();
      scheduler.advance(SECOND);
      assertThat(table.asked).as("missed periods are not made up for").hasSize(before + 1);
      answer(2, 0);
      assertThat(reads()).isEqualTo(ReadChoice.of(2));
    }
  }

  @Test
  void afterTheClockJumpedBackReadsAreSafeAndTheRhythmBeginsAnew() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 0);
      scheduler.advance(SECOND);
      Observation ofTheFuture = Table.saying(1, scheduler.now());
      scheduler.jump(-3600 * SECOND);
      table.open.remove().complete(ofTheFuture);
      scheduler.run();
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).reason()).isEqualTo("the clock went back by 3600.0 s");
      scheduler.advance(SECOND);
      answer(2, 0);
      assertThat(reads()).isEqualTo(ReadChoice.of(2));
      for (int i = 0; i < 4; i++) {
        scheduler.advance(SECOND);
        answer(1, 0);
      }
      assertThat(table.asked).as("one rhythm").hasSize(7);
    }
  }

  @Test
  void aDryRunDecidesAndTellsButTouchesNothing() {
    table.picker.set(ReadChoice.of(2));
    ControlLoop<Integer> loop = builder(knob, 5 * SECOND, true).start();
    scheduler.run();
    answer(1, 0);
    assertThat(state(loop).choice()).isEqualTo(ReadChoice.of(1));
    scheduler.advance(60 * SECOND);
    assertThat(state(loop).reason())
        .isEqualTo("no decision for 5.0 s: an observation is still under way");
    loop.close();
    assertThat(reads()).isEqualTo(ReadChoice.of(2));
    assertThat(told).containsExactly("decision 1 while at 2");
    assertThat(state(loop).reason()).isEqualTo("closed");
  }

  @Test
  void closeTurnsReadsSafeForGoodAndMayBeRepeated() {
    ControlLoop<Integer> loop = builder().start();
    scheduler.run();
    answer(1, 0);
    scheduler.advance(SECOND);
    loop.close();
    assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
    answer(1, 0);
    scheduler.advance(60 * SECOND);
    loop.close();
    assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
    assertThat(told).containsExactly("decision 1 while at 3");
    assertThat(state(loop).reason()).isEqualTo("closed");
    assertThat(table.asked).hasSize(2);
    assertThat(scheduler.tasks()).isZero();
  }

  @Test
  void aDecisionUnderWayWhenItIsClosedIsNotActedOn() {
    List<ControlLoop<Integer>> loops = new ArrayList<>();
    loops.add(builder().listener((decision, inForce) -> loops.get(0).close()).start());
    scheduler.run();
    answer(1, 0);
    assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
  }

  @Test
  void aLevelThatDoesNotReadBackIsTakenBackToTheSafeOne() {
    Stuck stuck = new Stuck();
    stuck.refused = ReadChoice.of(1);
    ControlLoop<Integer> loop = builder(stuck).start();
    scheduler.run();
    answer(1, 0);
    assertThat(stuck.value).isEqualTo(Table.SAFE_CHOICE);
    assertThat(state(loop).reason()).isEqualTo("set to 1: does not read back as done");
    scheduler.advance(SECOND);
    answer(2, 0);
    assertThat(stuck.value).isEqualTo(ReadChoice.of(2));

    stuck.refused = Table.SAFE_CHOICE;
    scheduler.advance(SECOND);
    answer(0, 0);
    assertThat(state(loop).reason()).contains("no replica").contains("fallback is not set");
    assertThatThrownBy(loop::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("fallback is not set");
    stuck.refused = null;
    loop.close();
    assertThat(stuck.value).isEqualTo(Table.SAFE_CHOICE);
  }

  @Test
  void aSafeLevelThatCouldNotBeSetIsTriedAgainEachPeriod() {
    Stuck stuck = new Stuck();
    try (ControlLoop<Integer> loop = builder(stuck).start()) {
      scheduler.run();
      answer(1, 0);
      stuck.refused = Table.SAFE_CHOICE;
      scheduler.advance(10 * SECOND);
      assertThat(stuck.value).isEqualTo(ReadChoice.of(1));
      stuck.refused = null;
      scheduler.advance(SECOND);
      assertThat(stuck.value).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).reason()).startsWith("no decision").doesNotContain("not set");
    }
  }

  @Test
  void aLoopGoesOnFromTheStateOfAnother() {
    PolicyLoop<Integer> resumed = new PolicyLoop<>(new Table.Steered(), Table.NAME, "41");
    try (ControlLoop<Integer> loop = ControlLoop.asking(scheduler, resumed, table, level).start()) {
      scheduler.run();
      answer(1, 0);
      assertThat(state(loop).reason()).isEqualTo("decision 42");
    }
  }

  @Test
  void aSchedulerThatRefusesTasksLeavesReadsSafe() {
    try (ControlLoop<Integer> loop = builder().start()) {
      scheduler.run();
      answer(1, 0);
      scheduler.refuses = true;
      scheduler.advance(SECOND);
      assertThat(reads()).isEqualTo(Table.SAFE_CHOICE);
      assertThat(state(loop).reason()).contains("refuses tasks");
    }
  }

  @Test
  void whatASensorSeesIsDecidedInTheSameTaskAndAtOnceIfSaidSo() {
    ControlLoop<Integer> loop =
        ControlLoop.looking(scheduler, steered(), this::seen, level)
            .atOnce()
            .listener(notes)
            .start();
    assertThat(reads()).as("before any task ran").isEqualTo(ReadChoice.of(1));
    scheduler.advance(SECOND);
    assertThat(state(loop).decisions()).isEqualTo(2);
    nothingToSee = true;
    scheduler.advance(SECOND);
    assertThat(state(loop).decisions()).isEqualTo(2);
    assertThat(state(loop).missed()).isZero();
    loop.close();
  }

  @Test
  void itIsDecidedBesideTheRhythmWhenWokenHoweverOften() {
    ControlLoop<Integer> loop =
        ControlLoop.looking(scheduler, steered(), this::seen, level).start();
    scheduler.run();
    scheduler.advance(SECOND / 2);
    loop.wake();
    loop.wake();
    assertThat(state(loop).decisions()).isEqualTo(1);
    scheduler.run();
    assertThat(state(loop).decisions()).isEqualTo(2);
    loop.wake();
    scheduler.run();
    scheduler.advance(SECOND / 2);
    assertThat(state(loop).decisions()).as("the rhythm is as before").isEqualTo(4);
    loop.close();
    loop.wake();
    scheduler.run();
    assertThat(state(loop).decisions()).isEqualTo(4);
  }

  @Test
  void anActorThatHoldsWhatWasSetEndsTheLoopByItsFailure() {
    List<String> set = new ArrayList<>();
    ControlLoop<Integer> loop =
        ControlLoop.looking(
                scheduler,
                steered(),
                this::seen,
                (decision, now) -> {
                  set.add(decision.step().reasons().get(0));
                  if (set.size() == 2) {
                    throw new IllegalStateException("no more");
                  }
                })
            .start();
    scheduler.run();
    assertThat(loop.failure()).isEmpty();
    assertThatThrownBy(() -> scheduler.advance(SECOND)).hasMessage("no more");
    assertThat(loop.failure().orElseThrow()).hasMessage("no more");
    scheduler.advance(10 * SECOND);
    assertThat(set).containsExactly("decision 1", "decision 2");
  }

  /** Throws whatever it is asked to. */
  private static final class Broken implements Actor {
    final List<String> misses = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    boolean breaks;
    boolean deaf;
    boolean mends;
    int acts;

    @Override
    public void act(Decision<?> decision, long nowNanos) {
      acts++;
    }

    @Override
    public void check(long nowNanos, String whyNothing) {
      if (breaks) {
        throw new AssertionError("a check");
      }
    }

    @Override
    public void missed(String why) {
      misses.add(why);
      if (deaf) {
        throw new IllegalStateException("a miss");
      }
    }

    @Override
    public void failed(String why, Throwable cause, long nowNanos) {
      failures.add(why);
      if (!mends) {
        Actor.super.failed(why, cause, nowNanos);
      }
    }
  }

  @Test
  void whatAnActorThrowsWhereItSetsNothingEndsTheLoopByItsFailure() {
    Broken actor = new Broken();
    ControlLoop<Integer> loop =
        ControlLoop.looking(scheduler, steered(), this::seen, actor).start();
    scheduler.run();
    actor.breaks = true;
    actor.deaf = true;
    assertThatThrownBy(() -> scheduler.advance(SECOND)).hasMessage("a check");
    assertThat(loop.failure().orElseThrow()).hasMessage("a check");
    assertThat(actor.failures).hasSize(1);
    scheduler.advance(10 * SECOND);
    assertThat(actor.acts).isEqualTo(1);
  }

  @Test
  void anActorThatBearsWhatItThrewGoesOnInTheNextPeriod() {
    Broken actor = new Broken();
    actor.mends = true;
    ControlLoop<Integer> loop =
        ControlLoop.looking(scheduler, steered(), this::seen, actor).start();
    scheduler.run();
    actor.breaks = true;
    scheduler.advance(3 * SECOND);
    assertThat(actor.failures).hasSize(3).allMatch(why -> why.contains("a check"));
    assertThat(actor.misses).isEqualTo(actor.failures);
    actor.breaks = false;
    scheduler.advance(2 * SECOND);
    assertThat(actor.acts).isEqualTo(3);
    assertThat(loop.failure()).isEmpty();
    loop.close();
  }

  /** Ends the loop in its second check. */
  private static final class Ending implements Actor {
    private ControlLoop<?> loop;
    private int checks;
    private int acts;

    @Override
    public void begin(ControlLoop<?> by, long nowNanos) {
      loop = by;
    }

    @Override
    public void check(long nowNanos, String whyNothing) {
      checks++;
      if (checks == 2) {
        loop.close();
      }
    }

    @Override
    public void act(Decision<?> decision, long nowNanos) {
      acts++;
    }
  }

  @Test
  void nothingIsObservedAfterACheckThatEndsTheLoop() {
    Ending actor = new Ending();
    ControlLoop<Integer> unused =
        ControlLoop.looking(scheduler, steered(), this::seen, actor).start();
    scheduler.run();
    scheduler.advance(10 * SECOND);
    assertThat(actor.acts).isEqualTo(1);
    assertThat(scheduler.tasks()).isZero();
  }

  private Optional<Observation> seen(long nowNanos) {
    return nothingToSee ? Optional.empty() : Optional.of(Table.saying(1, nowNanos));
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> builder().periodNanos(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder().deadlineNanos(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder(knob, 0, false)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A knob that does not keep one of its settings. */
  private static final class Stuck implements Knob<ReadChoice> {
    ReadChoice value = ReadChoice.of(2);
    ReadChoice refused;

    @Override
    public KnobId<ReadChoice> id() {
      return KnobId.READ_LEVEL;
    }

    @Override
    public String target() {
      return Table.NAME;
    }

    @Override
    public Lifetime lifetime() {
      return Lifetime.LEASED;
    }

    @Override
    public ReadChoice current() {
      return value;
    }

    @Override
    public Plan plan(ReadChoice from, ReadChoice to) {
      Plan.Action step =
          new Plan.Action() {
            @Override
            public String name() {
              return "set";
            }

            @Override
            public String describe() {
              return "set to " + to.replicas();
            }

            @Override
            public void perform() {
              value = to.equals(refused) ? value : to;
            }

            @Override
            public boolean isDone() {
              return value.equals(to);
            }

            @Override
            public void undo() {
              value = from;
            }
          };
      return new Plan(id().name(), target(), to.toString(), List.of(step));
    }
  }
}
