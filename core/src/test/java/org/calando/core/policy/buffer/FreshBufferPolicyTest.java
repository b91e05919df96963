package org.calando.core.policy.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferedClient.Outcome;
import org.calando.core.policy.buffer.BufferedClient.Phase;
import org.calando.core.policy.buffer.BufferedClient.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreshBufferPolicyTest {
  private static final long MS = 1_000_000;
  private static final Store STORE = new Store(4, 3 * MS, 40_000);
  private static final List<Phase> STEPS =
      List.of(
          new Phase(50, 20),
          new Phase(5000, 20),
          new Phase(50, 20),
          new Phase(0, 15),
          new Phase(5000, 20),
          new Phase(500, 20),
          new Phase(0, 15),
          new Phase(50, 20));

  @ParameterizedTest
  @CsvSource({"100, 1", "100, 2", "500, 3", "500, 4", "2000, 5", "2000, 6"})
  void freshnessIsKeptWhileTheRateStepsAndStops(int millis, long seed) {
    FreshPromise promise = new FreshPromise(millis * MS, FreshPromise.ANY);
    Outcome outcome = run(promise, STORE, seed);
    assertThat(outcome.p99NanosOfPhases())
        .as("seed %d", seed)
        .allMatch(nanos -> nanos <= millis * MS);
    assertThat(outcome.writesEach()).as("writes of a request").isGreaterThan(10);
  }

  @Test
  void alongerPromiseMakesLargerRequests() {
    double shorter = run(new FreshPromise(100 * MS, FreshPromise.ANY), STORE, 7).writesEach();
    double longer = run(new FreshPromise(2000 * MS, FreshPromise.ANY), STORE, 7).writesEach();
    assertThat(longer).isGreaterThan(4 * shorter);
  }

  @Test
  void writesAtRiskStayBelowTheirBound() {
    Outcome outcome = run(new FreshPromise(2000 * MS, 400), STORE, 8);
    assertThat(outcome.mostAtRisk()).isBetween(100L, 400L);
  }

  /**
   * Eight clients that wait for each write: one by one they call 8 / T(1) a second, deferred as
   * many as the store takes in bulk. A request of m writes takes 4 ms and 50 us each.
   */
  @ParameterizedTest
  @CsvSource({"100", "500", "2000"})
  void clientsThatWaitForEachWriteAreLetOff(int millis) {
    FreshPromise promise = new FreshPromise(millis * MS, FreshPromise.ANY);
    FreshBufferPolicy policy = new FreshBufferPolicy(promise, FreshLimits.DEFAULT);
    BufferState state = BufferState.INITIAL;
    double bytes = 1344;
    double rate = 8 / 0.004_05;
    double carried = 1;
    double takes = 4.05 * MS;
    for (int decision = 0; decision < 40; decision++) {
      Step<BufferState> step =
          policy.decide(
              state,
              observation(
                  Optional.of(new BufferObservation.Writes(60_000 * MS, rate, bytes)),
                  Optional.of(requests(carried, takes)),
                  Optional.empty()));
      state = step.state();
      BufferSetting set = setting(step);
      rate = set.isStrong() ? 8 / 0.004_05 : 15_000;
      carried =
          set.isStrong()
              ? 1
              : Math.max(1, Math.min(set.bytes() / bytes, rate * set.delayNanos() / 1e9));
      takes = 4 * MS + carried * 0.05 * MS;
      assertThat((set.isStrong() ? 0 : (double) set.delayNanos()) + takes)
          .as("decision %d: %s", decision, step.reasons())
          .isLessThanOrEqualTo((double) promise.freshNanos());
    }
    assertThat(
            setting(
                    policy.decide(
                        state,
                        observation(
                            Optional.of(new BufferObservation.Writes(60_000 * MS, rate, bytes)),
                            Optional.of(requests(carried, takes)),
                            Optional.empty())))
                .isStrong())
        .isFalse();
    assertThat(carried).as("writes of a request").isGreaterThan(millis / 2.0);
  }

  /** Two channels of 8 ms: 250 requests a second, of which most is fixed. */
  @ParameterizedTest
  @CsvSource({"11", "12", "13", "14"})
  void aStepUpDoesNotDrownTheStoreInSmallRequests(long seed) {
    FreshPromise promise = new FreshPromise(100 * MS, FreshPromise.ANY);
    Outcome outcome = run(promise, new Store(2, 8 * MS, 10_000), seed);
    assertThat(outcome.p99NanosOfPhases()).as("seed %d", seed).allMatch(nanos -> nanos <= 100 * MS);
  }

  /** Of 10 MB/s a channel, less than is believed of large requests. */
  @ParameterizedTest
  @CsvSource({"100, 15", "100, 16", "500, 17", "2000, 18"})
  void aPromiseIsKeptOnAStoreThatIsSlowerThanBelieved(int millis, long seed) {
    FreshPromise promise = new FreshPromise(millis * MS, FreshPromise.ANY);
    Outcome outcome = run(promise, new Store(4, 3 * MS, 100_000), seed);
    assertThat(outcome.p99NanosOfPhases())
        .as("seed %d", seed)
        .allMatch(nanos -> nanos <= millis * MS);
  }

  /** By 14 ms for 5 writes it would be 14 writes; at 16 MB/s it is what is left beside 66 ms. */
  @Test
  void smallRequestsDoNotMakeTheBufferSmall() {
    BufferSetting set = decide(1, 30, 5, 14 * MS);
    assertThat(set.delayNanos()).isEqualTo(66 * MS);
    assertThat(set.bytes()).isEqualTo(14 * 16_000);
  }

  @ParameterizedTest
  @CsvSource({"5000, 38, 53", "5000, 20, 75", "300, 4, 75", "5000, 1, 40"})
  void abusyStoreIsNotGivenWritesOneByOne(double rate, double each, long takesMillis) {
    BufferSetting set = decide(1, rate, each, takesMillis * MS);
    assertThat(set.delayNanos()).isEqualTo(10 * MS);
    assertThat((double) set.bytes()).isGreaterThanOrEqualTo(1000 * Math.max(each, rate / 100));
  }

  @Test
  void writesThatWouldGoAloneAreStrongWhereLittleIsLeft() {
    assertThat(decide(1, 50, 1, 75 * MS).isStrong()).isTrue();
  }

  /** 20 ms of 5000/s are 100 writes: the timer is to send them, not the size. */
  @ParameterizedTest
  @CsvSource({"1", "0.7", "0.2"})
  void requestsThatWaitForEachOtherAreMadeFewer(double correction) {
    BufferSetting set = decide(correction, 5000, 100, 90 * MS);
    assertThat(set.delayNanos()).isEqualTo(20 * MS);
    assertThat(set.bytes()).isGreaterThanOrEqualTo(200_000);
  }

  private static BufferSetting decide(
      double correction, double rate, double each, long takesNanos) {
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(100 * MS, FreshPromise.ANY), FreshLimits.DEFAULT);
    return setting(
        policy.decide(
            state(50 * MS, 10_000, correction),
            observation(
                Optional.of(new BufferObservation.Writes(60_000 * MS, rate, 1000)),
                Optional.of(requests(each, (double) takesNanos)),
                Optional.empty())));
  }

  @Test
  void astoreThatCannotServeWritesOneByOneIsHelpedByDeferring() {
    // 4 channels of 3 ms serve 1333 writes a second one by one, less than come.
    FreshPromise promise = new FreshPromise(100 * MS, FreshPromise.ANY);
    BufferedClient client =
        new BufferedClient(new FreshBufferPolicy(promise, FreshLimits.DEFAULT), STORE, 9);
    Outcome outcome = client.run(List.of(new Phase(5000, 20), new Phase(5000, 20)));
    assertThat(outcome.p99NanosOfPhases().get(1)).isLessThanOrEqualTo(100 * MS);
  }

  @Test
  void whatIsNotKnownMakesWritesStrong() {
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(500 * MS, FreshPromise.ANY), FreshLimits.DEFAULT);
    BufferState state = state(100 * MS, 64_000, 1);
    BufferObservation nothing = observation(Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(setting(policy.decide(state, nothing))).isEqualTo(BufferSetting.STRONG);
    BufferObservation.Writes old = new BufferObservation.Writes(0, 100, 1024);
    assertThat(
            setting(
                policy.decide(
                    state, observation(Optional.of(old), Optional.empty(), Optional.empty()))))
        .isEqualTo(BufferSetting.STRONG);
  }

  @Test
  void astopKeepsWhatWasSet() {
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(500 * MS, FreshPromise.ANY), FreshLimits.DEFAULT);
    BufferState state = state(100 * MS, 64_000, 1);
    BufferObservation.Writes none = new BufferObservation.Writes(60_000 * MS, 0, 1024);
    assertThat(
            setting(
                policy.decide(
                    state, observation(Optional.of(none), Optional.empty(), Optional.empty()))))
        .isEqualTo(new BufferSetting(64_000, 100 * MS));
  }

  @Test
  void lateWritesShortenTheDelayOnceAWindow() {
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(500 * MS, FreshPromise.ANY), FreshLimits.DEFAULT);
    BufferObservation late =
        observation(
            Optional.of(new BufferObservation.Writes(60_000 * MS, 10, 1024)),
            Optional.of(requests(10, 20 * MS)),
            Optional.of(new BufferObservation.Freshness(60_000 * MS, 100, 900 * MS)));
    Step<BufferState> first = policy.decide(state(380 * MS, 10_000, 1), late);
    assertThat(first.state().correction()).isEqualTo(0.7);
    assertThat(first.state().delayNanos()).isEqualTo(260 * MS);
    assertThat(policy.decide(first.state(), late).state()).isEqualTo(first.state());
  }

  @Test
  void oneWriteAtRiskIsNotDeferred() {
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(500 * MS, 3), FreshLimits.DEFAULT);
    BufferObservation known =
        observation(
            Optional.of(new BufferObservation.Writes(60_000 * MS, 1000, 1024)),
            Optional.of(requests(1, 5 * MS)),
            Optional.empty());
    assertThat(setting(policy.decide(BufferState.INITIAL, known)).isStrong()).isTrue();
  }

  @Test
  void settingsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new BufferSetting(-1, 1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new BufferSetting(0, 1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new FreshPromise(999_999, 1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new FreshPromise(MS, 0)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> BufferState.parse("1 2")).isInstanceOf(IllegalArgumentException.class);
    assertThat(new BufferSetting(64_000, 80 * MS).text()).isEqualTo("deferred 64000 B 80 ms");
    assertThat(BufferSetting.STRONG.text()).isEqualTo("strong");
  }

  private static Outcome run(FreshPromise promise, Store store, long seed) {
    FreshBufferPolicy policy = new FreshBufferPolicy(promise, FreshLimits.DEFAULT);
    return new BufferedClient(policy, store, seed).run(STEPS);
  }

  private static BufferObservation observation(
      Optional<BufferObservation.Writes> writes,
      Optional<BufferObservation.Requests> requests,
      Optional<BufferObservation.Freshness> freshness) {
    return seen(
        writes,
        requests,
        requests.map(
            all ->
                new BufferObservation.Tail(
                    60_000 * MS, 1000, all.p99Nanos(), all.p99Nanos() * 0.9)),
        freshness);
  }

  private static BufferObservation seen(
      Optional<BufferObservation.Writes> writes,
      Optional<BufferObservation.Requests> requests,
      Optional<BufferObservation.Tail> tail,
      Optional<BufferObservation.Freshness> freshness) {
    return new BufferObservation(60_000 * MS, "test", writes, requests, tail, freshness, 0);
  }

  /** Of which all take alike. */
  private static BufferObservation.Requests requests(double each, double nanos) {
    return new BufferObservation.Requests(60_000 * MS, each, nanos, nanos);
  }

  private static BufferState state(long delayNanos, long bytes, double correction) {
    return new BufferState(delayNanos, bytes, correction, 0, 0, Double.POSITIVE_INFINITY);
  }

  private static BufferSetting setting(Step<BufferState> step) {
    return (BufferSetting) step.settings().get(0).value();
  }
}
