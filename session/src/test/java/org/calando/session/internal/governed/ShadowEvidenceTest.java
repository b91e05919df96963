package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.calando.core.policy.Observation.Shadow;
import org.junit.jupiter.api.Test;

class ShadowEvidenceTest {
  private static ShadowEvidence of(double reads, double stale, double tolerated) {
    return new ShadowEvidence(Optional.of(new Shadow(0, reads, stale, stale, 0)), tolerated);
  }

  @Test
  void fewReadsNeitherConfirmNorRefute() {
    assertThat(new ShadowEvidence(Optional.empty(), 0.05).refutes()).isFalse();
    assertThat(new ShadowEvidence(Optional.empty(), 0.05).confirms()).isFalse();
    assertThat(of(10, 0, 0.05).confirms()).isFalse();
    assertThat(of(3, 1, 0.05).refutes()).isTrue();
    assertThat(of(10, 1, 0.05).refutes()).isFalse();
  }

  @Test
  void enoughReadsDo() {
    assertThat(of(100, 0, 0.05).confirms()).isTrue();
    assertThat(of(100, 0, 0.05).refutes()).isFalse();
    assertThat(of(100, 20, 0.05).refutes()).isTrue();
    assertThat(of(100, 20, 0.05).confirms()).isFalse();
  }

  @Test
  void readsThatCouldNotBeDecidedConfirmNothing() {
    Shadow undecided = new Shadow(0, 100, 0, 30, 0);
    assertThat(new ShadowEvidence(Optional.of(undecided), 0.05).confirms()).isFalse();
    assertThat(new ShadowEvidence(Optional.of(undecided), 0.05).refutes()).isFalse();
  }
}
