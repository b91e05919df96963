package org.calando.core.energy;

import java.util.Arrays;

/*
 * A phase of a run rarely begins at the very time at which an instrument was read. Where its edge
 * lies between two readings, the step between them is divided in proportion to time:
 *
 *     readings   |-----------|-----------|-----------|
 *     phase             [-----------------------]
 *                       part     whole      part
 *
 * which takes power to be steady within one step and nothing else. A step too long for that, or one
 * of which some time is not covered, is divided by nobody: the part of the phase in it is a gap.
 */

/**
 * Readings of a cumulative figure (joules, CPU seconds) of one node over time, and how much of it
 * fell into any stretch of that time. Grows by 24 bytes a reading. Not thread safe.
 *
 * <p>Readings must not wrap (see {@link WrappingCounter}); one that falls all the same is taken as
 * a counter that started again, and the time since the reading before it as a gap.
 */
public final class CumulativeSeries {
  private static final int FIRST_CAPACITY = 64;

  private final long longestDividedNanos;
  private long[] atNanos = new long[FIRST_CAPACITY];
  private double[] totals = new double[FIRST_CAPACITY];
  private long[] gapNanos = new long[FIRST_CAPACITY];
  private int size;

  /**
   * A series without readings.
   *
   * @param longestDividedNanos longest step between two readings that an edge may divide, 0 or more
   */
  public CumulativeSeries(long longestDividedNanos) {
    if (longestDividedNanos < 0) {
      throw new IllegalArgumentException("the longest step must be 0 or more");
    }
    this.longestDividedNanos = longestDividedNanos;
  }

  /**
   * How much of the figure fell into a stretch of time.
   *
   * @param amount the sum over the time covered
   * @param coveredNanos part of the stretch that readings cover
   * @param gaps separate parts that they do not
   */
  public record Stretch(double amount, long coveredNanos, int gaps) {}

  /**
   * Adds a reading; one that is not after the reading before it changes nothing.
   *
   * @param readNanos when it was true
   * @param total the figure since any fixed time
   * @param missedNanos time since the reading before that the total does not include, 0 or more
   */
  public void add(long readNanos, double total, long missedNanos) {
    if (size > 0 && readNanos <= atNanos[size - 1]) {
      return;
    }
    if (size == atNanos.length) {
      atNanos = Arrays.copyOf(atNanos, size * 2);
      totals = Arrays.copyOf(totals, size * 2);
      gapNanos = Arrays.copyOf(gapNanos, size * 2);
    }
    long stepNanos = size == 0 ? 0 : readNanos - atNanos[size - 1];
    boolean fell = size > 0 && total < totals[size - 1];
    atNanos[size] = readNanos;
    totals[size] = total;
    gapNanos[size] = fell ? stepNanos : Math.min(stepNanos, Math.max(0, missedNanos));
    size++;
  }

  /** Whether a reading at or after a time is there. */
  public boolean reaches(long nanos) {
    return size > 0 && atNanos[size - 1] >= nanos;
  }

  /**
   * How much fell into a stretch of time.
   *
   * @param fromNanos its beginning
   * @param toNanos its end, not before the beginning
   */
  public Stretch between(long fromNanos, long toNanos) {
    double amount = 0;
    long covered = 0;
    int gaps = 0;
    boolean open = true; // the time before the first reading is a gap, if it is any of the stretch
    long reached = fromNanos;
    for (int i = firstStepAfter(fromNanos); i < size && atNanos[i - 1] < toNanos; i++) {
      long begin = Math.max(fromNanos, atNanos[i - 1]);
      long end = Math.min(toNanos, atNanos[i]);
      if (begin > reached) {
        gaps++;
      }
      long step = atNanos[i] - atNanos[i - 1];
      boolean whole = end - begin == step;
      boolean divisible = gapNanos[i] == 0 && step <= longestDividedNanos;
      if (whole || divisible) {
        double fallen = Math.max(0, totals[i] - totals[i - 1]);
        boolean restarted = totals[i] < totals[i - 1];
        amount += restarted ? 0 : whole ? fallen : fallen * ((double) (end - begin) / step);
        covered += whole ? step - gapNanos[i] : end - begin;
        if (gapNanos[i] > 0) {
          gaps++;
        }
      } else {
        gaps++;
      }
      reached = end;
      open = false;
    }
    if (open ? toNanos > fromNanos : reached < toNanos) {
      gaps++;
    }
    return new Stretch(amount, covered, gaps);
  }

  /** Index of the first reading that ends a step reaching beyond a time; at least 1. */
  private int firstStepAfter(long nanos) {
    int found = Arrays.binarySearch(atNanos, 0, size, nanos);
    return Math.max(1, found >= 0 ? found + 1 : -found - 1);
  }
}
