package org.calando.core.observe;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;

/*
 * A read of several replicas takes longer than the write's way, so to ask again after each answer
 * would tell little. It is asked at age 0, and at an age drawn from each half of the time in which
 * the last replica is expected to get the write: each half in which it is not found yet counts as
 * missed whole, which is right in the mean. What is found at age 0 is not missed at all, and asked
 * no further if the answer is back by then; unless reads ask other replicas each time, who may lack it. What is missed in the last half, as after the links
 * became slower, is asked for at the end of that half, and then on and on, each time after the answer.
 */
/** For how long reads of several replicas miss one write. Thread safe. */
final class ReadPoll {
  private static final double BEYOND = 1.25;
  private static final double FURTHER = 1.5;
  private static final int HALVES = 2;

  private final Asking asking;
  private final double half;
  private final double deadlineSeconds;
  private final boolean asksTheSame;
  private final DoubleSupplier random;
  private final AtomicInteger open = new AtomicInteger(1 + HALVES);
  private final AtomicInteger missed = new AtomicInteger();
  private volatile boolean foundAtOnce;
  private volatile boolean lastMissed;
  private volatile boolean failed;

  /** How reads are sent. Answers may come on any thread. */
  interface Asking {
    /** Since the write was acknowledged. */
    double ageSeconds();

    /** Does something when the write has an age; at once if it is older. */
    void later(double ageSeconds, Runnable work);

    /** Reads, and tells whether the write was found; empty if there was no answer. */
    void read(Consumer<Optional<Boolean>> found);

    /**
     * What it came to; told once.
     *
     * @param missedSeconds 0 or more, infinite if it was not found by the deadline; not a number if
     *     a read failed, for that a replica is away says nothing of reads that ask the others
     */
    void end(double missedSeconds);
  }

  /**
   * A poll.
   *
   * @param lastSeconds when the last replica is expected to have the write, more than 0
   * @param deadlineSeconds how long it is looked for, more than 0
   * @param asksTheSame whether what was found once is found for ever, so that it needs no asking
   * @param random uniform in 0 .. 1
   */
  ReadPoll(
      Asking asking,
      double lastSeconds,
      double deadlineSeconds,
      boolean asksTheSame,
      DoubleSupplier random) {
    this.asking = asking;
    this.half = Math.min(BEYOND * lastSeconds, deadlineSeconds) / HALVES;
    this.deadlineSeconds = deadlineSeconds;
    this.asksTheSame = asksTheSame;
    this.random = random;
  }

  void begin() {
    ask(0);
    for (int i = 1; i <= HALVES; i++) {
      int ofHalf = i;
      asking.later((i - 1 + random.getAsDouble()) * half, () -> ask(ofHalf));
    }
  }

  /** Asks at age 0, or in the i-th half. */
  private void ask(int i) {
    if (foundAtOnce) {
      answered();
      return;
    }
    asking.read(
        found -> {
          if (found.isEmpty()) {
            failed = true;
          } else if (found.get()) {
            if (i == 0) {
              foundAtOnce = asksTheSame;
            }
          } else if (i > 0) {
            missed.incrementAndGet();
            if (i == HALVES) {
              lastMissed = true;
            }
          }
          answered();
        });
  }

  private void answered() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    if (failed) {
      asking.end(Double.NaN);
    } else if (foundAtOnce) {
      asking.end(0);
    } else if (lastMissed) {
      askAt(HALVES * half, age -> missed.get() * half);
    } else {
      asking.end(missed.get() * half);
    }
  }

  /**
   * Asks once more, and on if it is not found then either.
   *
   * @param missedSeconds how long it was missed if it is found, by the age at which it was asked
   */
  private void askAt(double ageSeconds, DoubleUnaryOperator missedSeconds) {
    asking.later(
        ageSeconds,
        () -> {
          double age = asking.ageSeconds();
          asking.read(
              found -> {
                if (found.isEmpty()) {
                  asking.end(Double.NaN);
                } else if (found.get()) {
                  asking.end(missedSeconds.applyAsDouble(age));
                } else {
                  askOn(age);
                }
              });
        });
  }

  private void askOn(double missedSeconds) {
    double next = Math.max(asking.ageSeconds(), missedSeconds * FURTHER);
    if (next > deadlineSeconds) {
      asking.end(Double.POSITIVE_INFINITY);
    } else {
      askAt(next, age -> (missedSeconds + age) / 2);
    }
  }
}
