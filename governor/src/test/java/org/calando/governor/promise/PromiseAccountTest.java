package org.calando.governor.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;
import org.calando.studyfile.ClusterPromise;
import org.junit.jupiter.api.Test;

class PromiseAccountTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  private static PromiseAccount account(Promised promise, double limit, long windowSeconds) {
    PromiseAccount account =
        new PromiseAccount(
            new ClusterPromise(Map.of(promise, limit), windowSeconds * SECOND), 10 * SECOND);
    account.begin(0);
    return account;
  }

  private static PromiseFigure figure(double low, double high, double reads) {
    return new PromiseFigure(low, high, reads, PromiseFigure.Kind.MEASURED, "test");
  }

  private static PromiseState state(PromiseAccount account, long seconds) {
    return account.states(seconds * SECOND).get(0);
  }

  @Test
  void timeIsKeptBrokenOrUnknown() {
    PromiseAccount account = account(Promised.READ_P99, 0.05, 3600);
    account.period(Map.of(Promised.READ_P99, figure(0.01, 0.02, 100)), Map.of(), 10 * SECOND);
    assertThat(state(account, 10).kept()).contains(true);
    account.period(Map.of(Promised.READ_P99, figure(0.06, 0.07, 100)), Map.of(), 20 * SECOND);
    assertThat(state(account, 20).kept()).contains(false);
    account.period(Map.of(Promised.READ_P99, figure(0.04, 0.07, 100)), Map.of(), 30 * SECOND);
    assertThat(state(account, 30).kept()).as("it may be or not").isEmpty();
    account.period(Map.of(), Map.of(), 40 * SECOND);
    PromiseState.Account of = state(account, 45).account();
    assertThat(of.keptSeconds()).isEqualTo(10);
    assertThat(of.brokenSeconds()).isEqualTo(10);
    assertThat(of.unknownSeconds()).as("all else of the window").isEqualTo(3580);
    assertThat(of.unknownShare()).isCloseTo(3580.0 / 3600, EXACT);
    assertThat(of.spentHigh()).as("only shares have a budget").isEmpty();
  }

  @Test
  void numbersOfNodesAreToBeAtLeastTheLimit() {
    PromiseAccount account = account(Promised.COPIES, 2, 3600);
    account.period(Map.of(Promised.COPIES, figure(2, 3, Double.NaN)), Map.of(), 10 * SECOND);
    assertThat(state(account, 10).kept()).contains(true);
    account.period(Map.of(Promised.COPIES, figure(1, 1, Double.NaN)), Map.of(), 20 * SECOND);
    assertThat(state(account, 20).kept()).contains(false);
    account.period(Map.of(Promised.COPIES, figure(1, 2, Double.NaN)), Map.of(), 30 * SECOND);
    assertThat(state(account, 30).kept()).isEmpty();
  }

  @Test
  void theBudgetIsOfReadsAndUnknownTimeNeitherSpendsNorEarns() {
    PromiseAccount account = account(Promised.STALE, 0.01, 3600);
    assertThat(state(account, 0).account().spentHigh()).isEmpty();
    account.period(Map.of(Promised.STALE, figure(0, 0.02, 1000)), Map.of(), 10 * SECOND);
    account.period(Map.of(), Map.of(), 1000 * SECOND);
    account.period(Map.of(Promised.STALE, figure(0, 0, 3000)), Map.of(), 1010 * SECOND);
    PromiseState.Account of = state(account, 1010).account();
    // 20 of 4000 reads at most, where 40 are allowed.
    assertThat(of.spentHigh().orElseThrow()).isCloseTo(0.5, EXACT);
    assertThat(of.spentLow().orElseThrow()).isZero();
    assertThat(of.keptSeconds()).isEqualTo(10);
    assertThat(of.unknownSeconds()).isEqualTo(3590);
  }

  @Test
  void anotherLimitJudgesAndAllowsFromThenOn() {
    PromiseAccount account = account(Promised.STALE, 0.02, 3600);
    account.period(Map.of(Promised.STALE, figure(0.01, 0.01, 1000)), Map.of(), 10 * SECOND);
    account.limits(each -> Optional.of(0.005));
    account.period(Map.of(Promised.STALE, figure(0.01, 0.01, 1000)), Map.of(), 20 * SECOND);
    PromiseState state = state(account, 20);
    assertThat(state.kept()).contains(false);
    assertThat(state.limit()).isEqualTo(0.005);
    assertThat(state.fileLimit()).isEqualTo(0.02);
    // 20 stale reads, where 20 of the first thousand were allowed and 5 of the second.
    assertThat(state.account().spentLow().orElseThrow()).isCloseTo(0.8, EXACT);
    assertThat(state.account().brokenSeconds()).isEqualTo(10);
    account.limits(each -> Optional.empty());
    assertThat(state(account, 20).limit()).isEqualTo(0.02);
  }

  @Test
  void aFigureThatSaysNothingSpendsNothing() {
    PromiseAccount account = account(Promised.STALE, 0.01, 3600);
    account.period(Map.of(Promised.STALE, figure(0, 1, 1000)), Map.of(), 10 * SECOND);
    assertThat(state(account, 10).account().spentHigh()).isEmpty();
    account.period(Map.of(Promised.STALE, figure(0, 0.005, 1000)), Map.of(), 20 * SECOND);
    assertThat(state(account, 20).account().spentHigh().orElseThrow()).isCloseTo(0.5, EXACT);
  }

  @Test
  void aSampleStandsForAMinuteAtMost() {
    PromiseAccount account =
        new PromiseAccount(
            new ClusterPromise(Map.of(Promised.COPIES, 2.0), 7200 * SECOND), 600 * SECOND);
    account.begin(0);
    account.period(Map.of(Promised.COPIES, figure(3, 3, Double.NaN)), Map.of(), 600 * SECOND);
    assertThat(state(account, 600).account().keptSeconds()).isEqualTo(60);
    assertThat(state(account, 600).account().unknownSeconds()).isEqualTo(7140);
  }

  @Test
  void aSampleStandsForAFewPeriodsAndTheGapBeforeItIsUnknown() {
    PromiseAccount account = account(Promised.STALE, 0.01, 3600);
    account.period(Map.of(Promised.STALE, figure(0.005, 0.005, 1000)), Map.of(), 10 * SECOND);
    account.period(Map.of(Promised.STALE, figure(0, 0, 40_000)), Map.of(), 1010 * SECOND);
    PromiseState.Account of = state(account, 1010).account();
    assertThat(of.keptSeconds()).isEqualTo(40);
    assertThat(of.unknownSeconds()).isEqualTo(3560);
    // 5 stale ones of 1000 reads, and of 30 s of the 40 000 reads of 1000 s.
    assertThat(of.spentHigh().orElseThrow()).isCloseTo(5 / (0.01 * (1000 + 1200)), EXACT);
    account.begin(5000 * SECOND);
    account.period(Map.of(Promised.STALE, figure(0.02, 0.02, 10)), Map.of(), 5010 * SECOND);
    PromiseState.Account restarted = state(account, 5010).account();
    assertThat(restarted.keptSeconds()).as("it is out of the window").isZero();
    assertThat(restarted.brokenSeconds()).isEqualTo(10);
  }

  @Test
  void theWindowForgetsWhileNothingIsMeasured() {
    PromiseAccount account = account(Promised.STALE, 0.01, 100);
    account.period(Map.of(Promised.STALE, figure(0, 0, 100)), Map.of(), 10 * SECOND);
    assertThat(state(account, 100).account().keptSeconds()).isEqualTo(10);
    PromiseState.Account of = state(account, 101).account();
    assertThat(of.keptSeconds()).isZero();
    assertThat(of.unknownShare()).isEqualTo(1);
    assertThat(of.spentHigh()).isEmpty();
  }

  @Test
  void knownTimeIsNeverLongerThanTheWindow() {
    PromiseAccount account = account(Promised.COPIES, 2, 15);
    account.period(Map.of(Promised.COPIES, figure(2, 2, 1)), Map.of(), 1000 * SECOND);
    PromiseState.Account of = state(account, 1000).account();
    assertThat(of.keptSeconds() + of.unknownSeconds()).isEqualTo(15);
  }

  @Test
  void nothingIsAllowedWhereTheLimitIsNone() {
    PromiseAccount account = account(Promised.STALE, 0, 3600);
    account.period(Map.of(Promised.STALE, figure(0, 0, 10)), Map.of(), 10 * SECOND);
    assertThat(state(account, 10).account().spentHigh().orElseThrow()).isZero();
    account.period(Map.of(Promised.STALE, figure(0.1, 0.1, 10)), Map.of(), 20 * SECOND);
    assertThat(state(account, 20).account().spentHigh().orElseThrow()).isInfinite();
  }

  @Test
  void theWindowForgets() {
    PromiseAccount account = account(Promised.STALE, 0.01, 100);
    account.period(Map.of(Promised.STALE, figure(0.02, 0.02, 100)), Map.of(), 10 * SECOND);
    for (int second = 20; second <= 200; second += 10) {
      account.period(Map.of(Promised.STALE, figure(0, 0, 100)), Map.of(), second * SECOND);
    }
    PromiseState.Account of = state(account, 200).account();
    assertThat(of.spentHigh().orElseThrow()).isZero();
    assertThat(of.brokenSeconds()).isZero();
    assertThat(of.keptSeconds()).isEqualTo(100);
  }

  @Test
  void theWindowForgetsThoughNobodyAsksHowItStands() {
    PromiseAccount account = account(Promised.STALE, 0.01, 100);
    for (int second = 10; second <= 1000; second += 10) {
      account.period(Map.of(Promised.STALE, figure(0, 0, 100)), Map.of(), second * SECOND);
    }
    // As of the beginning nothing is too old: what is left is all that it holds.
    assertThat(state(account, 0).account().keptSeconds()).isEqualTo(100);
  }

  @Test
  void afterSomePeriodsWithoutNewsNothingIsKnownOfNow() {
    PromiseAccount account = account(Promised.STALE, 0.01, 3600);
    account.period(Map.of(Promised.STALE, figure(0, 0, 100)), Map.of(), 10 * SECOND);
    assertThat(state(account, 40).figure()).isPresent();
    assertThat(state(account, 41).figure()).isEmpty();
    assertThat(state(account, 41).account().keptSeconds()).isEqualTo(10);
  }

  @Test
  void otherLevelsAreJudgedByTheSameLimitWhileTheyAreFresh() {
    PromiseAccount account = account(Promised.STALE, 0.01, 3600);
    Map<ConsistencyLevel, PromiseFigure> levels =
        Map.of(ConsistencyLevel.ONE, figure(0.02, 0.03, 10));
    account.period(Map.of(), levels, 10 * SECOND);
    assertThat(account.levels(10 * SECOND))
        .containsExactly(
            new LevelState(ConsistencyLevel.ONE, figure(0.02, 0.03, 10), Optional.of(false)));
    assertThat(account.levels(41 * SECOND)).isEmpty();
  }
}
