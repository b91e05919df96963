package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Waits against theory, each within the 99.9 % interval of 32 batch means; the seed is fixed, and
 * of so many tests with other seeds one in a hundred would fail by chance.
 */
class QueueTheoryTest {
  private static final double SERVICE = 1e6;
  private static final int BATCH = 20_000;

  @ParameterizedTest
  @CsvSource({"0.3, 0.05", "0.7, 0.05", "0.85, 0.1"})
  void theMeanWaitOfOneServerIsThatOfTheory(double load, double narrow) {
    queue(1, load, Distribution.exponential(SERVICE))
        .waits
        .assertMeanIs(SERVICE * load / (1 - load), narrow, "M/M/1 at " + load);
  }

  @ParameterizedTest
  @CsvSource({"2, 0.7, 0.06", "4, 0.5, 0.1", "4, 0.85, 0.1", "16, 0.9, 0.2"})
  void theMeanWaitOfSeveralServersIsErlangs(int servers, double load, double narrow) {
    double theory = erlangC(servers, load) * SERVICE / (servers * (1 - load));
    queue(servers, load, Distribution.exponential(SERVICE))
        .waits
        .assertMeanIs(theory, narrow, "M/M/" + servers + " at " + load);
  }

  @ParameterizedTest
  @CsvSource({"0.3", "0.8"})
  void theMeanWaitForConstantServiceIsHalfThatOfMarkovs(double load) {
    queue(1, load, Distribution.constant(SERVICE))
        .waits
        .assertMeanIs(SERVICE * load / (1 - load) / 2, 0.1, "M/D/1 at " + load);
  }

  @Test
  void theMeanWaitFollowsTheVariationOfServiceAsPollaczekAndKhinchineSay() {
    double load = 0.6;
    double markov = SERVICE * load / (1 - load);
    queue(1, load, Distribution.gamma(SERVICE, 4))
        .waits
        .assertMeanIs(markov * (1 + 0.25) / 2, 0.1, "M/E4/1");
    queue(1, load, Distribution.lognormal(SERVICE, 1.5))
        .waits
        .assertMeanIs(markov * (1 + 2.25) / 2, 0.1, "M/LN/1");
  }

  @Test
  void jobsPresentAreArrivalsTimesTheirTimeThere() {
    QueueModel queue = queue(4, 0.8, Distribution.exponential(SERVICE));
    long now = queue.simulation.nowNanos();
    double present = queue.station.presentNanos(now);
    // Little's law holds exactly but for the jobs that are still there.
    assertThat(queue.sumOfTimes).isCloseTo((long) present, within((long) (present * 1e-3)));
    assertThat(queue.station.busyNanos(now) / (4.0 * now)).isCloseTo(0.8, within(0.01));
  }

  @Test
  void noJobIsLostOrMadeUp() {
    Station station = queue(2, 0.9, Distribution.exponential(SERVICE)).station;
    assertThat(station.arrivals())
        .isEqualTo(station.departures() + station.dropped() + station.busy() + station.waiting());
    assertThat(station.dropped()).isZero();
  }

  @Test
  void theSameSeedGivesTheSameEventsAndAnotherOneOthers() {
    long first = shortly(QueueModel.SEED).checksum;
    assertThat(shortly(QueueModel.SEED).checksum).isEqualTo(first);
    assertThat(shortly(QueueModel.SEED + 1).checksum).isNotEqualTo(first);
  }

  private static QueueModel shortly(long seed) {
    return new QueueModel(2, SERVICE, Distribution.gamma(1.5 * SERVICE, 0.7), 100, seed).run();
  }

  private static QueueModel queue(int servers, double load, Distribution service) {
    double gap = SERVICE / (load * servers);
    return new QueueModel(servers, gap, service, BATCH, QueueModel.SEED).run();
  }

  /** The probability to wait. */
  private static double erlangC(int servers, double load) {
    double offered = servers * load;
    double term = 1;
    double sum = 0;
    for (int i = 0; i < servers; i++) {
      sum += term;
      term *= offered / (i + 1);
    }
    double waiting = term / (1 - load);
    return waiting / (sum + waiting);
  }
}
