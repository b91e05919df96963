package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ReadPollTest {
  private static final double LAST = 0.08;
  private static final double DEADLINE = 2;
  private static final int POLLS = 4000;

  /** A poll tells times up to 0.1 s, of steps of 0.05 s at most: five standard errors. */
  private static final double ERROR = 5 * 0.05 / Math.sqrt(POLLS);

  /** Reads that take a while and find the write if they begin at some age or later. */
  private static final class Simulated implements ReadPoll.Asking {
    private record Event(double at, Runnable work) {}

    final List<Double> ends = new ArrayList<>();
    final List<Double> asked = new ArrayList<>();
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingDouble(Event::at));
    private final double foundFrom;
    private final double takes;
    private final double failsFrom;
    private double now;

    Simulated(double foundFrom, double takes, double failsFrom) {
      this.foundFrom = foundFrom;
      this.takes = takes;
      this.failsFrom = failsFrom;
    }

    @Override
    public double ageSeconds() {
      return now;
    }

    @Override
    public void later(double ageSeconds, Runnable work) {
      events.add(new Event(Math.max(now, ageSeconds), work));
    }

    @Override
    public void read(Consumer<Optional<Boolean>> found) {
      double begun = now;
      asked.add(begun);
      Optional<Boolean> answer =
          begun >= failsFrom ? Optional.empty() : Optional.of(begun >= foundFrom);
      later(begun + takes, () -> found.accept(answer));
    }

    @Override
    public void end(double missedSeconds) {
      ends.add(missedSeconds);
    }

    double missed(SplittableRandom random) {
      new ReadPoll(this, LAST, DEADLINE, true, random::nextDouble).begin();
      while (!events.isEmpty()) {
        Event next = events.remove();
        now = next.at();
        next.work().run();
      }
      assertThat(ends).hasSize(1);
      return ends.get(0);
    }
  }

  private static Simulated found(double from) {
    return new Simulated(from, 0.004, Double.POSITIVE_INFINITY);
  }

  private static SplittableRandom random(long seed) {
    System.out.println("seed " + seed);
    return new SplittableRandom(seed);
  }

  @Test
  void aWriteFoundAtOnceIsNotMissedAndNotAskedForAgainLater() {
    Simulated reads = found(0);
    assertThat(reads.missed(new SplittableRandom(4))).isZero();
    assertThat(reads.asked).startsWith(0.0);
    assertThat(reads.asked).allMatch(age -> age < 0.004);
  }

  @Test
  void theMeanOfManyIsTheTimeForWhichReadsMiss() {
    for (double missed : new double[] {0.01, 0.03, 0.05, 0.06, 0.075, 0.09}) {
      assertThat(mean(missed)).isCloseTo(missed, within(ERROR));
    }
  }

  @Test
  void staleRatesThatFollowAreThoseOfTheTimes() {
    SplittableRandom random = random(11);
    double mean = LAST / 3;
    for (double writes : new double[] {0.3 / mean, 1 / mean, 3 / mean}) {
      double sum = 0;
      for (int i = 0; i < POLLS; i++) {
        double missed = found(-Math.log1p(-random.nextDouble()) * mean).missed(random);
        sum += -Math.expm1(-writes * missed);
      }
      double expected = writes * mean / (1 + writes * mean);
      // Four standard errors, and what is missed early in a part and told as if throughout it.
      assertThat(sum / POLLS / expected).as("%s writes", writes).isBetween(0.9, 1.05);
    }
  }

  private static double mean(double missed) {
    SplittableRandom random = random((long) (missed * 1e6));
    double sum = 0;
    for (int i = 0; i < POLLS; i++) {
      sum += found(missed).missed(random);
    }
    return sum / POLLS;
  }

  @Test
  void aWriteThatIsMissedLongerThanExpectedIsAskedForUntilItIsFound() {
    SplittableRandom random = random(7);
    for (double missed : new double[] {0.2, 0.5, 1}) {
      for (int i = 0; i < 50; i++) {
        assertThat(found(missed).missed(random)).isBetween(missed * 0.65, missed * 1.3);
      }
    }
  }

  @Test
  void whatIsNotFoundByTheDeadlineIsMissedForEver() {
    Simulated reads = found(DEADLINE + 1);
    assertThat(reads.missed(new SplittableRandom(3))).isInfinite();
    assertThat(reads.asked).hasSizeLessThan(15).allMatch(age -> age <= DEADLINE);
  }

  @Test
  void aReadWithoutAnswerTellsNothing() {
    assertThat(new Simulated(0.05, 0.004, 0.04).missed(new SplittableRandom(1))).isNaN();
    assertThat(new Simulated(1, 0.004, 0.3).missed(new SplittableRandom(1))).isNaN();
  }
}
