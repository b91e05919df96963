package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConsistencyEnergyTest {
  @Test
  void workIsWhatTheStoreAcknowledged() {
    assertThat(new ConsistencyEnergy(5000, 250, Double.NaN).workPerJoule()).hasValue(20);
    assertThat(new ConsistencyEnergy(5000, 0, Double.NaN).workPerJoule()).isEmpty();
  }

  @Test
  void abrokenPromiseIsWorthNothing() {
    // 50 J a thousand operations.
    assertThat(new ConsistencyEnergy(5000, 250, 0.995).slaPerBudget()).hasValue(0.995 / 50);
    assertThat(new ConsistencyEnergy(5000, 250, 0.989).slaPerBudget()).hasValue(0);
  }

  @Test
  void whatWasNotPromisedIsNotJudged() {
    ConsistencyEnergy none = new ConsistencyEnergy(5000, 250, Double.NaN);
    assertThat(none.slaPerBudget()).isEmpty();
    assertThat(none.isMet()).isFalse();
  }

  @Test
  void figuresThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new ConsistencyEnergy(-1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ConsistencyEnergy(1, -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ConsistencyEnergy(1, 1, 1.1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
