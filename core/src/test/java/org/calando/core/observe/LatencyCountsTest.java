package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.workload.LogBuckets;
import org.junit.jupiter.api.Test;

class LatencyCountsTest {
  private static LatencyCounts of(long count, long micros) {
    LatencyCounts.Recorder recorder = new LatencyCounts.Recorder();
    for (long i = 0; i < count; i++) {
      recorder.add(micros * 1000);
    }
    return recorder.counts();
  }

  @Test
  void aPercentileIsThatOfAllClientsTogether() {
    LatencyCounts both = of(985, 1_000).plus(of(15, 40_000));
    assertThat(both.total()).isEqualTo(1000);
    assertThat(both.percentileMicros(98).orElseThrow()).isBetween(992L, 1008L);
    assertThat(both.percentileMicros(99).orElseThrow()).isBetween(39_680L, 40_320L);
    assertThat(both.upTo(2_000)).isEqualTo(985);
    assertThat(LatencyCounts.NONE.percentileMicros(99)).isEmpty();
  }

  @Test
  void whatCameSinceIsTheDifferenceAndNeverBelowNothing() {
    LatencyCounts before = of(10, 5);
    LatencyCounts after = before.plus(of(3, 5)).plus(of(2, 700));
    assertThat(after.since(before).total()).isEqualTo(5);
    assertThat(before.since(after).total()).isZero();
  }

  @Test
  void countsThatNobodyCanHaveStayNumbers() {
    int buckets = LogBuckets.of(60_000_000) + 1;
    String all =
        IntStream.range(0, buckets)
            .mapToObj(bucket -> bucket + ":2147483647000000")
            .collect(Collectors.joining(" "));
    LatencyCounts sum = LatencyCounts.NONE;
    for (int session = 0; session < 20; session++) {
      sum = sum.plus(LatencyCounts.parse(all));
      assertThat(sum.total()).isPositive();
    }
    assertThat(sum.upTo(60_000_000)).isEqualTo(sum.total());
    assertThat(sum.percentileMicros(99).orElseThrow()).isPositive();
    assertThat(LatencyCounts.parse(sum.text()).total()).isEqualTo(sum.total());
  }

  @Test
  void aTextSaysAllAndNothingElseIsOne() {
    LatencyCounts counts = of(7, 3).plus(of(1, 90_000_000));
    assertThat(LatencyCounts.parse(counts.text()).text()).isEqualTo(counts.text());
    assertThat(LatencyCounts.parse("").total()).isZero();
    assertThatThrownBy(() -> LatencyCounts.parse("3")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LatencyCounts.parse("999999:1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LatencyCounts.parse("1:-1"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
