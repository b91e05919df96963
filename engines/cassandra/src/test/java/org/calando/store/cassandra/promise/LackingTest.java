package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.calando.store.cassandra.OffNodes.Away;
import org.junit.jupiter.api.Test;

class LackingTest {
  private static final Set<String> ALL = Set.of("n1", "n2", "n3");
  private static final Set<String> TWO = Set.of("n1", "n2");
  private static final Away OFF = new Away(Set.of("n3"), Set.of());
  private static final Away COMING = new Away(Set.of("n3"), Set.of("n3"));

  private final Lacking lacking = new Lacking(0);
  private long now;

  private boolean afterTwoMinutes(Optional<Away> away, Set<String> seen, boolean anyFails) {
    boolean lack = true;
    for (int i = 0; i < 12; i++) {
      now += 10_000_000_000L;
      lack = lacking.looked(now, away, seen, anyFails);
    }
    return lack;
  }

  @Test
  void whatWasBeforeIsNotKnownForAMinute() {
    assertThat(lacking.looked(10_000_000_000L, Optional.of(Away.NONE), ALL, false)).isTrue();
    assertThat(afterTwoMinutes(Optional.of(Away.NONE), ALL, false)).isFalse();
    assertThat(afterTwoMinutes(Optional.of(Away.NONE), TWO, true)).isTrue();
  }

  @Test
  void nodesThatStayOffLackNothingUntilTheyComeBack() {
    assertThat(afterTwoMinutes(Optional.of(Away.NONE), ALL, false)).isFalse();
    now += 10_000_000_000L;
    assertThat(lacking.looked(now, Optional.of(OFF), TWO, false)).as("it has just gone").isTrue();
    assertThat(afterTwoMinutes(Optional.of(OFF), TWO, false)).isFalse();
    assertThat(afterTwoMinutes(Optional.of(COMING), TWO, true)).as("it boots").isTrue();
    assertThat(afterTwoMinutes(Optional.of(COMING), ALL, false)).as("not proved").isTrue();
    assertThat(afterTwoMinutes(Optional.of(Away.NONE), ALL, false)).isFalse();
  }

  @Test
  void aNodeThatAnswersThoughItIsToBeOffLacksWrites() {
    assertThat(afterTwoMinutes(Optional.of(OFF), TWO, false)).isFalse();
    assertThat(afterTwoMinutes(Optional.of(OFF), ALL, false)).isTrue();
  }

  @Test
  void whereItCannotBeReadWhichAreOffAnyMayLackWrites() {
    assertThat(afterTwoMinutes(Optional.empty(), ALL, false)).isTrue();
  }
}
