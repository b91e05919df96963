package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.observe.PromiseFigure;
import org.junit.jupiter.api.Test;

class ReadHistogramsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int BUCKETS = 40;

  private final ReadHistograms histograms = new ReadHistograms(List.of());

  /** Counts of reads of 1000 µs and of 100 µs, in their buckets. */
  private static long[] counts(long slow, long fast) {
    long[] counts = new long[BUCKETS];
    counts[bucket(1000)] = slow;
    counts[bucket(100)] = fast;
    return counts;
  }

  private static int bucket(long micros) {
    List<Long> ends = ReadHistograms.ends(BUCKETS);
    int bucket = 0;
    while (ends.get(bucket) < micros) {
      bucket++;
    }
    return bucket;
  }

  @Test
  void bucketsEndWhereCassandrasDo() {
    assertThat(ReadHistograms.ends(13))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 10L, 12L, 14L, 17L);
  }

  @Test
  void thePercentileIsThatOfTheReadsOfAllNodesBetweenTwoQuestions() {
    histograms.add(0, List.of(counts(500, 0), counts(0, 0)));
    assertThat(histograms.figure(SECOND)).isEmpty();
    histograms.add(10 * SECOND, List.of(counts(500, 500), counts(2, 498)));
    PromiseFigure fast = histograms.figure(11 * SECOND).orElseThrow();
    assertThat(fast.reads()).isEqualTo(1000);
    assertThat(fast.low()).isLessThan(100e-6);
    assertThat(fast.high()).isCloseTo(100e-6, within(20e-6)).isGreaterThanOrEqualTo(100e-6);
    histograms.add(20 * SECOND, List.of(counts(600, 500), counts(2, 498)));
    PromiseFigure slow = histograms.figure(21 * SECOND).orElseThrow();
    assertThat(slow.low()).isCloseTo(1000e-6, within(200e-6));
    assertThat(slow.high()).isGreaterThanOrEqualTo(1000e-6);
  }

  @Test
  void onlyTheLastMinuteCounts() {
    histograms.add(0, List.of(counts(0, 0)));
    histograms.add(10 * SECOND, List.of(counts(100, 100)));
    for (int at = 20; at <= 80; at += 10) {
      histograms.add(at * SECOND, List.of(counts(100, 100L * at)));
    }
    assertThat(histograms.figure(81 * SECOND).orElseThrow().high()).isLessThan(150e-6);
  }

  @Test
  void whatIsOldOrCountedAnewIsUnknown() {
    histograms.add(0, List.of(counts(5, 100)));
    histograms.add(10 * SECOND, List.of(counts(5, 200)));
    assertThat(histograms.figure(11 * SECOND)).isPresent();
    assertThat(histograms.figure(100 * SECOND)).isEmpty();
    histograms.add(20 * SECOND, List.of(counts(0, 3)));
    assertThat(histograms.figure(21 * SECOND)).isEmpty();
  }

  @Test
  void whatIsLongerThanTheLastBucketHasNoEnd() {
    long[] none = new long[BUCKETS];
    long[] one = new long[BUCKETS];
    one[BUCKETS - 1] = 1;
    histograms.add(0, List.of(none));
    histograms.add(10 * SECOND, List.of(one));
    assertThat(histograms.figure(11 * SECOND).orElseThrow().high()).isInfinite();
  }
}
