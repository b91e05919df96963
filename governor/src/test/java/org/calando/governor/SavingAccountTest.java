package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SavingAccountTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HELD = 30 * SECOND;

  private Instant now = Instant.parse("2026-11-27T10:00:00Z");
  private long nanos;
  private final SavingAccount account = new SavingAccount(() -> now, ZoneOffset.UTC, 0);

  private void pass(long seconds) {
    now = now.plusSeconds(seconds);
    nanos += seconds * SECOND;
  }

  private void saves(String knob, double low, double high) {
    account.saves(knob, OptionalDouble.of(low), OptionalDouble.of(high), HELD, nanos);
  }

  @Test
  void withoutAKnobThatHasAModelNothingIsKnown() {
    pass(10);
    assertThat(account.saving(nanos)).isEmpty();
  }

  @Test
  void aSavingIsSummedUntilTheNextOneAndKeptAsAnInterval() {
    saves("gear", 10, 20);
    pass(10);
    saves("gear", 0, 0);
    pass(10);
    Saving saving = account.saving(nanos).orElseThrow();
    assertThat(saving.lowJoules()).isEqualTo(100);
    assertThat(saving.highJoules()).isEqualTo(200);
    assertThat(saving.knownSeconds()).isEqualTo(20);
    assertThat(saving.unknownSeconds())
        .as("the day before it began is unknown")
        .isEqualTo(10 * 3600);
    assertThat(saving.lowWatts()).hasValue(0);
    assertThat(saving.since()).isEqualTo(Instant.parse("2026-11-27T00:00:00Z"));
  }

  @Test
  void savingsOfSeveralKnobsAddUpAndOneThatIsUnknownMakesAllUnknown() {
    saves("gear", 10, 10);
    saves("clock", 1, 3);
    pass(1);
    Saving both = account.saving(nanos).orElseThrow();
    assertThat(both.lowWatts()).hasValue(11);
    assertThat(both.highWatts()).hasValue(13);
    account.saves("clock", OptionalDouble.empty(), OptionalDouble.empty(), HELD, nanos);
    pass(5);
    Saving unknown = account.saving(nanos).orElseThrow();
    assertThat(unknown.lowWatts()).isEmpty();
    assertThat(unknown.knownSeconds()).isEqualTo(1);
    account.ended("clock", nanos);
    assertThat(account.saving(nanos).orElseThrow().lowWatts()).hasValue(10);
  }

  @Test
  void whatIsTooOldIsUnknown() {
    saves("gear", 10, 10);
    pass(31);
    Saving saving = account.saving(nanos).orElseThrow();
    assertThat(saving.lowWatts()).isEmpty();
    assertThat(saving.lowJoules()).as("nobody looked in these 31 s").isZero();
    assertThat(saving.knownSeconds()).isZero();
  }

  @Test
  void aDayBeginsAtMidnightWithNothing() {
    pass(13 * 3600 + 59 * 60 + 50);
    saves("gear", 10, 10);
    pass(20);
    Saving saving = account.saving(nanos).orElseThrow();
    assertThat(saving.since()).isEqualTo(Instant.parse("2026-11-28T00:00:00Z"));
    assertThat(saving.lowJoules()).isCloseTo(100, within(1e-6));
    assertThat(saving.unknownSeconds()).isZero();
  }
}
