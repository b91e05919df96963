package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.junit.jupiter.api.Test;

class DualReadTest {
  private final DualRead dualRead = new DualRead(2);

  @Test
  void differentVersionsAreAMismatchAndOnlyAnOlderFirstIsOlder() {
    assertThat(pair(3, 3)).isFalse();
    assertThat(pair(2, 3)).isTrue();
    assertThat(pair(4, 3)).isTrue();
    assertThat(dualRead.pairs()).isEqualTo(3);
    assertThat(dualRead.mismatches()).isEqualTo(2);
    assertThat(dualRead.older()).isEqualTo(1);
  }

  @Test
  void aRecordFoundOnlyByTheSecondReadIsOlder() {
    dualRead.first(0, Outcome.NOT_FOUND, Session.NO_VERSION);
    assertThat(dualRead.second(0, Outcome.OK, 1, true)).isTrue();
    assertThat(dualRead.older()).isEqualTo(1);
  }

  @Test
  void pairsWithAnErrorAreNotCounted() {
    assertThat(dualRead.first(0, Outcome.REFUSED, Session.NO_VERSION)).isFalse();
    assertThat(dualRead.second(0, Outcome.OK, 1, true)).isFalse();
    assertThat(dualRead.first(0, Outcome.OK, 1)).isTrue();
    assertThat(dualRead.second(0, Outcome.INDETERMINATE, Session.NO_VERSION, true)).isFalse();
    assertThat(dualRead.pairs()).isZero();
  }

  @Test
  void slotsDoNotMixAndWarmUpDoesNotCount() {
    dualRead.first(0, Outcome.OK, 1);
    dualRead.first(1, Outcome.OK, 2);
    assertThat(dualRead.second(1, Outcome.OK, 2, true)).isFalse();
    assertThat(dualRead.second(0, Outcome.OK, 2, false)).isTrue();
    assertThat(dualRead.pairs()).isEqualTo(1);
    assertThat(dualRead.mismatches()).isZero();
  }

  private boolean pair(long first, long second) {
    dualRead.first(0, Outcome.OK, first);
    return dualRead.second(0, Outcome.OK, second, true);
  }
}
