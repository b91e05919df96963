package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class OvertakingWindowTest {
  private static final long SEED = Long.getLong("calando.seed", 20261122L);
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /** What pieces of an octave's sixteenth may change. */
  private static final double COARSE = 2e-4;

  /** Of three replicas, one of nine writes through one of them: it acknowledges at once. */
  private static double[][] overtaking() {
    double[][] rows = new double[9][];
    for (int i = 0; i < 9; i++) {
      rows[i] = i == 0 ? row(0, 0, 0.08, 0.08) : row(0.08, 0, 0.001, 0.002);
    }
    return rows;
  }

  /** Three lags, nothing of reads of several, and an acknowledgement. */
  private static double[] row(double ack, double... lags) {
    return new double[] {lags[0], lags[1], lags[2], Double.NaN, Double.NaN, ack};
  }

  private static StaleWindow window(double[]... rows) {
    return LagWindows.of(PropagationLags.of(3, rows)).window(1);
  }

  @Test
  void acknowledgementsThatTakeTheSameChangeNothing() {
    double[][] inOrder = {{0, 0.03, 0.08}, {0, 0.2, NEVER}};
    for (double ack : new double[] {0, 0.05, 10}) {
      StaleWindow plain = window(inOrder);
      StaleWindow same = window(row(ack, inOrder[0]), row(ack, inOrder[1]));
      assertThat(same.isOfPieces()).isTrue();
      for (double writes : new double[] {0, 1e-3, 0.3, 5, 40, 1e4}) {
        assertThat(same.rate(writes)).isCloseTo(plain.rate(writes), within(COARSE));
        assertThat(same.rateOfVersions(writes, 3))
            .isCloseTo(plain.rateOfVersions(writes, 3), within(COARSE));
      }
    }
  }

  @Test
  void aWriteThatIsAcknowledgedBeforeOthersIsMissedForLonger() {
    // At 35 writes a second a newer one is made in 80 ms, but acknowledged only if it is quick too.
    double inOrder = window(new double[] {0, 0.08, 0.08}).rate(35) / 9;
    double overtaking = window(overtaking()).rate(35);
    // 2/3 (1 - exp(-35 * 0.08 / 9)), and little of the slow ones.
    assertThat(overtaking).isBetween(0.17, 0.21);
    assertThat(overtaking).isGreaterThan(2.3 * inOrder);
  }

  @Test
  void ratesAreTheIntegralOverSamples() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 10; trial++) {
      double[][] rows = randomRows(random, 1 + random.nextInt(12));
      double writes = Math.pow(10, 3 * random.nextDouble() - 1);
      double expected = integral(rows, writes);
      assertThat(window(rows).rate(writes))
          .as("seed %d, trial %d, %s writes", SEED, trial, writes)
          .isCloseTo(expected, within(1e-3));
      PropagationLags lags = PropagationLags.of(3, rows);
      double measured =
          LagStaleness.of(LagWindows.of(lags), writes, KeyPopularity.uniform(1)).rate(1);
      assertThat(measured).isCloseTo(window(rows).rate(writes), within(1e-5));
    }
  }

  /** The mean over writes and replicas of the integral from A to A + L of w exp(-w H(s)). */
  private static double integral(double[][] rows, double writes) {
    int steps = 50_000;
    double to = 4;
    double sum = 0;
    double overtaken = 0;
    for (int i = 0; i < steps; i++) {
      double s = (i + 0.5) * to / steps;
      double missed = 0;
      double acknowledged = 0;
      for (double[] row : rows) {
        double ack = row[5];
        acknowledged += ack <= s ? 1.0 / rows.length : 0;
        for (int replica = 0; replica < 3; replica++) {
          missed += ack <= s && s < ack + row[replica] ? 1.0 / (3 * rows.length) : 0;
        }
      }
      double half = acknowledged * to / steps / 2;
      sum += missed * writes * Math.exp(-writes * (overtaken + half)) * to / steps;
      overtaken += 2 * half;
    }
    return sum;
  }

  private static double[][] randomRows(Random random, int samples) {
    double[][] rows = new double[samples][];
    for (int i = 0; i < samples; i++) {
      double ack = random.nextInt(3) == 0 ? 0 : random.nextDouble();
      rows[i] = row(ack, 0, random.nextDouble(), 2 * random.nextDouble());
    }
    return rows;
  }

  @Test
  void ratesAndVersionsAreThoseOfASimulatedKey() {
    double[][] rows = {row(0, 0, 0.3, 0.5), row(0.4, 0, 0.05, 0.1), row(0.2, 0, 0, 1)};
    double writes = 6;
    StaleWindow window = window(rows);
    Random random = new Random(SEED);
    int trials = 200_000;
    int stale = 0;
    int behindTwo = 0;
    for (int trial = 0; trial < trials; trial++) {
      double age = 0;
      int missed = 0;
      boolean found = false;
      while (!found) {
        // From the newest write on; each read asks one replica, drawn anew for each write.
        age -= Math.log(1 - random.nextDouble()) / writes;
        double[] row = rows[random.nextInt(rows.length)];
        double since = age - row[5];
        if (since >= 0) {
          found = row[random.nextInt(3)] <= since;
          missed += found ? 0 : 1;
        }
      }
      stale += missed >= 1 ? 1 : 0;
      behindTwo += missed >= 2 ? 1 : 0;
    }
    assertShare("stale", stale, trials, window.rate(writes));
    assertShare("two versions", behindTwo, trials, window.rateOfVersions(writes, 2));
  }

  private static void assertShare(String what, int hits, int trials, double expected) {
    double error = Math.sqrt(expected * (1 - expected) / trials);
    assertThat(hits / (double) trials)
        .as("%s, seed %d", what, SEED)
        .isCloseTo(expected, within(4 * error + 2e-3));
  }

  @Test
  void whatIsNeverFoundIsMissedHoweverOld() {
    StaleWindow window = window(row(0.1, 0, 0, NEVER), row(0.3, 0, 0, NEVER));
    assertThat(window.rate(1e-6)).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(window.rate(100)).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(window.rateOfVersions(2, 2)).isCloseTo(1 / 9.0, within(1e-6));
    assertThat(window.rate(0)).isZero();
  }

  @Test
  void whatIsNeverMissedIsNeverStale() {
    StaleWindow window = window(row(0.1, 0, 0, 0), row(0, 0, 0, 0));
    assertThat(window.rate(10)).isZero();
    assertThat(window.rateOfVersions(10, 1)).isZero();
  }

  @Test
  void sharesStaySharesAndDoNotGrowWithVersions() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 50; trial++) {
      StaleWindow window = window(randomRows(random, 1 + random.nextInt(20)));
      double writes = Math.pow(10, 5 * random.nextDouble() - 2);
      double rate = window.rate(writes);
      String as = "seed " + SEED + ", trial " + trial;
      assertThat(rate).as(as).isBetween(0.0, 1.0);
      assertThat(window.rateOfVersions(writes, 1)).as(as).isCloseTo(rate, within(1e-9));
      for (int versions = 2; versions <= 4; versions++) {
        assertThat(window.rateOfVersions(writes, versions))
            .as(as)
            .isBetween(0.0, window.rateOfVersions(writes, versions - 1) + 1e-12);
      }
    }
  }

  @Test
  void theExactModelKnowsOfItToo() {
    KeyPopularity one = KeyPopularity.uniform(1);
    double exact = ExactStaleness.measured(PropagationLags.of(3, overtaking()), 1, 35, one).rate(1);
    assertThat(exact).isBetween(0.17, 0.21);
  }

  @Test
  void acknowledgementsCountOnlyWhereAllAreKnown() {
    PropagationLags known = PropagationLags.of(3, overtaking());
    assertThat(known.knowsAcknowledgements()).isTrue();
    assertThat(known.ackSeconds(1)).isEqualTo(0.08);
    assertThat(known.row(1)).containsExactly(0, 0.001, 0.002, Double.NaN, Double.NaN, 0.08);
    double[][] rows = overtaking();
    rows[3] = new double[] {0, 0.001, 0.002, 0.001, 0};
    PropagationLags partly = PropagationLags.of(3, rows);
    assertThat(partly.knowsAcknowledgements()).isFalse();
    assertThat(partly.row(1)).containsExactly(0, 0.001, 0.002, Double.NaN, Double.NaN);
    assertThatThrownBy(() -> partly.ackSeconds(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anAcknowledgementThatNeverCameIsNone() {
    for (double ack : new double[] {-1, Double.NaN, NEVER}) {
      assertThatThrownBy(() -> PropagationLags.of(3, new double[][] {row(ack, 0, 0, 0)}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("3 replicas");
    }
  }
}
