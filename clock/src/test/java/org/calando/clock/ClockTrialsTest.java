package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.calando.clock.ClockTrial.Ending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases that end in every way, on machines of every kind, under caps and with damaged files. */
class ClockTrialsTest {
  private static final long SEED = Long.getLong("calando.seed", 20_261_123);
  private static final int TRIALS = 300;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  @Test
  void inEveryTrialClocksAreAsBeforeAfterARestoreOrTheLeaseWasRefused() throws IOException {
    Map<Ending, Integer> endings = new EnumMap<>(Ending.class);
    int damaged = 0;
    for (long seed = SEED; seed < SEED + TRIALS; seed++) {
      ClockTrial trial = new ClockTrial(folder.resolve("" + seed), seed);
      trial.run();
      trial.endings.forEach(ending -> endings.merge(ending, 1, Integer::sum));
      damaged += trial.damages;
    }
    // not by refusing everything
    assertThat(endings.keySet()).containsExactlyInAnyOrder(Ending.values());
    assertThat(endings).allSatisfy((ending, times) -> assertThat(times).isGreaterThan(TRIALS / 10));
    assertThat(damaged).isGreaterThan(TRIALS / 10);
  }
}
