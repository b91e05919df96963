package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.policy.buffer.BufferObservation;
import org.junit.jupiter.api.Test;

class RecentWritesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MS = 1_000_000;

  private final RecentWrites recent = new RecentWrites(2, 0);

  @Test
  void nothingIsKnownBeforeTheFirstWrite() {
    BufferObservation none = recent.observe(SECOND, "t", 0);
    assertThat(none.writes()).isEmpty();
    assertThat(none.requests()).isEmpty();
    assertThat(none.freshness()).isEmpty();
  }

  @Test
  void figuresAreOfTheLastSlices() {
    writes(100, 1000, 10, 900 * MS);
    recent.observe(SECOND, "t", 0);
    writes(30, 2000, 15, 20 * MS);
    recent.observe(2 * SECOND, "t", 0);
    writes(10, 2000, 5, 40 * MS);
    BufferObservation last = recent.observe(3 * SECOND, "t", 7);
    assertThat(last.writes().orElseThrow().perSecond()).isCloseTo(20, within(1e-9));
    assertThat(last.writes().orElseThrow().bytes()).isCloseTo(2000, within(1e-9));
    // 30 of 40 writes had 15 in their request, 10 had 5.
    assertThat(last.requests().orElseThrow().writesEach()).isCloseTo(12.5, within(1e-9));
    assertThat(last.requests().orElseThrow().p99Nanos()).isCloseTo(40 * MS, within(0.01 * 40 * MS));
    assertThat(last.freshness().orElseThrow().count()).isEqualTo(40);
    assertThat(last.atRisk()).isEqualTo(7);
  }

  @Test
  void aFewLargeRequestsAmongManySmallOnesAreNotTakenForSmallOnes() {
    writes(1000, 1000, 1, 5 * MS);
    writes(1000, 1000, 100, 30 * MS);
    BufferObservation last = recent.observe(SECOND, "t", 0);
    assertThat(last.requests().orElseThrow().writesEach()).isCloseTo(50.5, within(1e-9));
    assertThat(last.requests().orElseThrow().p99Nanos()).isCloseTo(30 * MS, within(0.01 * 30 * MS));
  }

  @Test
  void astopIsArateOfNone() {
    writes(100, 1000, 10, MS);
    recent.observe(SECOND, "t", 0);
    recent.observe(2 * SECOND, "t", 0);
    BufferObservation last = recent.observe(3 * SECOND, "t", 0);
    assertThat(last.writes().orElseThrow().perSecond()).isZero();
    assertThat(last.writes().orElseThrow().bytes()).isCloseTo(1000, within(1e-9));
    assertThat(last.requests()).isEmpty();
  }

  private void writes(int count, long bytes, int each, long nanos) {
    for (int i = 0; i < count; i++) {
      recent.called(bytes);
      recent.visible(nanos);
    }
    for (int i = 0; i < count; i += each) {
      recent.answered(each, nanos);
    }
  }
}
