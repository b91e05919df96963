package org.calando.core.staleness;

/**
 * WARS, the latency model of probabilistically bounded staleness (Bailis et al., VLDB 2012, section
 * 4.2), with exponential latencies, exactly. A write reaches replica i after W_i and its
 * acknowledgement is back A_i later; it succeeds with the W-th of them. A read that begins t after
 * that reaches replica i after R_i and its reply is back S_i later. Immutable and thread safe.
 *
 * @param replicas N, 1 or more
 * @param write replicas that acknowledge a write, W, 1 .. N
 * @param writeRate rate (inverse mean) of the way of a write to a replica, a, more than 0
 * @param acknowledgementRate of its acknowledgement's way back, alpha, more than 0
 * @param readRate of the way of a read to a replica, beta, more than 0
 * @param responseRate of its reply's way back, sigma, more than 0
 * @param mode whom a read asks
 */
public record WarsExponential(
    int replicas,
    int write,
    double writeRate,
    double acknowledgementRate,
    double readRate,
    double responseRate,
    WarsMode mode) {
  // A read is stale if W_i > c + t + R_i for each replica i that it uses, c being the time of the
  // write's W-th acknowledgement. None of the used ones is then among the first W to acknowledge,
  // so
  // c is the W-th of the N - X others. Given c and the R_i, the X conditions have probability
  // exp(-a (c + t + R_i)) each. What is left factors:
  //
  //   p(t) = exp(-a X t)  E[exp(-a X c)]  E[prod exp(-a R_i)]
  //
  // with c the W-th smallest of N - X sums W + A, and the product over the replicas used. For a
  // random subset the R_i are independent: (beta / (beta + a))^X. For the first X of N replies,
  // with
  // V = R + S, its distribution G, and h(v) = E[exp(-a R); V in dv], H its integral:
  //
  //   X C(N, X) int h(v) H(v)^(X-1) (1 - G(v))^(N-X) dv
  //
  // h is beta / (beta + a) times the density of two stages of rates beta + a and sigma.
  //
  // k writes are missed by one read with k a in the last factor and the k-th power of the middle
  // one; their ages, the first k points of a Poisson process, give prod_i w / (w + i a X).

  public WarsExponential {
    Overlap.require("a write of", write, replicas);
    for (double rate : new double[] {writeRate, acknowledgementRate, readRate, responseRate}) {
      if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("a rate of " + rate);
      }
    }
  }

  /**
   * The probability that a read misses a write that was acknowledged a time before it began. Exact
   * to 1e-9.
   *
   * @param read replicas whose replies it uses, X, 1 .. N
   * @param time from the acknowledgement to the begin of the read, 0 or more
   */
  public double missedAfter(int read, double time) {
    return missed(read, 1) * StrictMath.exp(-decay(read) * time);
  }

  /**
   * The shortest time after an acknowledgement from which on a read misses the write with no more
   * than a probability.
   *
   * @param share the probability, 0 .. 1; infinite for 0 where X + W is not more than N
   */
  public double timeFor(int read, double share) {
    double now = missed(read, 1);
    return now <= share ? 0 : StrictMath.log(now / share) / decay(read);
  }

  /** The share of stale reads among those that begin a time after the last acknowledgement. */
  public StaleEstimate after(double time) {
    return new StaleEstimate() {
      @Override
      public int replicas() {
        return replicas;
      }

      @Override
      public double rate(int read) {
        return missedAfter(read, time);
      }
    };
  }

  /**
   * The share of stale reads among reads at any time, with Poisson writes: p(0) w / (w + a X) for a
   * key that is written at rate w. An upper bound of the full process, in which a newer write that
   * is under way makes a read fresh too. Versions are exact for writes that are under way
   * independently; ages besides take it as independent whether one read misses several.
   *
   * @param writesPerTime writes of the table in a unit of time, 0 or more
   * @param popularity how requests spread over its keys
   */
  public StaleDepthEstimate underWrites(double writesPerTime, KeyPopularity popularity) {
    Overlap.require("writes", writesPerTime);
    return new WarsExponentialWrites(this, writesPerTime, popularity);
  }

  /** The rate at which the probability decays, a X. */
  double decay(int read) {
    return writeRate * read;
  }

  /**
   * The probability that a read misses so many writes, were all acknowledged when it began.
   *
   * @param writes 1 or more
   */
  double missed(int read, int writes) {
    Overlap.require("a read of", read, replicas);
    if (read + write > replicas) {
      return 0;
    }
    double asked = mode == WarsMode.SUBSET ? ofAny(read, writes) : ofFirst(read, writes);
    return Math.min(1, StrictMath.pow(acknowledged(read), writes) * asked);
  }

  /** E[exp(-a X c)]. */
  private double acknowledged(int read) {
    int others = replicas - read;
    TwoStages way = new TwoStages(writeRate, acknowledgementRate);
    double decay = decay(read);
    double integral =
        HalfLine.integral(
            time -> {
              double beyond = way.beyond(time);
              return StrictMath.exp(-decay * time)
                  * way.density(time)
                  * StrictMath.pow(1 - beyond, write - 1)
                  * StrictMath.pow(beyond, others - write);
            },
            1 / (decay + 1 / way.mean()));
    return write * choose(others, write) * integral;
  }

  private double ofAny(int read, int writes) {
    return StrictMath.pow(readRate / (readRate + writes * writeRate), read);
  }

  private double ofFirst(int read, int writes) {
    double faster = readRate + writes * writeRate;
    double share = readRate / faster;
    TwoStages way = new TwoStages(readRate, responseRate);
    TwoStages missing = new TwoStages(faster, responseRate);
    double integral =
        HalfLine.integral(
            time ->
                missing.density(time)
                    * StrictMath.pow(1 - missing.beyond(time), read - 1)
                    * StrictMath.pow(way.beyond(time), replicas - read),
            way.mean());
    return read * choose(replicas, read) * StrictMath.pow(share, read) * integral;
  }

  private static double choose(int of, int some) {
    double ways = 1;
    for (int i = 1; i <= some; i++) {
      ways = ways * (of - some + i) / i;
    }
    return ways;
  }
}
