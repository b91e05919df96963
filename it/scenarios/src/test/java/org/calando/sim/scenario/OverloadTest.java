package org.calando.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

/** A small sample of what bench/overload runs more of. */
class OverloadTest {
  private static final long SEED = Long.getLong("calando.seed", 1);
  private static final long SECOND = 1_000_000_000L;

  /** At the fallback, where reads begin, it is 129 % of what the cluster can do. */
  private static final Overload LOAD = new Overload(0.8, 0, 20 * SECOND, 5 * SECOND, 0.05, SEED);

  @Test
  void aStartAtAStrongLevelIsNotATrap() {
    OverloadRun.Result found = OverloadRun.adaptive(LOAD, Contender.PBS);
    List<OverloadRun.Second> seconds = found.seconds();
    assertThat(seconds.get(1).replicas()).as("seed %d", SEED).isEqualTo(2);
    assertThat(seconds.get(3).p99Millis()).as("seed %d", SEED).isGreaterThan(500);
    OverloadRun.Result one = OverloadRun.fixed(LOAD, ConsistencyLevel.ONE);
    assertThat(found.replicas()).as("seed %d", SEED).isEqualTo(1);
    assertThat(found.staleShare()).as("seed %d", SEED).isLessThan(0.05);
    assertThat(found.p99Millis()).as("seed %d", SEED).isLessThan(1.1 * one.p99Millis());
    assertThat(found.joulesPerOperation())
        .as("seed %d", SEED)
        .isLessThan(1.1 * one.joulesPerOperation());
    assertThat(found.errors()).as("seed %d", SEED).isZero();
  }
}
