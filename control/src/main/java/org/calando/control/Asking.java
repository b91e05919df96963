package org.calando.control;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.calando.core.CalandoException;
import org.calando.core.policy.Observed;
import org.jspecify.annotations.Nullable;

/*
 *   ask       returns at once; nothing is asked while an answer is awaited
 *   answered  (handed to the scheduler by whatever thread the answer came on) has the loop decide
 *   overdue   the deadline: an answer that comes later only makes way for the next question
 *
 * An answer counts only if the clock says that it came between the question and the deadline, and that the observation was
 * made meanwhile. So a clock that jumped forward makes an answer late and a decision too old, and one that jumped back makes
 * an answer one from the future.
 */
/** Asks an observer on behalf of a loop. Of the scheduler's tasks alone. */
final class Asking {
  private final ControlLoop<?> loop;
  private final Observer observer;
  private final long deadlineNanos;
  private @Nullable Question asked;

  private static final class Question {
    final long atNanos;

    /** Nothing is decided on its answer any more, or it has been. */
    boolean over;

    /** Set by the thread on which the answer comes. */
    volatile boolean answered;

    Question(long atNanos) {
      this.atNanos = atNanos;
    }
  }

  Asking(ControlLoop<?> loop, Observer observer, long deadlineNanos) {
    this.loop = loop;
    this.observer = observer;
    this.deadlineNanos = deadlineNanos;
  }

  void ask(long now) {
    // One that is answered is decided on by a task that waits: a newer question would void it.
    if (asked != null && !(asked.over && asked.answered)) {
      String why = "an observation is still under way";
      if (asked.over) {
        loop.miss(why);
      } else {
        loop.waits(why);
      }
      return;
    }
    Question question = new Question(now);
    asked = question;
    try {
      CompletionStage<? extends Observed> answer = observer.observe(now);
      var unused =
          answer.whenComplete(
              (observation, error) -> {
                question.answered = true;
                loop.at(loop.nanos(), () -> answered(question, observation, error));
              });
      loop.at(now + deadlineNanos, () -> overdue(question));
    } catch (RuntimeException | Error e) {
      question.answered = true;
      question.over = true;
      loop.miss(words(e));
    }
  }

  private void overdue(Question question) {
    if (loop.isClosed() || question != asked || question.over) {
      return;
    }
    question.over = true;
    long now = loop.now();
    loop.miss("the observation took more than " + deadlineNanos / 1e9 + " s");
    loop.check(now);
  }

  private void answered(
      Question question, @Nullable Observed observation, @Nullable Throwable error) {
    if (loop.isClosed()) {
      return;
    }
    long now = loop.now();
    if (question != asked || question.over) {
      return;
    }
    // From here on the deadline has nothing to say.
    question.over = true;
    Optional<String> obstacle = obstacle(question, observation, error, now);
    if (obstacle.isPresent() || observation == null) {
      loop.miss(obstacle.orElse("there is no observation"));
      loop.check(now);
    } else {
      loop.decide(observation, now);
    }
  }

  /** Why an answer cannot be decided on. */
  private Optional<String> obstacle(
      Question question, @Nullable Observed observation, @Nullable Throwable error, long now) {
    long took = now - question.atNanos;
    if (took < 0) {
      return Optional.of("the clock went back while an observation was under way");
    }
    if (took > deadlineNanos) {
      return Optional.of("the observation took %s s".formatted(took / 1e9));
    }
    if (error != null) {
      return Optional.of(words(error));
    }
    if (observation == null) {
      return Optional.of("the observer answered with nothing");
    }
    long at = observation.signals().atNanos();
    return at - question.atNanos < 0 || at - now > 0
        ? Optional.of("the observation was not made between question and answer")
        : Optional.empty();
  }

  private static String words(Throwable error) {
    @Nullable Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof CalandoException known
        ? known.problem()
        : "asking failed: " + (cause == null ? error : cause);
  }
}
