package org.calando.sim.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.ForecastGearPolicy;
import org.calando.core.policy.gear.ForecastLimits;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearTimetable;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.core.policy.gear.ScheduleGearPolicy;
import org.calando.load.LoadDays;
import org.calando.load.LoadTrace;
import org.junit.jupiter.api.Test;

class GearDayTest {
  private static final int DAY = 1440;

  /** Seven nodes; a whole second replica is homed on the last four, as RABBIT has it. */
  private static final GearModel MODEL = model(List.of(3, 7), List.of(1.0, 1.0), 8, 120, 0);

  @Test
  void withoutShiftsTheEnergyIsThatOfTheNodes() {
    LoadTrace trace = LoadDays.office(500).trace(3, 1);
    GearDay day = GearDay.of(MODEL, trace, 1000);
    GearAccount account = day.run(day.allOn());
    double operations = 0;
    for (double rate : trace.rates()) {
      operations += rate * 60;
    }
    // Seven nodes of 75 W; 700 operations a second keep them all busy, at 75 W more each.
    double expected = 7 * 75 * 3 * 86_400.0 + operations / 700 * 7 * 75;
    assertThat(account.states().joules()).isCloseTo(expected, within(1e-9 * expected));
    assertThat(account.shifts()).isZero();
    assertThat(account.violationSeconds()).isZero();
    assertThat(account.owedBytes()).isZero();
  }

  @Test
  void aShiftIsBilledToTheSecond() {
    // Up ordered at 60 s: 120 s of boot, overloaded meanwhile; what was owed is moved after it.
    GearCluster cluster = new GearCluster(MODEL, 1000);
    cluster.order(1);
    cluster.advance(60, 100);
    assertThat(cluster.owedBytes()).isEqualTo(60 * 100 * 1000.0);
    assertThat(cluster.order(2)).isTrue();
    assertThat(cluster.order(1)).isFalse();
    cluster.advance(180, 400);
    GearAccount account = cluster.take();
    assertThat(account.violationSeconds()).isCloseTo(120, within(1e-9));
    assertThat(account.unserved()).isCloseTo(120 * 100, within(1e-6));
    assertThat(account.shifts()).isEqualTo(2);
    NodeStates states = account.states();
    assertThat(states.stopSeconds()).isCloseTo(4 * 30, within(1e-9));
    assertThat(states.offSeconds()).isCloseTo(4 * 30, within(1e-9));
    assertThat(states.bootSeconds()).isCloseTo(4 * 120, within(1e-9));
    assertThat(states.stopJoules()).isCloseTo(4 * 30 * 75, within(1e-6));
    assertThat(states.offJoules()).isCloseTo(4 * 30 * 8, within(1e-6));
    assertThat(states.bootJoules()).isCloseTo(4 * 120 * 110, within(1e-6));
    double owed = 1000.0 * (60 * 100 + 120 * 300);
    assertThat(account.owedBytes()).isCloseTo(owed, within(1e-3));
    assertThat(account.movedBytes()).isCloseTo(owed, within(1e-3));
    assertThat(states.catchUpJoules()).isCloseTo(owed * 1e-6, within(1e-6));
  }

  @Test
  void catchUpTakesItsShareOfTheCapacityUntilItIsDone() {
    GearModel busy = model(List.of(3, 7), List.of(1.0, 1.0), 8, 60, 0.5);
    GearCluster cluster = new GearCluster(busy, 1e6);
    cluster.order(1);
    cluster.advance(600, 100);
    cluster.order(2);
    cluster.advance(60, 100);
    cluster.take();
    assertThat(cluster.capacity()).isEqualTo(350);
    // 66 GB at 50 MB/s.
    cluster.advance(2000, 400);
    assertThat(cluster.take().violationSeconds()).isCloseTo(66e9 / 50e6, within(1e-6));
    assertThat(cluster.owedBytes()).isZero();
    assertThat(cluster.capacity()).isEqualTo(700);
  }

  @Test
  void noEnergyNoTimeAndNoByteIsLost() {
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = randomModel(random, 0.2);
      GearCluster cluster = new GearCluster(model, random.nextDouble(2e4));
      GearAccount sum = GearAccount.NONE;
      double joules = 0;
      for (int step = 0; step < 3000; step++) {
        cluster.order(
            random.nextInt(50) == 0 ? random.nextInt(1, model.highest() + 1) : cluster.gear());
        double load = random.nextDouble(1.2 * model.capacity(model.highest()));
        double seconds = random.nextDouble(30);
        double before = cluster.watts(load);
        cluster.advance(seconds, load);
        GearAccount taken = cluster.take();
        if (cluster.watts(load) == before) {
          // Nothing changed meanwhile, so that power times time is all there is.
          assertThat(taken.states().joules())
              .as("seed %d", seed)
              .isCloseTo(before * seconds, within(1e-6 * before * seconds + 1e-9));
        }
        joules += taken.states().joules();
        sum = sum.plus(taken);
      }
      assertThat(sum.states().joules()).isCloseTo(joules, within(1e-9 * joules));
      assertThat(sum.states().seconds())
          .as("seed %d", seed)
          .isCloseTo(sum.seconds() * model.nodes().size(), within(1e-6 * sum.seconds()));
      assertThat(sum.owedBytes() - sum.movedBytes())
          .as("seed %d", seed)
          .isCloseTo(cluster.owedBytes(), within(1e-9 * sum.owedBytes() + 1e-3));
      assertThat(sum.unserved()).isLessThanOrEqualTo(sum.offered());
    }
  }

  @Test
  void nothingIsCheaperThanHindsight() {
    for (long seed = 1; seed <= 6; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = randomModel(random, 0);
      double peak = model.capacity(model.highest()) * random.nextDouble(0.4, 0.95);
      GearDay day = GearDay.of(model, LoadDays.office(peak).trace(8, seed), 2000);
      double fine = 20 * model.watts(model.highest(), 0);
      HindsightGearPolicy hindsight = day.hindsight(fine);
      double joulesPerByte = model.catchUp().joulesPerByte();
      double bound = cost(day.run(hindsight), joulesPerByte, fine);
      assertThat(bound)
          .as("seed %d", seed)
          .isCloseTo(hindsight.plan().cost(), within(1e-9 * bound));
      for (GearPolicy policy : policies(model)) {
        assertThat(cost(day.run(policy), joulesPerByte, fine))
            .as("seed %d, %s", seed, policy.name())
            .isGreaterThanOrEqualTo(bound * (1 - 1e-12));
      }
    }
  }

  @Test
  void aForecastOfSmoothWeeksSavesAndServesEverybody() {
    LoadTrace trace = smooth(500).trace(21, 1);
    GearDay day = GearDay.of(MODEL, trace, 1000);
    List<GearAccount> allOn = day.run(day.allOn(), 7 * DAY);
    List<GearAccount> forecast =
        day.run(
            new ForecastGearPolicy(MODEL, GearLimits.defaults(), ForecastLimits.defaults(), 60),
            7 * DAY);
    List<GearAccount> best = day.run(day.hindsight(1e5), 7 * DAY);
    assertThat(forecast).hasSize(3);
    for (int week = 1; week < 3; week++) {
      assertThat(forecast.get(week).violationSeconds()).isZero();
      assertThat(best.get(week).violationSeconds()).isZero();
      double saved = saving(forecast.get(week), allOn.get(week));
      double most = saving(best.get(week), allOn.get(week));
      assertThat(saved).isBetween(0.15, most);
    }
  }

  @Test
  void theSameSeedComesToTheSameBytes() {
    GearPolicy policy =
        new ForecastGearPolicy(MODEL, GearLimits.defaults(), ForecastLimits.defaults(), 60);
    String text = run(policy).toString();
    assertThat(run(policy).toString()).isEqualTo(text);
    assertThat(text).contains("shifts=");
  }

  @Test
  void aCompressedTraceIsDecidedOnByItsOwnCalendar() {
    GearTimetable nights =
        new GearTimetable(
            List.of(new GearTimetable.Entry(0, 1), new GearTimetable.Entry(12 * 3600, 2)));
    LoadTrace hour = smooth(200).trace(1, 1).compressed(24);
    GearModel quick = model(List.of(3, 7), List.of(1.0, 1.0), 8, 0, 0);
    GearDay day = new GearDay(quick, hour, 0, 0, 24);
    GearLimits limits = GearLimits.defaults().withHysteresis(0);
    GearAccount account = day.run(new ScheduleGearPolicy(quick, limits, nights, 24));
    assertThat(account.states().offSeconds()).isCloseTo(4 * (1800 - 30 - 2.5), within(5.0));
  }

  private static List<GearAccount> run(GearPolicy policy) {
    return GearDay.of(MODEL, LoadDays.office(500).trace(9, 5), 1000).run(policy, DAY);
  }

  private static double cost(GearAccount account, double joulesPerByte, double fine) {
    return account.settledJoules(joulesPerByte) + fine * account.violationSeconds();
  }

  private static List<GearPolicy> policies(GearModel model) {
    List<GearPolicy> policies = new ArrayList<>();
    for (int gear = 1; gear <= model.highest(); gear++) {
      policies.add(new FixedGearPolicy(gear));
    }
    for (double headRoom : new double[] {0, 0.2}) {
      GearLimits limits = GearLimits.defaults().withHeadRoom(headRoom);
      policies.add(new LoadGearPolicy(model, limits));
      policies.add(new LoadGearPolicy(model, limits.withResidency(0)));
      policies.add(new ForecastGearPolicy(model, limits, ForecastLimits.defaults(), 60));
      policies.add(
          new ScheduleGearPolicy(
              model,
              limits,
              new GearTimetable(
                  List.of(new GearTimetable.Entry(0, 1), new GearTimetable.Entry(9 * 3600, 2))),
              1));
    }
    return policies;
  }

  private static GearModel model(
      List<Integer> nodesOn, List<Double> homed, double off, double boot, double capacityShare) {
    NodeProfile profile =
        new NodeProfile("test", off, 75, 150, 4, 1, PowerCurve.linear(), boot, 110, "a test");
    return GearModel.ofEqualNodes(
        nodesOn, profile, 100, 30, new CatchUpModel(homed, 50e6, 1e-6, capacityShare));
  }

  private static GearModel randomModel(SplittableRandom random, double capacityShare) {
    List<Integer> nodesOn = new ArrayList<>();
    List<Double> homed = new ArrayList<>();
    int nodes = 0;
    for (int gear = random.nextInt(2, 5); gear > 0; gear--) {
      nodes += random.nextInt(1, 5);
      nodesOn.add(nodes);
      homed.add(random.nextDouble(0.6));
    }
    return model(nodesOn, homed, random.nextDouble(20), random.nextInt(0, 400), capacityShare);
  }

  /** An office's days without noise and spikes. */
  private static LoadDays smooth(double peakPerSecond) {
    return new LoadDays(LoadDays.Shape.ROUND, peakPerSecond, 0.15, 0.5, 0, 0, 0, 0, 60);
  }

  private static double saving(GearAccount account, GearAccount other) {
    return 1 - account.settledJoules(1e-6) / other.settledJoules(1e-6);
  }
}
