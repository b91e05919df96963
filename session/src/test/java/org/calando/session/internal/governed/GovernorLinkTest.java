package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.control.ManualScheduler;
import org.junit.jupiter.api.Test;

/** A session's part in being governed, in virtual time. */
class GovernorLinkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String LEVELS = "calando-governor 1 1 5000000000 1\n";
  private static final String NONE = LEVELS + "trouble it begins to measure\n";

  private double random = 0.5;
  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<CompletableFuture<String>> asked = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private final GovernorLink link =
      new GovernorLink(
          scheduler,
          new GovernorTransport() {
            @Override
            public CompletionStage<String> exchange(String report) {
              CompletableFuture<String> answer = new CompletableFuture<>();
              asked.add(answer);
              return answer;
            }

            @Override
            public void close() {
              seen.add("closed");
            }
          },
          told -> "told " + told,
          new GovernorLink.Host() {
            @Override
            public boolean take(Answer answer, long sentNanos) {
              return answer.trouble().isEmpty();
            }

            @Override
            public void silent(boolean first) {
              seen.add(first ? "never" : "silent");
            }
          },
          () -> random);

  private void answer(String text) {
    asked.get(asked.size() - 1).complete(text);
    scheduler.run();
  }

  /** A governor that answers each second. */
  private void answers(int seconds, String text) {
    for (int i = 0; i < seconds; i++) {
      scheduler.advance(SECOND);
      answer(text);
    }
  }

  @Test
  void itIsGovernedFromTheFirstAnswerWithLevelsAndAsksAgainAtOnce() {
    link.start();
    scheduler.run();
    assertThat(link.isGoverned()).isFalse();
    answer(LEVELS);
    assertThat(link.isGoverned()).isTrue();
    scheduler.advance(SECOND / 2);
    assertThat(asked).hasSize(2);
    answers(600, LEVELS);
    assertThat(link.isGoverned()).isTrue();
    assertThat(seen).isEmpty();
    // One exchange a second, and one at a time.
    assertThat(asked).hasSizeBetween(600, 610);
  }

  @Test
  void silenceIsNoticedWithinFourSecondsAndNotBeforeThree() {
    link.start();
    scheduler.run();
    answers(5, LEVELS);
    scheduler.advance(3 * SECOND);
    assertThat(link.isGoverned()).isTrue();
    scheduler.advance(2 * SECOND);
    assertThat(link.isGoverned()).isFalse();
    assertThat(seen).containsExactly("silent");
  }

  @Test
  void aGovernorThatReturnsDecidesAgain() {
    link.start();
    scheduler.run();
    answers(5, LEVELS);
    for (int i = 0; i < 100; i++) {
      asked.get(asked.size() - 1).completeExceptionally(new IOException("refused"));
      scheduler.advance(SECOND);
    }
    assertThat(seen).containsExactly("silent");
    assertThat(link.trouble()).contains("refused");
    assertThat(asked).as("asks ever less often").hasSizeLessThan(50);
    answers(8, LEVELS);
    assertThat(link.isGoverned()).isTrue();
    assertThat(link.trouble()).isEmpty();
  }

  @Test
  void itAsksEachFourSecondsAtLeastHoweverLongTheGovernorIsSilent() {
    random = 0.999;
    link.start();
    scheduler.run();
    for (int i = 0; i < 20; i++) {
      asked.get(asked.size() - 1).completeExceptionally(new IOException("refused"));
      scheduler.advance(4 * SECOND + SECOND / 4);
      assertThat(asked).hasSizeGreaterThanOrEqualTo(i + 2);
    }
  }

  @Test
  void aGovernorWithoutLevelsIsWaitedForTwelveSeconds() {
    link.start();
    scheduler.run();
    answers(11, NONE);
    assertThat(seen).isEmpty();
    answers(3, NONE);
    assertThat(seen).containsExactly("never");
    assertThat(link.trouble()).isEqualTo("it begins to measure");
    answers(1, LEVELS);
    assertThat(link.isGoverned()).isTrue();
  }

  @Test
  void anAnswerThatLayInABufferWhileTheProcessStoodStillIsNoSignOfLife() {
    link.start();
    scheduler.run();
    answers(5, LEVELS);
    scheduler.advance(SECOND / 2);
    CompletableFuture<String> before = asked.get(asked.size() - 1);
    scheduler.jump(60 * SECOND);
    before.complete(LEVELS);
    scheduler.advance(SECOND);
    assertThat(seen).containsExactly("silent");
  }

  @Test
  void textsOfSomebodyElseAreNoAnswers() {
    link.start();
    scheduler.run();
    answer("<html>login</html>");
    assertThat(link.isGoverned()).isFalse();
    assertThat(link.trouble()).contains("no answer of a governor");
    scheduler.advance(10 * SECOND);
    assertThat(seen).containsExactly("never");
  }

  @Test
  void itEndsWithTheSession() {
    link.start();
    scheduler.run();
    link.close();
    answer(LEVELS);
    scheduler.advance(60 * SECOND);
    assertThat(seen).containsExactly("closed");
    assertThat(asked).hasSize(1);
  }
}
