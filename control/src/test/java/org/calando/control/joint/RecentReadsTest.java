package org.calando.control.joint;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.control.joint.RecentReads.Part;
import org.calando.core.policy.joint.ReadLatency;
import org.junit.jupiter.api.Test;

class RecentReadsTest {
  private final RecentReads recent = new RecentReads();

  @Test
  void theSlowestOfThreeIntervalsCounts() {
    assertThat(recent.seen()).isEmpty();
    recent.add(new Part(1, 100, 0, 9_000_000));
    recent.add(new Part(2, 100, 0, 5_000_000));
    recent.add(new Part(3, 100, 2, 7_000_000));
    assertThat(recent.seen().orElseThrow().value()).isEqualTo(new ReadLatency(300, 2, 0.009));
    recent.add(new Part(4, 100, 0, 6_000_000));
    assertThat(recent.seen().orElseThrow().value()).isEqualTo(new ReadLatency(300, 2, 0.007));
    assertThat(recent.seen().orElseThrow().atNanos()).isEqualTo(4);
  }

  @Test
  void fewReadsAreLookedAtForLonger() {
    for (int second = 1; second <= 50; second++) {
      recent.add(new Part(second, 4, 0, second * 1_000_000L));
    }
    ReadLatency seen = recent.seen().orElseThrow().value();
    assertThat(seen.reads()).isEqualTo(100);
    assertThat(seen.p99Seconds()).isEqualTo(0.05);
  }

  @Test
  void intervalsWithoutReadsTellOfNone() {
    recent.add(new Part(1, 0, 0, -1));
    assertThat(recent.seen().orElseThrow().value()).isEqualTo(new ReadLatency(0, 0, 0));
  }
}
