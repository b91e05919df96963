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
  void aNodeIsAwayOnlyWhileHalfOfTheOthersAnswer() {
    health.answered("b", 0);
    health.answered("c", 0);
    silence("a");
    assertThat(health.isLive("a")).isFalse();
    silence("b");
    assertThat(health.isLive("a")).isFalse();
    assertThat(health.isLive("b")).isFalse();
    silence("c");
    assertThat(health.isLive("a")).as("all are silent").isTrue();
    health.answered("c", 4 * SECOND);
    assertThat(health.isLive("a")).isFalse();
  }

  @Test
  void aNodeThatAnswersLateIsNotAway() {
    silence(node);
    assertThat(health.isLive(node)).isFalse();
    health.answeredLate(node, 4 * SECOND);
    assertThat(health.isLive(node)).isTrue();
    health.failed(node, 3 * SECOND, 5 * SECOND);
    health.failed(node, 4 * SECOND, 5 * SECOND);
    assertThat(health.isLive(node)).as("silent for a second").isTrue();
  }

  private void silence(String of) {
    health.failed(of, SECOND, 2 * SECOND);
    health.failed(of, SECOND, 3 * SECOND);
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
