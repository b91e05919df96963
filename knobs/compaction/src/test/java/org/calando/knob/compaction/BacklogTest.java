package org.calando.knob.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signals;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Backlog policy = new Backlog(16, 100, 20);

  private List<Integer> limits(int... waiting) {
    PolicyLoop<Integer> loop = new PolicyLoop<>(policy, "nodes");
    List<Integer> limits = new ArrayList<>();
    for (int each : waiting) {
      limits.add(
          loop.decide(Signals.of(0, "nodes", Backlog.PENDING, new Backlog.Pending(each)))
              .value(CompactionType.ID)
              .orElseThrow());
    }
    return limits;
  }

  @Test
  void compactsSlowlyWhileFewWait() {
    assertThat(limits(0, 5, 10)).containsExactly(16, 16, 16);
  }

  @Test
  void compactsTwiceAsFastInEachPeriodOfABacklogUpToTheMost() {
    assertThat(limits(0, 21, 21, 21, 21)).containsExactly(16, 32, 64, 100, 100);
  }

  @Test
  void staysBetweenTheTwoAndSlowsDownWhenHalfAsManyWait() {
    assertThat(limits(0, 30, 30, 20, 11, 10, 10, 10))
        .containsExactly(16, 32, 64, 64, 64, 32, 16, 16);
  }

  @Test
  void itsStateIsWrittenAndRead() {
    assertThat(policy.read(policy.write(64))).isEqualTo(64);
    assertThat(policy.name()).isEqualTo("backlog 16-100 at 20");
  }
}
