package org.calando.core.workload.internal.keys;

/**
 * Draws ranks 0 .. n - 1 of which rank i is about as frequent as 1/(i + 1)^theta.
 *
 * <p>Not thread safe; no allocation. A stream of draws is the same on every machine (StrictMath).
 */
public final class ZipfianRanks {
  // The algorithm is Gray, Sundaresan, Englert, Baclawski and Weinberger's, "Quickly generating
  // billion-record synthetic databases", SIGMOD 1994, section 3.2, which YCSB uses too. With
  // zeta(n) as in Zeta, alpha = 1/(1 - theta) and
  //
  //   eta = (1 - (2/n)^(1 - theta)) / (1 - zeta(2)/zeta(n))
  //
  // a uniform u gives rank 0 if u zeta(n) < 1, rank 1 if u zeta(n) < zeta(2), and otherwise
  // n (eta u - eta + 1)^alpha, rounded down. Ranks 0 and 1 are exactly zipfian. The others share
  // the rest as the integral of x^-theta over i .. i + 1 instead of as the sum's terms: rank 2 is
  // 17% too frequent of 1000 items, and the difference dies out as 1/i. A draw costs one power at
  // most.
  //
  // The number of items may grow: zeta is extended by the new terms only. YCSB, when the items
  // grow, leaves the original n in eta's numerator, which misses ranks once n is a multiple of it;
  // here n is the current one, as in the paper. For a constant n the two are the same.

  private final double theta;
  private final double alpha;
  private final double zeta2;
  private long items;
  private double zetaN;
  private double eta;

  /**
   * Ranks of {@code items} items.
   *
   * @param items 1 or more
   * @param theta the zipfian constant, greater than 0 and less than 1
   */
  public ZipfianRanks(long items, double theta) {
    this(items, theta, Zeta.of(items, theta));
  }

  /** As the other constructor, with zeta(items, theta) known. */
  ZipfianRanks(long items, double theta, double zetaN) {
    if (items < 1) {
      throw new IllegalArgumentException("items " + items + " < 1");
    }
    if (!(theta > 0 && theta < 1)) {
      throw new IllegalArgumentException("zipfian constant " + theta + " is not between 0 and 1");
    }
    this.theta = theta;
    this.alpha = 1 / (1 - theta);
    this.zeta2 = 1 + Powers.power(0.5, theta);
    this.items = items;
    this.zetaN = zetaN;
    this.eta = eta();
  }

  /** Makes the number of items {@code items} if there are fewer; it never shrinks. */
  void growTo(long items) {
    if (items > this.items) {
      zetaN = Zeta.extend(zetaN, this.items, items, theta);
      this.items = items;
      eta = eta();
    }
  }

  /** The next rank, 0 .. items - 1. */
  public long next(RandomStream random) {
    double u = random.nextDouble();
    double uz = u * zetaN;
    if (uz < 1 || items == 1) {
      return 0;
    }
    if (uz < zeta2 || items == 2) {
      return 1;
    }
    long rank = (long) (items * Powers.power(eta * u - eta + 1, alpha));
    // Rounding can take u close to 1 over the end.
    return Math.min(rank, items - 1);
  }

  private double eta() {
    return (1 - Powers.power(2.0 / items, 1 - theta)) / (1 - zeta2 / zetaN);
  }
}
