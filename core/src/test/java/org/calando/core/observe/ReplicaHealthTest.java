package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplicaHealthTest {
  private static final long SECOND = 1_000_000_000L;
  private final ReplicaHealth health = new ReplicaHealth();
  private final String node = "node";

  @Test
  void aNodeThatPausesIsLiveAndOneThatStaysSilentIsNot() {
    health.failed(node, 0, SECOND / 2);
    health.failed(node, SECOND / 2, SECOND);
    assertThat(health.isLive(node)).isTrue();
    health.failed(node, SECOND * 3 / 2, 2 * SECOND);
    assertThat(health.isLive(node)).isFalse();
    health.answered(node, 2 * SECOND);
    assertThat(health.isLive(node)).isTrue();
  }

  @Test
  void silenceCountsFromTheLastAnswerAndWhatWasAskedBeforeItDoesNot() {
    health.answered(node, 0);
    health.failed(node, 3 * SECOND / 2, 2 * SECOND);
    assertThat(health.isLive(node)).isTrue();
    health.failed(node, 2 * SECOND, 5 * SECOND / 2);
    assertThat(health.isLive(node)).isFalse();
    health.answered(node, 3 * SECOND);
    health.failed(node, SECOND, 6 * SECOND);
    health.failed(node, SECOND, 6 * SECOND);
    assertThat(health.isLive(node)).isTrue();
  }

  @Test
  void aSingleReadThatFailsLateIsNotEnough() {
    health.failed(node, 0, 5 * SECOND);
    assertThat(health.isLive(node)).isTrue();
    health.failed(node, 5 * SECOND, 6 * SECOND);
    assertThat(health.isLive(node)).isFalse();
  }

  @Test
  void onlyLagsThatEndTellWhenToLookNextTime() {
    double first = health.expectedSeconds(node);
    health.lag(node, Double.POSITIVE_INFINITY);
    health.lag(node, 0);
    assertThat(health.expectedSeconds(node)).isEqualTo(first);
    health.lag(node, 0.1);
    assertThat(health.expectedSeconds(node)).isEqualTo(0.1);
    health.lag(node, 0.2);
    assertThat(health.expectedSeconds(node)).isBetween(0.1, 0.15);
  }
}
