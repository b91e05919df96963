package org.calando.geartrials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sample of what bench/gear-trials does a hundred times. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class GearTrialsIT {
  /** Of the tool killed: {@link GearShiftIT} has a NameNode that is killed, and a damaged log. */
  private static final long SEED = 2;

  @Test
  void nothingIsLost() throws InterruptedException {
    TrialResult result = new GearTrial(SEED).run();
    System.out.println(result);
    assertThat(result.files().damage()).isEmpty();
    assertThat(result.trouble()).isEmpty();
    assertThat(result.files().acknowledged()).isGreaterThan(6);
  }
}
