package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.EnumSet;
import java.util.Set;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class DriverLevelsTest {
  @Test
  void everyLevelOfTheDriverIsOursButAnyAndTheSerialOnes() {
    Set<DefaultConsistencyLevel> others =
        EnumSet.of(
            DefaultConsistencyLevel.ANY,
            DefaultConsistencyLevel.SERIAL,
            DefaultConsistencyLevel.LOCAL_SERIAL);
    for (DefaultConsistencyLevel level : DefaultConsistencyLevel.values()) {
      assertThat(DriverLevels.parse(level.name()).isEmpty())
          .as("%s", level)
          .isEqualTo(others.contains(level));
      DriverLevels.parse(level.name())
          .ifPresent(ours -> assertThat(DriverLevels.of(ours)).isEqualTo(level));
    }
  }

  @Test
  void aWriteThatMayBeNowhereButInAHintIsTakenForOne() {
    assertThat(DriverLevels.ofWrite(DefaultConsistencyLevel.ANY)).isEqualTo(ConsistencyLevel.ONE);
    assertThat(DriverLevels.ofWrite(DefaultConsistencyLevel.EACH_QUORUM))
        .isEqualTo(ConsistencyLevel.EACH_QUORUM);
  }
}
