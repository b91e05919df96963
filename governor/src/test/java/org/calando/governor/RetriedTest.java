package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;

class RetriedTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> events = new ArrayList<>();
  private boolean reachable;
  private boolean works = true;
  private boolean broken;
  private long now;
  private final Retried<String> retried =
      new Retried<>(
          this::open,
          this::check,
          opened -> events.add("closed"),
          () -> Instant.ofEpochSecond(now / SECOND),
          () -> now);

  private String open() {
    events.add("open at " + now / SECOND);
    if (!reachable) {
      throw new FailedWorkException("no answer", "n1", "start it");
    }
    return "open";
  }

  private Optional<String> check(String opened, long nanos) {
    if (broken) {
      throw new NoClassDefFoundError("no class");
    }
    if (!works) {
      throw new IllegalStateException("a defect");
    }
    return Optional.of("slow");
  }

  private void secondsUntil(int end) throws InterruptedException {
    while (now < end * SECOND) {
      retried.tick();
      now += SECOND;
    }
  }

  @Test
  void isOpenedAgainEverLaterAtMostEachMinute() throws Exception {
    secondsUntil(300);
    assertThat(events)
        .startsWith("open at 0", "open at 1", "open at 3", "open at 7", "open at 15", "open at 31")
        .endsWith("open at 243");
    assertThat(retried.state().works()).isFalse();
    assertThat(retried.state().failures()).isEqualTo(events.size());
    assertThat(retried.state().problem().orElseThrow())
        .contains("no answer")
        .contains("tries again in 60 s");
  }

  @Test
  void whatFailsWhileItIsOpenIsClosedAndOpenedAgain() throws Exception {
    reachable = true;
    secondsUntil(2);
    assertThat(retried.state().works()).isTrue();
    assertThat(retried.state().problem()).hasValue("slow");
    works = false;
    secondsUntil(3);
    assertThat(events).containsExactly("open at 0", "closed");
    assertThat(retried.state().works()).isFalse();
    assertThat(retried.state().problem().orElseThrow()).contains("a defect");
    works = true;
    secondsUntil(5);
    assertThat(events).containsExactly("open at 0", "closed", "open at 3");
    retried.close();
    assertThat(events).last().isEqualTo("closed");
  }

  @Test
  void afterAMinuteThatWorkedTheNextPauseIsShort() throws Exception {
    secondsUntil(20);
    reachable = true;
    secondsUntil(100);
    works = false;
    secondsUntil(101);
    works = true;
    assertThat(retried.state().problem().orElseThrow()).contains("tries again in 1 s");
  }

  @Test
  void isOpenedAnewAfterSixHours() throws Exception {
    reachable = true;
    secondsUntil(6 * 3600);
    assertThat(events).containsExactly("open at 0");
    secondsUntil(6 * 3600 + 3);
    assertThat(events).containsExactly("open at 0", "closed", "open at 21601");
    assertThat(retried.state().works()).isTrue();
    assertThat(retried.state().failures()).isZero();
  }

  /** As control, whose knobs would be put back and set again. */
  @Test
  void whatIsToLastIsNotOpenedAnewForDays() throws Exception {
    reachable = true;
    try (Retried<String> lasting =
        new Retried<>(
            this::open,
            this::check,
            opened -> events.add("closed"),
            () -> Instant.ofEpochSecond(now / SECOND),
            () -> now,
            false)) {
      for (now = 0; now < 3 * 86_400 * SECOND; now += 60 * SECOND) {
        lasting.tick();
      }
      assertThat(events).containsExactly("open at 0");
    }
  }

  @Test
  void anErrorIsAFailureToo() throws Exception {
    reachable = true;
    secondsUntil(1);
    broken = true;
    secondsUntil(2);
    assertThat(retried.state().works()).isFalse();
    assertThat(retried.state().problem().orElseThrow()).contains("no class");
  }
}
