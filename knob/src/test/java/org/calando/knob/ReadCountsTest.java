package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class ReadCountsTest {
  private final ReadCounts counts = new ReadCounts();

  @Test
  void aReadAsksTheMeanOverThoseOfTheMeasuredWindow() {
    counts.began(Map.of(ConsistencyLevel.ALL, 1000L, ConsistencyLevel.ONE, 5L));
    counts.ended(
        Map.of(
            ConsistencyLevel.ALL, 1010L, ConsistencyLevel.ONE, 35L, ConsistencyLevel.QUORUM, 20L));
    // 10 of 3, 30 of 1, 20 of 2
    assertThat(counts.meanReplicas(3, 0)).hasValue(100.0 / 60);
  }

  @Test
  void secondReadsAreNotTheApplications() {
    counts.began(Map.of());
    counts.ended(Map.of(ConsistencyLevel.ALL, 30L, ConsistencyLevel.ONE, 30L));
    assertThat(counts.meanReplicas(3, 30)).hasValue(1);
    assertThat(counts.meanReplicas(3, 20)).hasValue(60.0 / 40);
  }

  @Test
  void nothingReadHasNoMean() {
    assertThat(counts.meanReplicas(3, 0)).isEmpty();
    counts.began(Map.of(ConsistencyLevel.ONE, 7L));
    assertThat(counts.meanReplicas(3, 0)).isEmpty();
    counts.ended(Map.of(ConsistencyLevel.ONE, 7L));
    assertThat(counts.meanReplicas(3, 0)).isEmpty();
  }
}
