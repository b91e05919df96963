package org.calando.core.staleness;

/** How often random replicas overlap. Stateless. */
final class Overlap {
  private Overlap() {}

  /**
   * The probability that X random replicas of N hold none of W given ones: C(N-W, X) / C(N, X).
   *
   * @param replicas N, 1 or more
   * @param write W, 0 .. N
   * @param read X, 1 .. N
   * @return 0 where X + W > N
   */
  static double missed(int replicas, int write, int read) {
    double missed = 1;
    for (int i = 0; i < read; i++) {
      missed *= Math.max(0, replicas - write - i) / (double) (replicas - i);
    }
    return missed;
  }

  /**
   * The probability that of X random replicas of N the one that comes first in a given order is the
   * order's j-th: C(N-j, X-1) / C(N, X).
   *
   * @param rank j, 1 .. N
   */
  static double firstIs(int replicas, int rank, int read) {
    // The chance that j is among the X, and that the other X - 1 come from behind it.
    double chance = read / (double) replicas;
    for (int i = 0; i < read - 1; i++) {
      chance *= Math.max(0, replicas - rank - i) / (double) (replicas - 1 - i);
    }
    return chance;
  }

  /** Checks replicas that are written or read. */
  static void require(String what, int asked, int replicas) {
    if (replicas < 1 || asked < 1 || asked > replicas) {
      throw new IllegalArgumentException(what + " " + asked + " of " + replicas + " replicas");
    }
  }

  /** Checks a rate or a time: finite and not negative. */
  static void require(String what, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " " + value);
    }
  }
}
