package org.calando.core.policy.joint;

/*
 * A node as an M/M/c queue. A job waits with Erlang's probability C, and then for an exponential
 * time of mean m = s / (c (1 - u)), s the mean core time of a job and u the utilisation. A read waits
 * at its coordinator, and then at k replicas beside each other, so for the longest of these: beyond t
 * with a probability of k C exp(-t / m) at most. Both in a row are beyond t = x m with at most
 *
 *   exp(-x) (C + (1 - C) k C + k C C x),
 *
 * where the last part is that of an Erlang distribution, of those that wait twice.
 *
 * Service times vary less than exponential ones, so real waits are shorter; what is seen corrects it.
 */
/**
 * How long jobs wait for the cores of a node. Immutable and thread safe.
 *
 * @param utilisation busy share of the cores, 0 or more; from 1 on waits are infinite
 * @param waits probability that a job waits, 0 .. 1
 * @param meanSeconds how long one that waits does so in the mean
 */
record NodeQueue(double utilisation, double waits, double meanSeconds) {
  private static final double IN_HUNDRED = 0.01;

  /** More than enough for a fixed point of a logarithm. */
  private static final int STEPS = 30;

  /**
   * Of a node.
   *
   * @param cores 1 or more
   * @param jobSeconds core time of a job in the mean, 0 or more
   */
  static NodeQueue of(int cores, double utilisation, double jobSeconds) {
    if (!(utilisation < 1)) {
      return new NodeQueue(utilisation, 1, Double.POSITIVE_INFINITY);
    }
    return new NodeQueue(
        utilisation, erlangC(cores, utilisation), jobSeconds / (cores * (1 - utilisation)));
  }

  /** By the recursion of Erlang's loss formula, which neither overflows nor cancels. */
  private static double erlangC(int cores, double utilisation) {
    double offered = cores * utilisation;
    double loss = 1;
    for (int i = 1; i <= cores; i++) {
      loss = offered * loss / (i + offered * loss);
    }
    return loss / (1 - utilisation * (1 - loss));
  }

  /** How long a job waits in the mean. */
  double waitSeconds() {
    return waits * meanSeconds;
  }

  /** How long 99 % of reads wait at most that ask this node alone. */
  double p99Seconds() {
    return waits <= IN_HUNDRED ? 0 : meanSeconds * StrictMath.log(waits / IN_HUNDRED);
  }

  /** How long 99 % of reads wait at most, at a coordinator and then at so many replicas. */
  double p99Seconds(int replicas) {
    double once = waits + (1 - waits) * replicas * waits;
    double twice = replicas * waits * waits;
    if (once <= IN_HUNDRED) {
      return 0;
    }
    if (meanSeconds == Double.POSITIVE_INFINITY) {
      return meanSeconds;
    }
    double means = STEPS;
    double before = 0;
    // Once it stays as it is, it does so for ever.
    for (int step = 0; step < STEPS && means != before; step++) {
      before = means;
      means = StrictMath.log((once + twice * means) / IN_HUNDRED);
    }
    return meanSeconds * Math.max(0, means);
  }
}
