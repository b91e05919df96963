package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.HourlySettings.Hour;
import org.calando.core.policy.joint.HourlySettings.Known;
import org.calando.core.policy.joint.HourlySettings.Load;
import org.calando.core.policy.joint.HourlySettings.Plan;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

/** Days whose load is known, of nine nodes in three groups. */
class HourlySettingsTest {
  private static final long SEED = Long.getLong("calando.seed", 20);
  private static final JointCluster CLUSTER = JointCases.cluster(2);
  private static final Promise PROMISE =
      Promise.NONE
          .with(Promised.STALE, 0.01)
          .with(Promised.READ_P99, 0.05)
          .with(Promised.COPIES, 2);
  private static final HourlySettings SETTINGS =
      new HourlySettings(CLUSTER, PROMISE, JointLimits.defaults());

  private static Known day(double hourSeconds, double... perSecond) {
    return late(1e-4, hourSeconds, perSecond);
  }

  /** Of which a replica of three is late. */
  private static Known late(double lagSeconds, double hourSeconds, double... perSecond) {
    List<Load> hours = new ArrayList<>();
    for (double each : perSecond) {
      hours.add(new Load(0.7 * each, 0.3 * each));
    }
    double[][] lags = new double[20][];
    for (int i = 0; i < lags.length; i++) {
      lags[i] = new double[] {0, 0, lagSeconds};
    }
    return new Known(
        hours, hourSeconds, PropagationLags.of(3, lags), KeyPopularity.uniform(100), 1);
  }

  @Test
  void aLoadThatStaysHasTheSettingThatIsHeld() {
    Known day = day(3600, 1000, 1000, 1000);
    Plan best = SETTINGS.best(day, 1);
    Plan held = SETTINGS.held(day, 1).orElseThrow();
    assertThat(best.hours()).containsOnly(held.hours().get(0));
    assertThat(best.joules()).isCloseTo(held.joules(), within(1e-6 * held.joules()));
    assertThat(best.keeps()).isTrue();
  }

  @Test
  void moreNodesAreOnWhereTheyAreNeededAlone() {
    Plan plan = SETTINGS.best(day(3600, 500, 9000, 500), 1);
    assertThat(plan.hours().stream().map(Hour::gear)).containsExactly(2, 3, 2);
    assertThat(plan.keeps()).isTrue();
  }

  @Test
  void hoursThatAreShorterThanAShiftPaysKeepTheGear() {
    assertThat(SETTINGS.best(day(2, 9000, 500, 9000), 1).hours().stream().map(Hour::gear))
        .containsExactly(3, 3, 3);
  }

  @Test
  void anHourThatNothingKeepsHasAllOnAtTheirFastest() {
    Plan plan = SETTINGS.best(day(3600, 500, 50_000), 1);
    assertThat(plan.keeps()).isFalse();
    assertThat(plan.hours().get(1).gear()).isEqualTo(3);
    assertThat(plan.hours().get(1).clock()).isZero();
  }

  @Test
  void queuesThatAreShorterThanTheClosedFormHasThemAllowSlowerClocks() {
    Known day = day(3600, 3000);
    Promise soon = PROMISE.with(Promised.READ_P99, 0.015);
    HourlySettings settings = new HourlySettings(CLUSTER, soon, JointLimits.defaults());
    assertThat(settings.best(day, 0.7).hours().get(0).clock())
        .isGreaterThan(settings.best(day, 1.2).hours().get(0).clock());
  }

  @Test
  void staleReadsAreThoseThatTheLagsLeave() {
    // Each of 100 keys is written 3 times a second; one replica of three is 100 ms late.
    assertThat(SETTINGS.stale(late(0.1, 1, 1000), new Load(700, 300), 1))
        .isCloseTo((1 - Math.exp(-0.3)) / 3, within(1e-3));
    assertThat(SETTINGS.stale(late(0.1, 1, 1000), new Load(700, 300), 2)).isZero();
  }

  /** No other gears by the hour are cheaper, each at its cheapest clock. */
  @Test
  void noOtherGearsAreCheaper() {
    Promise mayBeStale = PROMISE.with(Promised.STALE, 0.5);
    HourlySettings settings = new HourlySettings(CLUSTER, mayBeStale, JointLimits.defaults());
    Random random = new Random(SEED);
    for (int trial = 0; trial < 20; trial++) {
      double[] loads = random.doubles(4, 300, 7000).toArray();
      double hourSeconds = 20 + 2000 * random.nextDouble();
      double least = Double.POSITIVE_INFINITY;
      for (int gears = 0; gears < 16; gears++) {
        double joules = 0;
        int before = 0;
        for (int hour = 0; hour < loads.length; hour++) {
          int gear = (gears >> hour & 1) == 0 ? 2 : 3;
          joules += joules(loads[hour], hourSeconds, before, gear);
          before = gear;
        }
        least = Math.min(least, joules);
      }
      assertThat(settings.best(day(hourSeconds, loads), 1).joules())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(least, within(1e-6 * least));
    }
  }

  /** Of an hour of reads at ONE, with the shift that leads to it; infinite if none keeps it. */
  private static double joules(double load, double hourSeconds, int before, int gear) {
    JointModel model = new JointModel(CLUSTER, 0.7 * load, 0.3 * load, 1, 1, 1, 1);
    JointLimits limits = JointLimits.defaults();
    double watts = Double.POSITIVE_INFINITY;
    int clock = 0;
    for (int each = 0; each < CLUSTER.clocksKHz().size(); each++) {
      var found = model.of(gear, each, ReadChoice.of(1));
      boolean keeps =
          found.p99Seconds() <= 0.05 * (1 - limits.margin())
              && found.busyShare() <= limits.busyShare();
      if (keeps && found.watts() < watts) {
        watts = found.watts();
        clock = each;
      }
    }
    watts += model.hintedWatts(3 - gear);
    var profile = CLUSTER.profile();
    double shift = 0;
    if (before == 3 && gear == 2) {
      shift = 3 * (profile.idleWatts() - profile.offWatts()) * CLUSTER.offSeconds();
    } else if (before == 2 && gear == 3) {
      double strong = model.of(gear, clock, ReadChoice.of(2)).watts();
      shift =
          3 * (profile.bootWatts() - profile.offWatts()) * profile.bootSeconds()
              + Math.max(0, strong - watts) * hourSeconds;
    }
    return watts * hourSeconds + shift;
  }
}
