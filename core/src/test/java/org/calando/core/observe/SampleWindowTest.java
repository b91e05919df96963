package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

class SampleWindowTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final PropagationLags LAGS = PropagationLags.of(2, new double[][] {{0, 1}});
  private final SampleWindow window = new SampleWindow(3, 100);

  /** A read of one replica. */
  private void add(long atNanos, boolean stale, PropagationLags lags, double ageSeconds) {
    window.add(atNanos, stale, model -> model.missed(lags, 1, 1, ageSeconds));
  }

  @Test
  void theNewestSamplesStay() {
    for (int i = 1; i <= 5; i++) {
      window.add(i, 2, new double[] {0, i});
    }
    Observation.Lags lags = window.lags(5).orElseThrow();
    assertThat(lags.atNanos()).isEqualTo(5);
    assertThat(lags.sample().samples()).isEqualTo(3);
    assertThat(lags.sample().lagSeconds(0, 2)).isEqualTo(3);
  }

  @Test
  void aSampleThatComesLaterIsTold() {
    window.add(1, 2, new double[] {0, 1});
    assertThat(window.lags(1).orElseThrow().sample().meanSeconds()).isEqualTo(1);
    window.add(2, 2, new double[] {0, 3});
    assertThat(window.lags(2).orElseThrow().sample().meanSeconds()).isEqualTo(2);
    assertThat(window.lags(2).orElseThrow().sample())
        .isSameAs(window.lags(2).orElseThrow().sample());
    assertThat(window.lags(102).orElseThrow().sample().meanSeconds()).isEqualTo(3);
  }

  @Test
  void oldSamplesDropOut() {
    window.add(1, 2, new double[] {0, INFINITE});
    window.add(90, 2, new double[] {0, 1});
    assertThat(window.lags(102).orElseThrow().sample().meanSeconds()).isEqualTo(1);
    assertThat(window.lags(191)).isEmpty();
  }

  @Test
  void whatIsFromTheFutureDropsOutWhenTheClockWasSetBack() {
    window.add(1000, 2, new double[] {0, 1});
    add(1000, true, LAGS, 0);
    assertThat(window.lags(1000)).isPresent();
    assertThat(window.lags(10)).isEmpty();
    assertThat(window.truth(10, LagModel.MEASURED)).isEmpty();
    window.add(11, 2, new double[] {0, 2});
    assertThat(window.lags(12).orElseThrow().atNanos()).isEqualTo(11);
  }

  @Test
  void anotherNumberOfReplicasMakesEarlierSamplesVoid() {
    window.add(1, 2, new double[] {0, 1});
    window.add(2, 3, new double[] {0, 1, 2});
    assertThat(window.lags(2).orElseThrow().sample().samples()).isEqualTo(1);
  }

  @Test
  void staleReadsStandBesideWhatWasPredicted() {
    assertThat(window.truth(0, LagModel.MEASURED)).isEmpty();
    // Half of the replicas lack the write until it is a second old.
    add(1, true, LAGS, 0.5);
    add(2, false, LAGS, 1.5);
    for (LagModel model : LagModel.values()) {
      assertThat(window.truth(50, model)).contains(new Observation.Truth(2, 2, 1, 0.5));
      assertThat(window.truthSince(50, 1, model).truth())
          .contains(new Observation.Truth(2, 1, 0, 0));
    }
    assertThat(window.truth(102, LagModel.MEASURED)).contains(new Observation.Truth(2, 1, 0, 0));
  }

  @Test
  void eachModelPredictsForItself() {
    PropagationLags three = PropagationLags.of(3, new double[][] {{0, 0.1, 1}});
    add(1, false, three, 0.5);
    assertThat(window.truth(1, LagModel.MEASURED).orElseThrow().predicted()).isEqualTo(1.0 / 3);
    assertThat(window.truth(1, LagModel.LAST).orElseThrow().predicted()).isEqualTo(2.0 / 3);
  }
}
