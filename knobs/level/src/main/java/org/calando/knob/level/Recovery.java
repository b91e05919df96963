package org.calando.knob.level;

/*
 * How a policy follows what is done to the cluster. Its level is right from the first second on at which
 *
 *   - the reads of the next five seconds are stale at most at the bound, and so are all until the next event together,
 *     the bound being one point above the tolerated rate, as in the verdict on the promise;
 *   - no later choice until then asks more replicas, but for a quarter of one: mixes of levels follow the rates.
 *
 * Not every five seconds until the next event have to be within the bound: a policy that meets the tolerated rate exactly
 * is above it half of the time. Reads over the promise are the stale ones until the level is right, less those that
 * were tolerated of the same reads.
 */
/**
 * What followed an event. Immutable.
 *
 * @param seconds from the event to the level that was right, NaN if it never was
 * @param staleOver stale reads beyond what was tolerated until then, or until the next event
 * @param settled seconds from the event to the last choice that was more than a quarter of a
 *     replica from the mean of the last five seconds; NaN if no choice is known. It tells how long
 *     a policy takes to ask less again
 */
record Recovery(double seconds, double staleOver, double settled) {
  /** Seconds over which a choice has to prove itself. */
  static final int PROOF = 5;

  private static final double QUARTER = 0.25;

  boolean isReached() {
    return Double.isFinite(seconds);
  }

  /**
   * What followed an event.
   *
   * @param stretch the seconds from the event to the next one, or to the end of the measured window
   * @param tolerated share of stale reads that is tolerated, 0 to 1
   */
  static Recovery of(Stretch stretch, double tolerated) {
    int right = right(stretch, tolerated + Promise.SLACK);
    int until = right < 0 ? stretch.length() : right;
    double over = stretch.stale(0, until) - tolerated * stretch.reads(0, until);
    return new Recovery(right < 0 ? Double.NaN : right, Math.max(0, over), settled(stretch));
  }

  private static double settled(Stretch stretch) {
    double end = stretch.meanReplicas(Math.max(0, stretch.length() - PROOF));
    if (Double.isNaN(end)) {
      return Double.NaN;
    }
    int at = stretch.length();
    while (at > 0 && !(Math.abs(stretch.replicas(at - 1) - end) > QUARTER)) {
      at--;
    }
    return at;
  }

  private static int right(Stretch stretch, double bound) {
    for (int at = 0; at + PROOF <= stretch.length(); at++) {
      if (isWithin(stretch, at, at + PROOF, bound)
          && isWithin(stretch, at, stretch.length(), bound)
          && stretch.mostReplicas(at) <= stretch.replicas(at) + QUARTER) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isWithin(Stretch stretch, int from, int to, double bound) {
    double reads = stretch.reads(from, to);
    return reads > 0 && stretch.stale(from, to) <= bound * reads;
  }
}
