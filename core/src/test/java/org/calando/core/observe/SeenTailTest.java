package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.calando.core.policy.buffer.BufferObservation.Tail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeenTailTest {
  private static final long MS = 1_000_000;
  private static final long UNIT = 10_000;
  private static final double BUCKET = 0.008;

  private final TimeCounts took = new TimeCounts();
  private final SeenTail tail = new SeenTail();
  private long now;
  private long requests;
  private long squares;

  SeenTailTest() {
    assertThat(tail.tail(now, took.snapshot(), requests, squares)).isEmpty();
  }

  /** Requests one after another, so far apart that each tells something of its own. */
  private Tail after(int count, double nanos) {
    return after(count, 1, nanos);
  }

  /** The same, of so many writes each. */
  private Tail after(int count, int writes, double nanos) {
    for (int i = 0; i < count; i++) {
      took.record((long) nanos, writes);
    }
    requests += count;
    squares += (long) count * writes * writes;
    now += count * 100L * MS;
    return tail.tail(now, took.snapshot(), requests, squares).orElseThrow();
  }

  @Test
  void requestsOfOneSizeCountAsTheyAre() {
    assertThat(after(1, 7, 9 * MS).observations()).isEqualTo(1);
    assertThat(after(34, 7, 9 * MS).observations()).isEqualTo(35);
    assertThat(after(438, 7, 9 * MS).observations()).isEqualTo(473);
  }

  /** Ten of 100 writes among 990 of one: (1990)^2 / 100,990 is 39.2. */
  @Test
  void fewLargeRequestsAmongManySmallOnesAreFewObservations() {
    after(990, 1, 2 * MS);
    Tail uneven = after(10, 100, 30 * MS);
    assertThat(uneven.observations()).isEqualTo(39);
    // The longest of 39 is above a lower percentile only, and taken several times.
    assertThat(uneven.atMostNanos()).isCloseTo(2.72 * 30 * MS, within(0.02 * 90 * MS));
  }

  @Test
  void theLongestOf299AndTheSecondLongestOf473AreUpperBounds() {
    after(1, 40 * MS);
    assertThat(after(298, MS).atMostNanos()).isCloseTo(40 * MS, within(BUCKET * 40 * MS));
    after(1, 20 * MS);
    assertThat(after(172, MS).atMostNanos()).isCloseTo(40 * MS, within(BUCKET * 40 * MS));
    assertThat(after(1, MS).atMostNanos()).isCloseTo(20 * MS, within(BUCKET * 20 * MS));
  }

  /** (1 - s)^10 = 5 % has s = 0.259; the root of 25.9 is 5.09. */
  @Test
  void theLongestOfFewIsTakenSeveralTimes() {
    Tail few = after(10, 4 * MS);
    assertThat(few.observations()).isEqualTo(10);
    assertThat(few.atMostNanos()).isCloseTo(5.09 * 4 * MS, within(0.02 * 20 * MS));
  }

  /** Of 35 two beyond the percentile are seen by chance in 4.8 % of all cases, of 36 in 5.0 %. */
  @Test
  void oneIsNoEvidenceAndTwoOf35Are() {
    assertThat(after(1, 90 * MS).atLeastNanos()).isZero();
    assertThat(after(32, MS).atLeastNanos()).isCloseTo(MS, within(BUCKET * MS));
    assertThat(after(2, 80 * MS).atLeastNanos()).isCloseTo(80 * MS, within(BUCKET * 80 * MS));
    assertThat(after(1, MS).atLeastNanos()).isCloseTo(80 * MS, within(BUCKET * 80 * MS));
    assertThat(after(1, MS).observations()).isEqualTo(37);
  }

  /** Chances of so many are too small for a double: looking for one must end. */
  @Test
  void anyNumberIsLookedAt() {
    int many = 1_000_000;
    took.record(50_000, many);
    Tail seen = tail.tail(119_000 * MS, took.snapshot(), many, many).orElseThrow();
    assertThat(seen.atMostNanos()).isCloseTo(50_000, within(BUCKET * 50_000));
    assertThat(seen.observations()).isEqualTo(20_000);
  }

  @Test
  void requestsOfOnePauseAreOneObservation() {
    took.record(50 * MS, 30);
    took.record(2 * MS, 170);
    Tail seen = tail.tail(1_000 * MS, took.snapshot(), 200, 200).orElseThrow();
    // A second has room for 20 of 50 ms.
    assertThat(seen.observations()).isBetween(19, 20);
  }

  @Test
  void twoMinutesAreLookedBack() {
    after(300, 90 * MS);
    assertThat(after(300, MS).atMostNanos()).isGreaterThan(80 * MS);
    now += 60_000 * MS;
    after(300, MS);
    now += 60_000 * MS;
    for (int step = 0; step < 15; step++) {
      now += 5_000 * MS;
      after(20, MS);
    }
    assertThat(after(20, MS).atMostNanos()).isLessThan(2 * MS);
  }

  @ParameterizedTest
  @CsvSource({"30, 1", "100, 2", "300, 3", "500, 4", "1200, 5"})
  void boundsHoldInNineteenOfTwentyCases(int count, long seed) {
    double cosine = 2 * Math.PI;
    bounds(
        "log-normal",
        count,
        seed,
        random ->
            UNIT
                * Math.exp(
                    Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
                        * Math.cos(cosine * random.nextDouble())),
        UNIT * Math.exp(2.3263));
    bounds(
        "Pareto",
        count,
        seed,
        random -> UNIT * Math.pow(1 - random.nextDouble(), -1 / 2.5),
        UNIT * Math.pow(0.01, -1 / 2.5));
    bounds(
        "exponential",
        count,
        seed,
        random -> UNIT * (1 - Math.log(1 - random.nextDouble())),
        UNIT * (1 + Math.log(100)));
  }

  private static void bounds(
      String law, int count, long seed, ToDoubleFunction<SplittableRandom> draw, double truth) {
    SplittableRandom random = new SplittableRandom(seed);
    int cases = 1000;
    int above = 0;
    int below = 0;
    for (int i = 0; i < cases; i++) {
      TimeCounts took = new TimeCounts();
      SeenTail tail = new SeenTail();
      assertThat(tail.tail(0, took.snapshot(), 0, 0)).isEmpty();
      for (int j = 0; j < count; j++) {
        took.record((long) draw.applyAsDouble(random));
      }
      // In far more time than they took.
      Tail seen = tail.tail(100_000 * MS, took.snapshot(), count, count).orElseThrow();
      above += seen.atMostNanos() * (1 + BUCKET) >= truth ? 1 : 0;
      below += seen.atLeastNanos() * (1 - BUCKET) <= truth ? 1 : 0;
    }
    // Three standard errors below 95 %.
    assertThat(above).as("%s, %d, seed %d: above", law, count, seed).isGreaterThan(929);
    assertThat(below).as("%s, %d, seed %d: below", law, count, seed).isGreaterThan(929);
  }
}
