package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.calando.concerto.trials.FailoverTrials.Kind;
import org.calando.concerto.trials.FailoverTrials.Result;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.core.policy.clock.SlackLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sample of what {@code bench/failovers} does more often. */
class FailoverIT {
  /**
   * Far above the goal of 250 ms, which the benchmark is for: this is about who is raised. One that
   * never is has no time at all, or fails the trial after a minute.
   */
  private static final long RAISED_NANOS = 20_000_000_000L;

  @TempDir Path folder;

  @Test
  void aKilledMastersSuccessorIsRaisedAndNoWriteThatAllReplicasHadIsLost() {
    assertGood(run(Kind.KILL, 1, false), 1);
  }

  @Test
  void aMasterThatHandsOverIsLoweredAndItsSuccessorRaised() {
    assertGood(run(Kind.HANDOVER, 2, false), 2);
  }

  @Test
  void throughAgentsASuccessorIsRaisedAndAllIsRestored() {
    Result result = run(Kind.KILL, 2, true);
    System.out.println(result);
    assertThat(result.slowNanos())
        .as("%s", result)
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(nanos -> assertThat(nanos).isLessThan(RAISED_NANOS));
    assertThat(result.lost()).as("%s", result).isZero();
    assertThat(result.restored()).isTrue();
  }

  private Result run(Kind kind, int count, boolean agents) {
    return new FailoverTrials(
            folder,
            ClockPolicies.byName(
                "concerto", ClockLimits.defaults(), SlackLimits.defaults(), "test"),
            agents)
        .run(kind, count);
  }

  private static void assertGood(Result result, int count) {
    System.out.println(result);
    assertThat(result.slowNanos())
        .as("%s", result)
        .hasSizeGreaterThanOrEqualTo(count)
        .allSatisfy(nanos -> assertThat(nanos).isLessThan(RAISED_NANOS));
    assertThat(result.writes()).isPositive();
    assertThat(result.lost()).as("%s", result).isZero();
    assertThat(result.restored()).isTrue();
    assertThat(result.troubles()).isEmpty();
  }
}
