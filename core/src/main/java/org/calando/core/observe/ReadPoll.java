package org.calando.core.observe;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;

/*
 * A read of several replicas takes longer than the write's way, so to ask again after each answer
 * would tell little. It is asked at age 0, and at an age drawn from each part of the time in which
 * the last replica is expected to get the write: each part in which it is not found yet counts as
 * missed whole, which is right in the mean. Within a part it makes late what is missed early, and of
 * a key that is written often the early misses count most; so parts are short at first: 1/8, 1/8, 1/4
 * and 1/2 of that time. With two halves the stale rate came out 8 to 37 % too low where the time is
 * exponential, with these parts 2 to 5 %.
 *
 * What is found at age 0 is not missed at all, and asked no further if the answer is back by then;
 * unless reads ask other replicas each time, who may lack it. What is missed in the last part, as
 * after the links became slower, is asked for at the end of that part, and then on and on, each time
 * after the answer.
 */
/** For how long reads of several replicas miss one write. Thread safe. */
final class ReadPoll {
  private static final double BEYOND = 1.25;
  private static final double FURTHER = 1.5;

  /** Ends of the parts, as shares of the time in which the write is expected everywhere. */
  private static final double[] ENDS = {0, 0.125, 0.25, 0.5, 1};

  private static final int PARTS = ENDS.length - 1;

  private final Asking asking;
  private final double expectedSeconds;
  private final double deadlineSeconds;
  private final boolean asksTheSame;
  private final DoubleSupplier random;
  private final AtomicInteger open = new AtomicInteger(1 + PARTS);

  /** The parts in which it was missed, as bits. */
  private final AtomicInteger missed = new AtomicInteger();

  private volatile boolean foundAtOnce;
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
    this.expectedSeconds = Math.min(BEYOND * lastSeconds, deadlineSeconds);
    this.deadlineSeconds = deadlineSeconds;
    this.asksTheSame = asksTheSame;
    this.random = random;
  }

  void begin() {
    ask(0);
    for (int i = 1; i <= PARTS; i++) {
      int part = i;
      double share = ENDS[i - 1] + random.getAsDouble() * (ENDS[i] - ENDS[i - 1]);
      asking.later(share * expectedSeconds, () -> ask(part));
    }
  }

  /** Asks at age 0, or in the i-th part. */
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
            missed.accumulateAndGet(1 << i, (all, one) -> all | one);
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
    } else if ((missed.get() & 1 << PARTS) != 0) {
      askAt(expectedSeconds, age -> missedSeconds());
    } else {
      asking.end(missedSeconds());
    }
  }

  private double missedSeconds() {
    double share = 0;
    for (int i = 1; i <= PARTS; i++) {
      share += (missed.get() & 1 << i) != 0 ? ENDS[i] - ENDS[i - 1] : 0;
    }
    return share * expectedSeconds;
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
