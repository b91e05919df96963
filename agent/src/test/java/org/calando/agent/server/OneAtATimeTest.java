package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that hang, and those who wait for them. */
@Timeout(60)
class OneAtATimeTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final CountDownLatch held = new CountDownLatch(1);
  private final Queue<CalandoException> unheard = new ConcurrentLinkedQueue<>();

  private String held() throws InterruptedException {
    held.await();
    return "done";
  }

  private String failing() throws InterruptedException {
    held.await();
    throw new FailedWorkException("fails", "it", "");
  }

  private static String late() {
    return "late";
  }

  private static CompletableFuture<String> future(CompletionStage<String> stage) {
    return stage.toCompletableFuture();
  }

  @Test
  void soManyWaitForACallAndNoMore() {
    OneAtATime<String> calls = new OneAtATime<>("it", LONG);
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < OneAtATime.MOST_WAITING; i++) {
      all.add(future(calls.join(this::held, OneAtATimeTest::late).orElseThrow()));
    }
    assertThat(calls.join(this::held, OneAtATimeTest::late)).isEmpty();
    assertThat(calls.begin(this::held, OneAtATimeTest::late, unheard::add)).isEmpty();
    held.countDown();
    assertThat(all).allMatch(one -> one.join().equals("done"));
    assertThat(future(calls.join(() -> "next", OneAtATimeTest::late).orElseThrow()).join())
        .isEqualTo("next");
  }

  @Test
  void whoHasWaitedMakesRoomForOthers() {
    OneAtATime<String> calls = new OneAtATime<>("it", SHORT);
    for (int i = 0; i < 2 * OneAtATime.MOST_WAITING; i++) {
      assertThat(future(calls.join(this::held, OneAtATimeTest::late).orElseThrow()).join())
          .isEqualTo("late");
    }
    held.countDown();
  }

  @Test
  void aFailureIsToldToThoseWhoWaitOrElseKept() {
    OneAtATime<String> patient = new OneAtATime<>("it", LONG);
    CompletableFuture<String> first =
        future(patient.begin(this::failing, OneAtATimeTest::late, unheard::add).orElseThrow());
    OneAtATime<String> hasty = new OneAtATime<>("it", SHORT);
    CompletableFuture<String> second =
        future(hasty.begin(this::failing, OneAtATimeTest::late, unheard::add).orElseThrow());
    assertThat(second.join()).isEqualTo("late");
    held.countDown();
    assertThatThrownBy(first::join).hasCauseInstanceOf(FailedWorkException.class);
    await().atMost(LONG).until(() -> unheard.size() == 1);
    assertThat(unheard).singleElement().extracting(CalandoException::what).isEqualTo("fails");
  }
}
