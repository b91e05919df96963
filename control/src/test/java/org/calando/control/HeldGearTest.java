package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.control.order.KnobOrders;
import org.calando.control.shift.GearShifts;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.junit.jupiter.api.Test;

/** Shifts to the gear that a policy is steered to, for as long as a test says. */
class HeldGearTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<GearLook> looks = new ArrayList<>();
  private final List<String> inForce = new ArrayList<>();
  private final Numbers numbers = new Numbers();
  private int asked;
  private int wanted = 2;

  private ControlLoop<GearState> start(boolean waits, boolean dryRun) {
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(new Steered(), "cluster"),
            now -> {
              asked++;
              return Optional.of(
                  new GearObservation(now, 0, "cluster", numbers.now, 0, Optional.empty()));
            },
            new HeldGear(numbers, waits, HeldGear.OnFailure.END, dryRun, looks::add))
        .listener((decision, words) -> inForce.add(words))
        .start();
  }

  private GearLook last() {
    return looks.get(looks.size() - 1);
  }

  private void arrive() {
    numbers.now = wanted;
    numbers.shift.complete(null);
  }

  @Test
  void nothingIsObservedWhileAShiftIsUnderWay() {
    ControlLoop<GearState> loop = start(true, false);
    scheduler.advance(10 * SECOND);
    assertThat(asked).isEqualTo(1);
    assertThat(looks).isEmpty();
    arrive();
    assertThat(last().shifted()).isTrue();
    scheduler.advance(SECOND);
    assertThat(asked).isEqualTo(2);
    assertThat(last().tried()).isFalse();
    assertThat(numbers.begun).containsExactly("1 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void decisionsGoOnWhileAShiftIsUnderWayAndHoldAtItsEnd() {
    ControlLoop<GearState> loop = start(false, false);
    scheduler.run();
    wanted = 3;
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2");
    numbers.now = 2;
    numbers.shift.complete(null);
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2", "2 to 3");
    assertThat(inForce).containsExactly("at 1", "under way from 1", "at 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aLookThatTakesLongerThanAPeriodIsNoMissOfIt() {
    CompletableFuture<GearObservation> answer = new CompletableFuture<>();
    ControlLoop<GearState> loop =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(new Steered(), "cluster"),
                now -> answer,
                new HeldGear(numbers, true, HeldGear.OnFailure.END, false, looks::add))
            .deadlineNanos(10 * SECOND)
            .start();
    scheduler.advance(5 * SECOND);
    assertThat(looks).isEmpty();
    scheduler.advance(6 * SECOND);
    assertThat(looks).isNotEmpty().allMatch(look -> look.decision().isEmpty());
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void anAnswerThatTookLongerThanAPeriodIsDecidedOn() {
    ControlLoop<GearState> loop =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(new Steered(), "cluster"),
                now -> {
                  asked++;
                  scheduler.jump(3 * SECOND);
                  return CompletableFuture.completedFuture(
                      new GearObservation(
                          scheduler.now(), 0, "cluster", numbers.now, 0, Optional.empty()));
                },
                new HeldGear(numbers, true, HeldGear.OnFailure.END, true, looks::add))
            .periodNanos(SECOND)
            .deadlineNanos(10 * SECOND)
            .start();
    scheduler.advance(20 * SECOND);
    assertThat(asked).isGreaterThan(1);
    assertThat(looks).isNotEmpty().allMatch(look -> look.decision().isPresent());
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void noShiftIsBegunOnceTheLoopIsClosed() {
    HeldGear gear = new HeldGear(numbers, true, HeldGear.OnFailure.END, true, looks::add);
    HeldGear acting = new HeldGear(numbers, true, HeldGear.OnFailure.END, false, look -> {});
    ControlLoop<GearState> loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(new Steered(), "cluster"),
                now ->
                    Optional.of(
                        new GearObservation(now, 0, "cluster", numbers.now, 0, Optional.empty())),
                gear)
            .start();
    scheduler.run();
    acting.close(scheduler.clock().nanos());
    acting.act(looks.get(0).decision().orElseThrow(), scheduler.clock().nanos());
    assertThat(numbers.begun).isEmpty();
    loop.close();
  }

  @Test
  void aDryRunDecidesOnly() {
    ControlLoop<GearState> loop = start(true, true);
    scheduler.advance(SECOND);
    assertThat(numbers.begun).isEmpty();
    assertThat(looks).hasSize(2);
    assertThat(last().decided()).isEqualTo(2);
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void whatIsRefusedIsTriedAgainLessAndLess() {
    numbers.refuses = true;
    ControlLoop<GearState> loop = start(true, false);
    scheduler.advance(1000 * SECOND);
    // Up: at 0, 10, 30, 60, 90 s and so on.
    assertThat(numbers.begun).hasSize(3 + 970 / 30);
    assertThat(looks.get(0).notNow()).contains("table: it is busy; remedy: wait");
    assertThat(looks.get(1).notNow()).contains("was refused, and is tried again later");
    assertThat(looks.get(1).tried()).isFalse();
    // Down, another matter: at once, and then after 10, 20, 40, 80, 160, 300 and 300 s.
    numbers.now = 3;
    wanted = 1;
    numbers.begun.clear();
    scheduler.advance(1000 * SECOND);
    assertThat(numbers.begun).hasSize(8);
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aShiftThatFailsEndsTheLoop() {
    ControlLoop<GearState> loop = start(true, false);
    scheduler.run();
    numbers.shift.completeExceptionally(new IllegalStateException("half way"));
    assertThat(loop.failure().orElseThrow()).hasMessage("half way");
    scheduler.advance(10 * SECOND);
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void whereNothingIsObservedTheGearStaysAndThatIsHeard() {
    List<CompletableFuture<GearObservation>> asked = new ArrayList<>();
    ControlLoop<GearState> loop =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(new Steered(), "cluster"),
                now -> {
                  asked.add(new CompletableFuture<>());
                  return asked.get(asked.size() - 1);
                },
                new HeldGear(numbers, true, HeldGear.OnFailure.END, false, looks::add))
            .start();
    scheduler.run();
    asked.get(0).completeExceptionally(new FailedWorkException("does not answer", "store", "wait"));
    scheduler.run();
    assertThat(looks)
        .containsExactly(
            new GearLook(
                Optional.empty(),
                1,
                1,
                false,
                Optional.of("store: does not answer"),
                "at 1",
                List.of()));
    numbers.lost = true;
    scheduler.advance(SECOND);
    asked.get(1).completeExceptionally(new FailedWorkException("does not answer", "store", "wait"));
    scheduler.run();
    assertThat(loop.failure().orElseThrow()).hasMessage("no gear file");
  }

  /** Hears of pauses. */
  private final class Heard implements HeldGear.Listener {
    final List<String> events = new ArrayList<>();

    @Override
    public void looked(GearLook look) {
      looks.add(look);
    }

    @Override
    public void resumed(String where) {
      events.add("resumed" + where);
    }

    @Override
    public void paused(String why, long nanos) {
      events.add("paused for " + nanos / SECOND + " s: " + why);
    }

    @Override
    public void takenBack(String where) {
      events.add("took back" + where);
    }

    @Override
    public void pauseEnded() {
      events.add("pause ended");
    }
  }

  private ControlLoop<GearState> pausing(Heard heard) {
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(new Steered(), "cluster"),
            now ->
                Optional.of(
                    new GearObservation(now, 0, "cluster", numbers.now, 0, Optional.empty())),
            new HeldGear(numbers, true, HeldGear.OnFailure.PAUSE, false, heard))
        .listener((decision, words) -> inForce.add(words))
        .start();
  }

  @Test
  void aShiftThatFailsPausesShiftsEverLongerAndDecisionsContinue() {
    Heard heard = new Heard();
    numbers.fails = true;
    ControlLoop<GearState> loop = pausing(heard);
    scheduler.run();
    assertThat(heard.events).containsExactly("paused for 60 s: node: no power; remedy: fix it");
    assertThat(last().tried()).isTrue();
    assertThat(last().notNow().orElseThrow()).contains("no power");
    scheduler.advance(59 * SECOND);
    assertThat(numbers.begun).hasSize(1);
    assertThat(inForce).hasSize(60);
    assertThat(last().tried()).isFalse();
    assertThat(last().notNow().orElseThrow()).contains("paused", "no power");
    // At 60, 180, 420, 900, 1860, 3780, 7380 and 10980 s, as an hour is the longest pause.
    scheduler.advance((10_980 - 59) * SECOND);
    assertThat(numbers.begun).hasSize(9);
    assertThat(heard.events.subList(5, 9))
        .extracting(event -> event.substring(0, event.indexOf(" s")))
        .containsExactly(
            "paused for 1920", "paused for 3600", "paused for 3600", "paused for 3600");
    numbers.fails = false;
    scheduler.advance(3600 * SECOND);
    arrive();
    assertThat(heard.events.get(9)).isEqualTo("pause ended");
    assertThat(last().shifted()).isTrue();
    // What fails then begins with a minute again.
    numbers.fails = true;
    wanted = 3;
    scheduler.advance(SECOND);
    assertThat(heard.events.get(10)).startsWith("paused for 60 s");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aPlanThatAFailureLeftOpenIsResumedAfterThePause() {
    Heard heard = new Heard();
    numbers.fails = true;
    numbers.leavesOpen = true;
    ControlLoop<GearState> loop = pausing(heard);
    scheduler.run();
    wanted = 1;
    scheduler.advance(60 * SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2", "resume");
    assertThat(last().notNow()).contains("resumes an unfinished plan to 2");
    numbers.now = 2;
    numbers.open = Optional.empty();
    numbers.fails = false;
    numbers.shift.complete(null);
    assertThat(heard.events.subList(1, 3)).containsExactly("pause ended", "resumed to 2");
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2", "resume", "2 to 1");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aPlanThatIsOpenAtTheBeginningIsResumedBeforeAnythingIsObserved() {
    Heard heard = new Heard();
    numbers.open = Optional.of(" to 3");
    ControlLoop<GearState> loop = pausing(heard);
    scheduler.advance(10 * SECOND);
    assertThat(numbers.begun).containsExactly("resume");
    assertThat(looks).isEmpty();
    numbers.shift.completeExceptionally(new FailedWorkException("no power", "node", "fix it"));
    assertThat(heard.events).containsExactly("paused for 60 s: node: no power; remedy: fix it");
    scheduler.advance(60 * SECOND);
    assertThat(looks).isNotEmpty();
    assertThat(numbers.begun).containsExactly("resume", "resume");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void whatNoLongerIsWantedNorOpenEndsThePause() {
    Heard heard = new Heard();
    numbers.fails = true;
    ControlLoop<GearState> loop = pausing(heard);
    scheduler.run();
    wanted = 1;
    scheduler.advance(60 * SECOND);
    assertThat(numbers.begun).hasSize(1);
    assertThat(heard.events).hasSize(2).last().isEqualTo("pause ended");
    assertThat(loop.failure()).isEmpty();
  }

  /** Orders, and what is told of plans. */
  private static final class Given implements KnobOrders {
    private final List<String> plans = new ArrayList<>();
    private final List<String> overruled = new ArrayList<>();
    private Order order = Order.NONE;
    private Runnable changed = () -> {};
    private int highest;
    private int hearers;
    private OpenPlan plan = new OpenPlan("none", false, () -> false, false);

    void give(Order next) {
      order = next;
      changed.run();
    }

    @Override
    public Order of(String knob) {
      assertThat(knob).isEqualTo("gear");
      return order;
    }

    @Override
    public void overruled(String knob, Set<String> targets) {
      overruled.addAll(targets);
    }

    @Override
    public void highest(String knob, int value) {
      highest = value;
    }

    @Override
    public void plan(String knob, Optional<OpenPlan> open) {
      open.ifPresent(given -> plan = given);
      plans.add(open.map(plan -> plan.what() + (plan.undoing() ? " undoing" : "")).orElse("none"));
    }

    @Override
    public Hearing onChange(Runnable whenChanged) {
      changed = whenChanged;
      hearers++;
      return () -> {
        changed = () -> {};
        hearers--;
      };
    }
  }

  private final Given given = new Given();
  private int failed;

  private ControlLoop<GearState> ordered(Heard heard) {
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(new Steered(), "cluster"),
            now ->
                Optional.of(
                    new GearObservation(now, 0, "cluster", numbers.now, failed, Optional.empty())),
            new HeldGear(numbers, true, HeldGear.OnFailure.PAUSE, false, heard, given))
        .listener((decision, words) -> inForce.add(words))
        .start();
  }

  private static KnobOrders.Order held(String value) {
    return new KnobOrders.Order(Optional.empty(), Optional.of(value), false);
  }

  private static KnobOrders.Order paused(boolean takesBack) {
    return new KnobOrders.Order(Optional.of("paused by ann"), Optional.empty(), takesBack);
  }

  @Test
  void aGearThatIsHeldIsShiftedToWhateverIsDecided() {
    given.order = held("3");
    ControlLoop<GearState> loop = ordered(new Heard());
    scheduler.run();
    assertThat(numbers.begun).containsExactly("1 to 3");
    assertThat(inForce).containsExactly("at 1, held at 3");
    assertThat(given.highest).isEqualTo(3);
    numbers.now = 3;
    numbers.shift.complete(null);
    scheduler.advance(5 * SECOND);
    assertThat(numbers.begun).hasSize(1);
    given.give(KnobOrders.Order.NONE);
    scheduler.run();
    assertThat(numbers.begun).as("as is decided, at once").containsExactly("1 to 3", "3 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void whilePausedNothingIsShiftedUnlessNodesFailAndItGoesUpForThem() {
    given.order = paused(false);
    ControlLoop<GearState> loop = ordered(new Heard());
    scheduler.advance(5 * SECOND);
    assertThat(numbers.begun).isEmpty();
    assertThat(inForce).last().isEqualTo("at 1, paused by ann");
    assertThat(last().notNow()).as("nothing is amiss").isEmpty();
    failed = 1;
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2");
    assertThat(inForce).last().isEqualTo("at 1, in spite of: paused by ann");
    assertThat(given.overruled).containsExactly("cluster");
    arrive();
    wanted = 1;
    scheduler.advance(5 * SECOND);
    assertThat(numbers.begun).as("it is not shifted down").hasSize(1);
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aGearThatIsHeldLowGoesUpForNodesThatFail() {
    given.order = held("1");
    ControlLoop<GearState> loop = ordered(new Heard());
    scheduler.advance(5 * SECOND);
    assertThat(numbers.begun).isEmpty();
    failed = 1;
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aPlanUnderWayIsInterruptedAndTakenBackAndTheGearStays() {
    Heard heard = new Heard();
    ControlLoop<GearState> loop = ordered(heard);
    scheduler.run();
    assertThat(given.plans).last().isEqualTo("to gear 2");
    given.give(paused(true));
    assertThat(numbers.interrupts).isEqualTo(1);
    numbers.open = Optional.of(" to 2");
    numbers.shift.completeExceptionally(new InterruptedException());
    assertThat(numbers.begun).containsExactly("1 to 2", "undo");
    assertThat(given.plans).last().isEqualTo("to 2 undoing");
    numbers.open = Optional.empty();
    numbers.shift.complete(null);
    assertThat(heard.events).containsExactly("took back to 2");
    assertThat(given.plans).last().isEqualTo("none");
    scheduler.advance(10 * SECOND);
    assertThat(numbers.begun).hasSize(2);
    given.give(KnobOrders.Order.NONE);
    scheduler.run();
    assertThat(numbers.begun).last().isEqualTo("1 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  /** A plan is there some time after its shift has begun, and whoever looks then is told. */
  @Test
  void aPlanThatCannotBeTakenBackGoesToItsEnd() {
    numbers.undoable = false;
    ControlLoop<GearState> loop = ordered(new Heard());
    scheduler.run();
    numbers.open = Optional.of(" to 2");
    assertThat(given.plan.canUndo()).isFalse();
    given.give(paused(true));
    assertThat(numbers.interrupts).isZero();
    numbers.undoable = true;
    assertThat(given.plan.canUndo()).as("asked each time").isTrue();
    numbers.open = Optional.empty();
    arrive();
    assertThat(numbers.begun).containsExactly("1 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  /** A cluster that cannot be reached is tried again for as long as it takes. */
  @Test
  void whatCannotBeginHearsOfNoOrders() {
    numbers.lost = true;
    for (int tries = 0; tries < 3; tries++) {
      assertThatThrownBy(() -> ordered(new Heard())).isInstanceOf(IllegalStateException.class);
    }
    assertThat(given.hearers).isZero();
    numbers.lost = false;
    ControlLoop<GearState> loop = ordered(new Heard());
    assertThat(given.hearers).isEqualTo(1);
    loop.close();
    assertThat(given.hearers).isZero();
  }

  @Test
  void aPlanThatCannotBeTakenBackYetIsTriedAgain() {
    Heard heard = new Heard();
    numbers.open = Optional.of(" to 2");
    given.order = paused(true);
    ControlLoop<GearState> loop = ordered(heard);
    scheduler.run();
    assertThat(numbers.begun).containsExactly("undo");
    numbers.shift.completeExceptionally(new FailedWorkException("no power", "node", "mend it"));
    assertThat(heard.events).singleElement().asString().startsWith("paused for 60 s");
    scheduler.advance(60 * SECOND);
    assertThat(numbers.begun).containsExactly("undo", "undo");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aPlanThatIsOpenIsLeftWhilePausedAndResumedAfter() {
    numbers.open = Optional.of(" to 2");
    given.order = paused(false);
    ControlLoop<GearState> loop = ordered(new Heard());
    scheduler.advance(10 * SECOND);
    assertThat(numbers.begun).isEmpty();
    assertThat(given.plans).contains("to 2");
    given.give(KnobOrders.Order.NONE);
    scheduler.run();
    assertThat(numbers.begun).containsExactly("resume");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aPolicyThatSeesNoGearMayDecideOnIt() {
    ControlLoop<GearState> loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(new Blind(), "cluster"),
                now -> Optional.of(new Signals(now, "cluster", Map.of())),
                new HeldGear(numbers, false, HeldGear.OnFailure.END, false, looks::add))
            .start();
    scheduler.run();
    assertThat(loop.failure()).isEmpty();
    assertThat(numbers.begun).containsExactly("1 to 2");
    arrive();
    assertThat(last().failedNodes()).isZero();
    assertThat(last().load()).isEmpty();
  }

  private static final class Numbers implements GearShifts {
    final List<String> begun = new ArrayList<>();
    int now = 1;
    int interrupts;
    boolean refuses;
    boolean fails;
    boolean leavesOpen;
    boolean lost;
    boolean undoable = true;
    Optional<String> open = Optional.empty();
    CompletableFuture<Void> shift = new CompletableFuture<>();

    @Override
    public int gear() {
      if (lost) {
        throw new IllegalStateException("no gear file");
      }
      return now;
    }

    @Override
    public int highest() {
      return 3;
    }

    @Override
    public CompletionStage<?> shift(int to) {
      begun.add(now + " to " + to);
      shift = new CompletableFuture<>();
      if (refuses) {
        shift.completeExceptionally(new FailedWorkException("it is busy", "table", "wait"));
      }
      if (fails) {
        open = leavesOpen ? Optional.of(" to " + to) : open;
        shift.completeExceptionally(new FailedWorkException("no power", "node", "fix it"));
      }
      return shift;
    }

    @Override
    public Optional<String> unfinished() {
      return open;
    }

    @Override
    public CompletionStage<?> resume() {
      begun.add("resume");
      shift = new CompletableFuture<>();
      return shift;
    }

    @Override
    public boolean canUndo() {
      return undoable;
    }

    @Override
    public CompletionStage<?> undo() {
      begun.add("undo");
      shift = new CompletableFuture<>();
      return shift;
    }

    @Override
    public void interrupt() {
      interrupts++;
    }

    @Override
    public boolean isRefusal(CalandoException why) {
      return !why.problem().contains("no power");
    }

    @Override
    public String words(boolean isUnderWay) {
      return (isUnderWay ? "under way from " : "at ") + now;
    }
  }

  /** Wants the gear that it is told. */
  private class Steered implements GearPolicy {
    @Override
    public String name() {
      return "steered";
    }

    @Override
    public Step<GearState> decide(GearState state, GearObservation observation) {
      return step(state);
    }

    Step<GearState> step(GearState state) {
      return new Step<>(
          state, List.of(new Setting<>(KnobId.GEAR, "cluster", wanted)), List.of("a test"));
    }
  }

  /** As a policy of several knobs while it does not know the gear. */
  private final class Blind extends Steered {
    @Override
    public Step<GearState> decide(GearState state, Signals signals) {
      return step(state);
    }
  }
}
