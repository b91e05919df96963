package org.calando.core.staleness;

import java.util.Arrays;
import org.calando.core.workload.internal.keys.RandomStream;

/**
 * WARS, the latency model of probabilistically bounded staleness (Bailis et al., VLDB 2012, section
 * 4.2), by Monte Carlo. Deterministic: the same seed gives the same result on every machine.
 *
 * <p>A write reaches replica i after W_i and its acknowledgement is back A_i later; it succeeds
 * with the W-th of them. A read that begins t after that reaches replica i after R_i and its reply
 * is back S_i later. It misses the write if it reaches each replica whose reply it uses before the
 * write does: W_i > commit + t + R_i. Each trial keeps min(W_i - R_i) - commit, for which t the
 * read is just in time, so that a single run answers every t, and for every number of replicas
 * read.
 */
public final class Wars {
  private static final long MOST_VALUES = 100_000_000;

  /**
   * The four latencies, in one unit of time, which is then that of every answer.
   *
   * @param write from the coordinator to a replica, with what it takes to apply it: W
   * @param acknowledgement back to the coordinator: A
   * @param read from the coordinator to a replica: R
   * @param response back to the coordinator: S
   */
  public record Latencies(
      LatencyDistribution write,
      LatencyDistribution acknowledgement,
      LatencyDistribution read,
      LatencyDistribution response) {}

  private final int replicas;
  private final int write;
  private final Latencies latencies;
  private final WarsMode mode;
  private final RandomStream random;
  private final double[] lead;
  private final double[] reply;
  private final double[] commit;

  private Wars(int replicas, int write, Latencies latencies, WarsMode mode, long seed) {
    this.replicas = replicas;
    this.write = write;
    this.latencies = latencies;
    this.mode = mode;
    this.random = new RandomStream(seed, 0);
    this.lead = new double[replicas];
    this.reply = new double[replicas];
    this.commit = new double[replicas];
  }

  /**
   * Runs trials, one after the other.
   *
   * @param replicas N, 1 or more
   * @param write replicas that acknowledge a write, W, 1 .. N
   * @param latencies the four latencies
   * @param mode whom a read asks
   * @param trials 1 or more; trials times 2 N + 1 at most 10^8, of 8 bytes each
   * @param seed of the random numbers
   */
  public static WarsResult run(
      int replicas, int write, Latencies latencies, WarsMode mode, int trials, long seed) {
    Overlap.require("a write of", write, replicas);
    if (trials < 1 || trials * (2L * replicas + 1) > MOST_VALUES) {
      throw new IllegalArgumentException(trials + " trials of " + replicas + " replicas");
    }
    Wars wars = new Wars(replicas, write, latencies, mode, seed);
    double[][] late = new double[replicas][trials];
    double[][] readLatency = new double[replicas][trials];
    double[] writeLatency = new double[trials];
    for (int trial = 0; trial < trials; trial++) {
      wars.trial(trial, late, readLatency, writeLatency);
    }
    return new WarsResult(late, readLatency, writeLatency);
  }

  private void trial(int trial, double[][] late, double[][] readLatency, double[] writeLatency) {
    for (int i = 0; i < replicas; i++) {
      double written = latencies.write().of(random.nextDouble());
      commit[i] = written + latencies.acknowledgement().of(random.nextDouble());
      double asked = latencies.read().of(random.nextDouble());
      reply[i] = asked + latencies.response().of(random.nextDouble());
      lead[i] = written - asked;
    }
    Arrays.sort(commit);
    double committed = commit[write - 1];
    writeLatency[trial] = committed;
    arrange();
    double least = Double.POSITIVE_INFINITY;
    double slowest = 0;
    for (int i = 0; i < replicas; i++) {
      least = Math.min(least, lead[i]);
      slowest = Math.max(slowest, reply[i]);
      // Infinite less infinite: a write that never succeeds is never missed.
      double after = least - committed;
      late[i][trial] = Double.isNaN(after) ? 0 : after;
      readLatency[i][trial] = slowest;
    }
  }

  /** Puts the replicas in the order in which a read uses them. */
  private void arrange() {
    for (int i = 0; i < replicas - 1; i++) {
      int next = i;
      if (mode == WarsMode.SUBSET) {
        next = i + (int) random.nextLong(replicas - i);
      } else {
        for (int j = i + 1; j < replicas; j++) {
          next = reply[j] < reply[next] ? j : next;
        }
      }
      swap(reply, i, next);
      swap(lead, i, next);
    }
  }

  private static void swap(double[] values, int i, int j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}
