package org.calando.geartrials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample of what bench/gear-trials does a hundred times. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class GearTrialsIT {
  /** One of each: NameNode killed, tool killed, damaged log. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2, 5})
  void nothingIsLost(long seed) throws InterruptedException {
    TrialResult result = new GearTrial(seed).run();
    System.out.println(result);
    assertThat(result.damage()).isEmpty();
    assertThat(result.trouble()).isEmpty();
    assertThat(result.files()).isGreaterThan(6);
  }
}
