package org.calando.governor.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.calando.concerto.trials.ServiceTrial;
import org.calando.concerto.trials.ServiceTrialResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample of what bench/governor-trials does a hundred times: five of its seven faults. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ServiceTrialsIT {
  /** Far above the bounds that the benchmark holds to: this is not about speed. */
  private static final int PATIENCE = 8;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {20, 31})
  void allIsAsBeforeAndNeverHasTwoOwners(long seed) {
    ServiceTrialResult result = new ServiceTrial(seed, folder, PATIENCE).run();
    System.out.println(result);
    assertThat(result.damage()).isEmpty();
    assertThat(result.faults()).allMatch(ServiceTrialResult.Done::hit);
  }
}
