package org.calando.core.policy.joint;

/*
 * A node as an M/M/c queue. A job waits with Erlang's probability C, and then for an exponential
 * time of mean s / (c (1 - u)), s the mean core time of a job and u the utilisation. So a request
 * that waits in v queues one after the other or beside each other waits beyond t in one of them with
 * a probability of v C exp(-t / mean) at most.
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

  /** What of a request that waits in so many queues 99 % wait at most, at the longest of them. */
  double p99Seconds(double visits) {
    double beyond = visits * waits / IN_HUNDRED;
    return beyond <= 1 ? 0 : meanSeconds * StrictMath.log(beyond);
  }
}
