package org.calando.core.policy.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.buffer.BufferedClient.Phase;
import org.calando.core.policy.buffer.BufferedClient.Stall;
import org.calando.core.policy.buffer.BufferedClient.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promises on stores of which some requests take much longer than others. */
class FreshTailTest {
  private static final long MS = 1_000_000;
  private static final double SECOND = 1e9;

  private static Stall pauses(double share, double leastMillis, double mostMillis) {
    return (random, at) ->
        random.nextDouble() < share
            ? (leastMillis + (mostMillis - leastMillis) * random.nextDouble()) * MS
            : 0;
  }

  private static double normal(SplittableRandom random) {
    return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
        * Math.cos(2 * Math.PI * random.nextDouble());
  }

  private static Stall logNormal(double medianMillis, double sigma) {
    return (random, at) -> medianMillis * MS * Math.exp(sigma * normal(random));
  }

  /** The whole store stands still, again and again: requests of that time end together. */
  private static Stall standsStill(double eachSeconds, double leastMillis, double mostMillis) {
    return (random, at) -> {
      double period = eachSeconds * SECOND;
      // Each period has a pause of its own length, at a place of its own.
      SplittableRandom own = new SplittableRandom((long) (at / period));
      double begin = own.nextDouble() * period * 0.8;
      double length = (leastMillis + (mostMillis - leastMillis) * own.nextDouble()) * MS;
      double place = at % period;
      return place + 3 * MS >= begin && place < begin + length ? begin + length - place : 0;
    };
  }

  private static Stall drift(double fromMillis, double toMillis, double seconds) {
    return (random, at) ->
        (fromMillis + (toMillis - fromMillis) * Math.min(1, at / SECOND / seconds))
            * MS
            * (0.8 + 0.4 * random.nextDouble());
  }

  private static Stall changes(double atSecond, Stall before, Stall after) {
    return (random, at) -> (at < atSecond * SECOND ? before : after).nanos(random, at);
  }

  private static Store store(Stall stall) {
    return new Store(4, 3 * MS, 40_000, stall);
  }

  private static BufferedClient client(int millis, Stall stall, long seed) {
    return new BufferedClient(policy(millis), store(stall), seed);
  }

  private static FreshBufferPolicy policy(int millis) {
    return new FreshBufferPolicy(
        new FreshPromise(millis * MS, FreshPromise.ANY), FreshLimits.DEFAULT);
  }

  /** Percentiles of windows, after half a minute in which the tail is found out. */
  private static List<Double> windows(BufferedClient client, double rate, int seconds, int count) {
    List<Phase> phases = new ArrayList<>(List.of(new Phase(rate, 30)));
    phases.addAll(Collections.nCopies(count, new Phase(rate, seconds)));
    return client.run(phases).p99NanosOfPhases().subList(1, count + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "400, 0.01, 20, 60, 1", "400, 0.01, 20, 60, 2", "1000, 0.02, 20, 60, 3",
    "400, 0.02, 40, 80, 1", "400, 0.02, 40, 80, 2", "400, 0.02, 40, 80, 6",
    "200, 0.02, 40, 80, 1", "200, 0.02, 40, 80, 2", "200, 0.02, 40, 80, 4"
  })
  void everyWindowOfTenSecondsKeepsApromiseBesidePauses(
      double rate, double share, double least, double most, long seed) {
    BufferedClient client = client(100, pauses(share, least, most), seed);
    assertThat(windows(client, rate, 10, 18))
        .as("seed %d", seed)
        .allMatch(nanos -> nanos <= 100 * MS);
    assertThat(client.said()).isEmpty();
    assertThat(client.setting().isStrong()).isFalse();
  }

  /** At 50 a second a window of half a minute is of few hundred requests. */
  @ParameterizedTest
  @CsvSource({"0.02, 3", "0.02, 4", "0.02, 5", "0.02, 8", "0.03, 1", "0.03, 3"})
  void fewWritesKeepApromiseOfHalfAminute(double share, long seed) {
    BufferedClient client = client(100, pauses(share, 40, 80), seed);
    assertThat(windows(client, 50, 30, 12))
        .as("seed %d", seed)
        .allMatch(nanos -> nanos <= 100 * MS);
  }

  @ParameterizedTest
  @CsvSource({
    "log-normal, 50, 11", "log-normal, 400, 12", "log-normal, 2000, 13",
    "heavy, 50, 14", "heavy, 400, 15", "heavy, 2000, 16",
    "still, 50, 17", "still, 400, 18", "still, 2000, 19",
    "step, 50, 20", "step, 400, 21", "step, 2000, 22",
    "drift, 50, 23", "drift, 400, 24", "drift, 2000, 25"
  })
  void promisesAreKeptWhateverTheTailIs(String law, double rate, long seed) {
    Stall stall =
        switch (law) {
          case "log-normal" -> logNormal(4, 0.8);
          case "heavy" -> logNormal(4, 1.2);
          case "still" -> standsStill(1.5, 40, 90);
          case "step" -> changes(70, logNormal(2, 0.5), pauses(0.05, 20, 60));
          default -> drift(2, 40, 150);
        };
    for (int millis : new int[] {100, 500}) {
      assertThat(windows(client(millis, stall, seed), rate, 30, 5))
          .as("%s, %d ms, seed %d", law, millis, seed)
          .allMatch(nanos -> nanos <= millis * MS);
    }
  }

  @ParameterizedTest
  @CsvSource({"50, 31", "400, 32", "2000, 33"})
  void whereRequestsAloneTakeLongerWritesAreStrongAndItIsSaidOnce(double rate, long seed) {
    BufferedClient client = client(100, pauses(0.1, 90, 150), seed);
    List<Double> late = windows(client, rate, 30, 4);
    assertThat(client.said()).as("seed %d", seed).hasSize(1);
    assertThat(client.said().get(0))
        .matches(
            "fresh 100 ms is not to be had here: more than one request in 100 takes 1\\d\\d ms"
                + " \\(95 % confidence\\)");
    // The store cannot serve the more of them one by one: then they are sent as small as may be.
    assertThat(client.setting().isStrong()).isEqualTo(rate < 400);
    assertThat(late).allMatch(nanos -> nanos <= 200 * MS);
    BufferedClient longer = client(500, pauses(0.1, 90, 150), seed);
    assertThat(windows(longer, rate, 30, 4)).allMatch(nanos -> nanos <= 500 * MS);
    assertThat(longer.said()).isEmpty();
  }

  @Test
  void apromiseThatMayBeKeptAgainIsKept() {
    Stall ends = changes(60, pauses(0.1, 90, 150), (random, at) -> 0);
    BufferedClient client = client(100, ends, 34);
    List<Double> windows = windows(client, 50, 30, 8);
    assertThat(client.said()).hasSize(2);
    assertThat(client.said().get(1)).isEqualTo("fresh 100 ms may be kept again");
    assertThat(client.setting().delayNanos()).isGreaterThan(60 * MS);
    assertThat(windows.get(7)).isLessThanOrEqualTo((double) (100 * MS));
  }

  /** What the fixed head-room has room for takes nothing more. */
  @ParameterizedTest
  @CsvSource({"50", "400", "5000"})
  void aShortTailCostsNothing(double rate) {
    BufferSetting none = decided(500, rate, 10 * MS);
    assertThat(decided(500, rate, 110 * MS)).isEqualTo(none);
    assertThat(decided(500, rate, 150 * MS).delayNanos()).isLessThan(none.delayNanos());
  }

  private static BufferSetting decided(int millis, double rate, double tailNanos) {
    return policy(millis)
        .decide(
            BufferState.INITIAL,
            seen(rate, Optional.of(new BufferObservation.Tail(0, 400, tailNanos, 0))))
        .value(KnobId.WRITE_BUFFER)
        .orElseThrow();
  }

  private static BufferObservation seen(double rate, Optional<BufferObservation.Tail> tail) {
    return new BufferObservation(
        0,
        "t",
        Optional.of(new BufferObservation.Writes(0, rate, 1000)),
        Optional.of(new BufferObservation.Requests(0, 20, 10 * MS, 5 * MS)),
        tail,
        Optional.empty(),
        0);
  }

  @Test
  void theLeastDelayIsSetUntilTheTailIsKnown() {
    var step = policy(500).decide(BufferState.INITIAL, seen(400, Optional.empty()));
    assertThat(step.value(KnobId.WRITE_BUFFER).orElseThrow().delayNanos())
        .isEqualTo(BufferRange.SHORTEST_DELAY_NANOS);
    assertThat(step.reasons()).hasSize(1);
    assertThat(step.reasons().get(0)).endsWith("how long at most is not known yet");
  }
}
