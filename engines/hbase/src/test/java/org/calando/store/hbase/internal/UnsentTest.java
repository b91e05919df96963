package org.calando.store.hbase.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.store.Session;
import org.junit.jupiter.api.Test;

class UnsentTest {
  @Test
  void theNewestVersionOfAKeyIsSeenUntilItsLastWriteIsOnTheServer() {
    Unsent unsent = new Unsent();
    assertThat(unsent.version(5)).isEqualTo(Session.NO_VERSION);
    unsent.add(5, 20);
    unsent.add(5, 10);
    unsent.add(6, 1);
    assertThat(unsent.version(5)).isEqualTo(20);
    unsent.remove(5);
    assertThat(unsent.version(5)).isEqualTo(20);
    unsent.remove(5);
    assertThat(unsent.version(5)).isEqualTo(Session.NO_VERSION);
    assertThat(unsent.version(6)).isEqualTo(1);
    unsent.remove(7);
  }
}
