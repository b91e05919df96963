package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mean of a correlated series by batch means: with long batches the means of 32 of them are
 * nearly independent, and Student's t with 31 degrees of freedom says how far off they may be.
 */
public final class Batches {
  /** Of Student's t, two-sided 99.9 % with 31 degrees of freedom. */
  private static final double T_999 = 3.633;

  private static final int BATCHES = 32;

  private final double[] sums = new double[BATCHES];
  private final int length;
  private long count;

  /** Batches of so many values each. */
  public Batches(int length) {
    this.length = length;
  }

  /** Adds a value; those beyond the last batch are left out. */
  public void add(double value) {
    if (!isFull()) {
      sums[(int) (count++ / length)] += value;
    }
  }

  public boolean isFull() {
    return count == (long) length * BATCHES;
  }

  public double mean() {
    double sum = 0;
    for (double batch : sums) {
      sum += batch;
    }
    return sum / length / BATCHES;
  }

  /** Half the width of the 99.9 % interval. */
  public double halfWidth() {
    double mean = mean();
    double squares = 0;
    for (double batch : sums) {
      squares += (batch / length - mean) * (batch / length - mean);
    }
    return T_999 * Math.sqrt(squares / (BATCHES - 1) / BATCHES);
  }

  /**
   * Asserts that theory's value is in the 99.9 % interval, and that the interval is narrow enough
   * for this to say something.
   *
   * @param narrow most half width as a share of the value
   */
  public void assertMeanIs(double theory, double narrow, String what) {
    assertThat(isFull()).as("all values are there").isTrue();
    assertThat(halfWidth()).as(what + ": half the interval").isLessThan(narrow * theory);
    assertThat(Math.abs(mean() - theory))
        .as("%s: mean %s of theory's %s", what, mean(), theory)
        .isLessThanOrEqualTo(halfWidth());
  }
}
