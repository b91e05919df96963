package org.calando.core.policy.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.policy.gear.GearCases.MINUTE;
import static org.calando.core.policy.gear.GearCases.SECOND;
import static org.calando.core.policy.gear.GearCases.at;
import static org.calando.core.policy.gear.GearCases.blind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.junit.jupiter.api.Test;

class GearPoliciesTest {
  private static final GearModel MODEL = GearCases.model(3, 7);
  private static final GearLimits LIMITS = GearLimits.defaults();
  private static final long DAY = 86_400;

  @Test
  void aLoadAboveTheGearIsFollowedAtOnceAndOneBelowAfterTheResidency() {
    PolicyLoop<GearState> loop = new PolicyLoop<>(new LoadGearPolicy(MODEL, LIMITS), "c");
    List<Integer> gears = new ArrayList<>();
    int gear = 2;
    for (int minute = 0; minute < 40; minute++) {
      // 300 ops/s is what three nodes serve; 240 with the head-room, 225 with the hysteresis.
      double load = minute == 25 ? 241 : minute > 30 ? 239 : 220;
      gear = set(loop.decide(at(minute * MINUTE, gear, load)).step());
      gears.add(gear);
    }
    assertThat(gears.subList(0, 10)).containsOnly(2);
    assertThat(gears.subList(10, 25)).containsOnly(1);
    assertThat(gears.subList(25, 40)).containsOnly(2);
  }

  @Test
  void reasonsAreInTheUnitOfTheLoad() {
    for (GearPolicy policy : guarded(MODEL.in("MB/s"))) {
      Step<GearState> step = policy.decide(GearState.INITIAL, at(100 * MINUTE, 1, 650));
      assertThat(step.reasons().get(0))
          .as(policy.name())
          .contains("650 MB/s")
          .doesNotContain("ops/s");
    }
    assertThat(
            new LoadGearPolicy(MODEL.in("rows/s"), LIMITS)
                .decide(GearState.INITIAL, at(100 * MINUTE, 2, 500))
                .reasons())
        .containsExactly("load 20 %: gear 2: 500 rows/s of 700 rows/s");
    assertThat(MODEL.unit()).isEqualTo("ops/s");
  }

  @Test
  void aShiftDownWaitsUntilALullHasLastedAsLongAsItTakesToPay() {
    GearModel slow =
        GearModel.ofEqualNodes(
            List.of(3, 7), GearCases.node(50, 100, 200, 1200, 200), 100, 20, CatchUpModel.none(2));
    double even = DownShift.of(slow, 2, 1, 100, 0).breakEvenSeconds();
    // 100 W more than idle for 1200 s, at 50 W saved, and 20 s to go off.
    assertThat(even).isCloseTo(2420, within(1e-6));
    PolicyLoop<GearState> loop =
        new PolicyLoop<>(new LoadGearPolicy(slow, LIMITS.withResidency(0)), "c");
    for (int second = 0; second < 2500; second += 20) {
      int gear = set(loop.decide(at(second * SECOND, 2, 100)).step());
      assertThat(gear).as("after %d s", second).isEqualTo(second >= even ? 1 : 2);
      if (gear == 1) {
        return;
      }
    }
    throw new AssertionError("never shifted");
  }

  @Test
  void inDoubtTheGearIsTheHighest() {
    List<GearPolicy> guarded = guarded(MODEL);
    for (GearPolicy policy : guarded) {
      GearState state = GearState.INITIAL;
      long old = LIMITS.maxAgeNanos() + 1;
      long now = 100 * MINUTE;
      List<GearObservation> doubtful =
          List.of(
              blind(now, 1),
              at(now, 1, 1, 10, 0),
              at(now, 1, 0, Double.NaN, 0),
              at(now, 1, 0, -1, 0),
              at(now, 1, 0, Double.POSITIVE_INFINITY, 0),
              at(now, 1, 0, 10, Double.NaN),
              loaded(now, now - old),
              loaded(now, now + 1));
      for (GearObservation observation : doubtful) {
        Step<GearState> step = policy.decide(state, observation);
        assertThat(set(step)).as("%s: %s", policy.name(), observation).isEqualTo(2);
      }
    }
  }

  @Test
  void aTimetableIsFollowedEarlyByTheBootAndRaisedByTheLoad() {
    ScheduleGearPolicy policy =
        new ScheduleGearPolicy(MODEL, LIMITS, GearTimetableTest.nights(), 1);
    long seven = 7 * 3600;
    assertThat(gear(policy, 1, seven - 61, 10)).isEqualTo(1);
    assertThat(gear(policy, 1, seven - 60, 10)).isEqualTo(2);
    assertThat(gear(policy, 2, 22 * 3600 - 1, 10)).isEqualTo(2);
    assertThat(gear(policy, 2, 22 * 3600, 10)).isEqualTo(1);
    assertThat(gear(policy, 1, 23 * 3600, 241)).isEqualTo(2);
    assertThat(gear(policy, 2, 23 * 3600, 239)).isEqualTo(2);
    // Ten times as fast: 60 s of booting are ten minutes of the calendar.
    ScheduleGearPolicy fast = new ScheduleGearPolicy(MODEL, LIMITS, GearTimetableTest.nights(), 10);
    assertThat(gear(fast, 1, seven - 601, 10)).isEqualTo(1);
    assertThat(gear(fast, 1, seven - 600, 10)).isEqualTo(2);
    assertThatThrownBy(
            () ->
                new ScheduleGearPolicy(
                    MODEL, LIMITS, new GearTimetable(GearTimetable.parse("1:00", 3, "f")), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aForecastShiftsUpBeforeTheLoadRises() {
    GearPolicy policy = new ForecastGearPolicy(MODEL, LIMITS, ForecastLimits.defaults(), 60);
    Followed followed = follow(policy, MODEL, 3 * DAY, GearPoliciesTest::office);
    // The first day is not known, and so is spent in the highest gear.
    assertThat(followed.gears.subList(0, 24 * 60)).containsOnly(2);
    int firstRise = 24 * 60 + 8 * 60;
    assertThat(followed.gears.get(firstRise - 3)).isEqualTo(1);
    assertThat(followed.gears.subList(firstRise - 2, firstRise + 9 * 60)).containsOnly(2);
    assertThat(followed.gears.get(firstRise + 11 * 60)).isEqualTo(1);
    assertThat(followed.overloadedSeconds).isZero();
    // The policy by load finds out too late, every day.
    Followed late =
        follow(new LoadGearPolicy(MODEL, LIMITS), MODEL, 3 * DAY, GearPoliciesTest::office);
    assertThat(late.overloadedSeconds).isGreaterThanOrEqualTo(2 * 60);
  }

  @Test
  void aForecastThatIsExactNeverLeavesTooFewNodes() {
    for (long seed = 1; seed <= 6; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = GearCases.random(random);
      double[] slots = new double[96];
      for (int i = 0; i < slots.length; i++) {
        slots[i] = random.nextDouble(0.8 * model.capacity(model.highest()));
      }
      GearPolicy policy = new ForecastGearPolicy(model, LIMITS, ForecastLimits.defaults(), 60);
      Followed followed =
          follow(policy, model, 4 * DAY, second -> slots[(int) (second / 900 % 96)]);
      assertThat(followed.overloadedSeconds).as("seed %d", seed).isZero();
    }
  }

  @Test
  void aLullTooShortToPayIsSatOut() {
    GearModel slow =
        GearModel.ofEqualNodes(
            List.of(3, 7), GearCases.node(20, 100, 200, 900, 200), 100, 20, CatchUpModel.none(2));
    // The lull of 45 minutes at noon does not pay; the night does.
    LongToDoubleFunction load =
        second -> {
          long minute = second / 60 % 1440;
          return minute >= 480 && minute < 1080 && !(minute >= 720 && minute < 765) ? 500 : 100;
        };
    GearPolicy policy = new ForecastGearPolicy(slow, LIMITS, ForecastLimits.defaults(), 60);
    Followed followed = follow(policy, slow, 3 * DAY, load);
    assertThat(followed.gears.subList(2 * 1440 + 480, 2 * 1440 + 1080)).containsOnly(2);
    assertThat(followed.gears.subList(2 * 1440 + 1100, 2 * 1440 + 1430)).containsOnly(1);
  }

  @Test
  void whateverTheLoadTheResidencyIsKeptAndDecisionsReplay() {
    for (long seed = 1; seed <= 8; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = GearCases.random(random);
      for (GearPolicy policy : guarded(model)) {
        List<GearObservation> seen = new ArrayList<>();
        List<Integer> gears = new ArrayList<>();
        GearState state = policy.initial();
        int gear = model.highest();
        long raised = 0;
        for (int minute = 0; minute < 800; minute++) {
          long now = minute * MINUTE;
          double load = random.nextDouble(model.capacity(random.nextInt(1, model.highest() + 1)));
          GearObservation o =
              random.nextInt(100) == 0 ? blind(now, gear) : at(now, gear, 0, load, 1000);
          seen.add(o);
          Step<GearState> step = policy.decide(state, o);
          // What was written and read again decides alike.
          state = GearState.read(step.state().write());
          assertThat(state).isEqualTo(step.state());
          int next = set(step);
          if (next < gear && !policy.name().startsWith("schedule")) {
            assertThat(now - raised)
                .as("seed %d", seed)
                .isGreaterThanOrEqualTo(LIMITS.residencyNanos());
          }
          if (o.load().isPresent()) {
            assertThat(next).isGreaterThanOrEqualTo(model.lowestFor(load, LIMITS.headRoom()));
          }
          raised = next == gear ? raised : now;
          gear = next;
          gears.add(gear);
        }
        PolicyLoop<GearState> again = new PolicyLoop<>(policy, seen.get(0).target());
        assertThat(seen.stream().map(again::decide).map(decision -> set(decision.step())).toList())
            .as("seed %d, %s", seed, policy.name())
            .isEqualTo(gears);
      }
    }
  }

  @Test
  void afterAGapOrAShiftBySomebodyElseWaitingBeginsAnew() {
    PolicyLoop<GearState> loop = new PolicyLoop<>(new LoadGearPolicy(MODEL, LIMITS), "c");
    for (int minute = 0; minute < 9; minute++) {
      assertThat(set(loop.decide(at(minute * MINUTE, 2, 10)).step())).isEqualTo(2);
    }
    long later = 9 * MINUTE + LIMITS.maxAgeNanos();
    assertThat(set(loop.decide(at(later, 2, 10)).step())).isEqualTo(2);
    assertThat(loop.state().heldNanos()).isZero();
    loop.decide(at(later + MINUTE, 1, 10));
    assertThat(loop.state().gear()).isEqualTo(1);
    assertThat(loop.state().heldNanos()).isZero();
  }

  @Test
  void textsThatAreNoStatesAreRefused() {
    GearState state =
        new LoadGearPolicy(MODEL, LIMITS).decide(GearState.INITIAL, at(5, 2, 10)).state();
    String text = state.write();
    assertThat(GearState.read(text)).isEqualTo(state);
    for (String wrong :
        List.of("", "gears/2 at=1", text + " more=1", text.replace("gear=", "grea="), text + "x")) {
      assertThatThrownBy(() -> GearState.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFixedGearIsSetWhateverIsObserved() {
    assertThat(set(new FixedGearPolicy(1).decide(GearState.INITIAL, blind(0, 2)))).isEqualTo(1);
  }

  private static GearObservation loaded(long now, long measured) {
    return new GearObservation(
        now, 0, "c", 1, 0, Optional.of(new GearObservation.Load(measured, 10, 0)));
  }

  private static List<GearPolicy> guarded(GearModel model) {
    return List.of(
        new LoadGearPolicy(model, LIMITS),
        new ScheduleGearPolicy(model, LIMITS, GearTimetableTest.nights(), 1),
        new ForecastGearPolicy(model, LIMITS, ForecastLimits.defaults(), 60));
  }

  private static int gear(GearPolicy policy, int present, long localSeconds, double load) {
    GearObservation observation =
        new GearObservation(
            0, localSeconds, "c", present, 0, Optional.of(new GearObservation.Load(0, load, 0)));
    return set(policy.decide(GearState.INITIAL, observation));
  }

  private static int set(Step<GearState> step) {
    Setting<?> setting = step.settings().get(0);
    assertThat(setting.knob()).isEqualTo(KnobId.GEAR);
    return (Integer) setting.value();
  }

  /** 500 ops/s from 8 to 18 o'clock, else 100. */
  private static double office(long second) {
    long hour = second / 3600 % 24;
    return hour >= 8 && hour < 18 ? 500 : 100;
  }

  private record Followed(List<Integer> gears, long overloadedSeconds) {}

  /** Each minute a decision, by the load of the minute before; a shift takes its time. */
  private static Followed follow(
      GearPolicy policy, GearModel model, long seconds, LongToDoubleFunction load) {
    List<Integer> gears = new ArrayList<>();
    GearState state = policy.initial();
    int serving = model.highest();
    int ordered = serving;
    long readySecond = 0;
    long overloaded = 0;
    for (long second = 0; second < seconds; second++) {
      if (second == readySecond) {
        serving = ordered;
      }
      if (second % 60 == 0) {
        Step<GearState> step =
            policy.decide(
                state, at(second * SECOND, ordered, load.applyAsDouble(Math.max(0, second - 1))));
        state = step.state();
        if (second >= readySecond && set(step) != ordered) {
          int next = set(step);
          readySecond = second + (long) model.shiftSeconds(ordered, next);
          serving = readySecond == second ? next : Math.min(next, ordered);
          ordered = next;
        }
        gears.add(ordered);
      }
      overloaded += load.applyAsDouble(second) > model.capacity(serving) ? 1 : 0;
    }
    return new Followed(gears, overloaded);
  }
}
