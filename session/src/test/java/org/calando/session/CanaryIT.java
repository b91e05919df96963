package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CanaryIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static CanaryBuilder canary() {
    return Canary.builder(CLUSTER.admin(), LiveCluster.KEYSPACE)
        .perSecond(20)
        .requestTimeout(Duration.ofSeconds(5));
  }

  /** Of what a write took before, and what it then took to so many replicas. */
  private static double[] sorted(PropagationLags lags, IntToDoubleFunction before, int rank) {
    return IntStream.range(0, lags.samples())
        .mapToDouble(write -> before.applyAsDouble(write) + lags.lagSeconds(write, rank))
        .sorted()
        .toArray();
  }

  @Test
  void lagsAreThoseOfTheLinks() {
    try (Canary canary = canary().start()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> canary.lags().filter(lags -> lags.sample().samples() >= 60).isPresent());
      Observation.Lags lags = canary.lags().orElseThrow();
      assertThat(System.nanoTime() - lags.atNanos()).isBetween(0L, PATIENCE.toNanos());
      // Its coordinator has a write when it acknowledges it, and n3 is far from the others.
      assertThat(lags.sample().replicas()).isEqualTo(3);
      // A busy machine makes most of them late, and never a read sooner than the link allows.
      double[] first = sorted(lags.sample(), write -> 0, 1);
      assertThat(first[first.length / 10]).isLessThan(LiveCluster.FAR_SECONDS / 2);
      assertThat(lags.sample().knowsAcknowledgements()).isTrue();
      // A lag counts from the acknowledgement, which takes as long as the machine is busy.
      double[] all = sorted(lags.sample(), lags.sample()::ackSeconds, 3);
      assertThat(all[all.length / 2]).isBetween(0.6 * LiveCluster.FAR_SECONDS, 2.0);
      assertThat(lags.sample().ackSeconds(0)).isBetween(1e-5, 5.0);
      assertThat(canary.replicas()).isEqualTo(3);
      assertThat(canary.liveReplicas()).isEqualTo(3);
      assertThat(canary.failedWrites()).isZero();
      assertThat(canary.cost().requests()).isGreaterThan(60 * 5);
      assertThat(canary.cost().cpuNanos()).isPositive();
    }
  }

  @Test
  void theTruthComesOutAsPredictedFromTheLags() {
    try (Canary canary = canary().perSecond(40).window(400, Duration.ofSeconds(30)).start()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  canary
                      .truth(LagModel.MEASURED)
                      .filter(truth -> truth.reads() >= 200 && truth.stale() > 0)
                      .isPresent());
      Observation.Truth truth = canary.truth(LagModel.MEASURED).orElseThrow();
      // At ages like the lags about a third of reads at ONE is stale; 5 standard errors of it.
      double error = 5 * Math.sqrt(truth.reads() * 0.25);
      // Too few may be stale by more than too many: on a busy machine reads come late, and find
      // more.
      assertThat(truth.predicted()).isBetween(truth.stale() - error, truth.stale() + 2 * error);
    }
  }

  @Test
  void whereReadsCannotMissTheTruthIsThatOfOneReplica() {
    try (Canary canary = canary().readChoice(() -> ReadChoice.of(3)).start()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  canary
                      .truth(LagModel.MEASURED)
                      .filter(truth -> truth.stale() > 0 && truth.predicted() > 0)
                      .isPresent());
    }
  }

  @Test
  void aTableOfTheSameNameThatIsSomebodyElsesIsLeftAlone() {
    assertThatThrownBy(() -> Canary.builder(CLUSTER.admin(), "foreign_canary").start())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("Calando did not create it")
        .hasMessageContaining("ALTER TABLE foreign_canary.calando_canary WITH comment = ");
  }

  @Test
  void whatIsNotThereOrNotAllowedIsSaid() {
    assertThatThrownBy(() -> Canary.builder(CLUSTER.admin(), "nowhere").start())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no such keyspace");
    assertThatThrownBy(() -> canary().perSecond(0).valueBytes(-1).start())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("canaries a second: 0.0; bytes of a write: -1");
    assertThatThrownBy(() -> canary().dataCentre("elsewhere").start())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("in data centre elsewhere");
    CLUSTER.admin().execute("CREATE ROLE bird WITH LOGIN = true AND PASSWORD = 'b'");
    try (CqlSession session = CLUSTER.connect("bird", "b")) {
      assertThatThrownBy(() -> Canary.builder(session, "guarded").start())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("let the role CREATE tables")
          .hasMessageContaining("CREATE TABLE guarded.calando_canary (key bigint PRIMARY KEY");
    }
  }
}
