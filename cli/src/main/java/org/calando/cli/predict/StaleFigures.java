package org.calando.cli.predict;

import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.WarsExponential;

/**
 * What a prediction of stale reads is made from, wherever the figures are from. Immutable.
 *
 * @param replicas N, 1 or more
 * @param write replicas that acknowledge a write, W, 1 .. N
 * @param read replicas that a read asks, X, 1 .. N
 * @param requests how often keys are read and written
 * @param tpSeconds time that a write takes to reach every replica, Tp; infinite if one never did
 * @param tolerated share of stale reads that is tolerable, 0 .. 1; empty to choose no replicas
 * @param wars latencies, and the time after a write that is asked for; empty for no such answer
 * @param live what a cluster told, of which some may have been replaced; empty without one
 */
record StaleFigures(
    int replicas,
    int write,
    int read,
    Requests requests,
    double tpSeconds,
    OptionalDouble tolerated,
    Optional<Wars> wars,
    Optional<LiveFigures> live) {
  /**
   * Requests for one key, or for a table's keys.
   *
   * @param readsPerSecond of the one key, or of the table if there is a popularity
   * @param writesPerSecond of the one key, or of the table if there is a popularity
   * @param popularity how requests spread over the table's keys; empty for a single key
   * @param of what requests are for, in words: one key, or a table of how many and how popular keys
   */
  record Requests(
      double readsPerSecond,
      double writesPerSecond,
      Optional<KeyPopularity> popularity,
      String of) {
    /** The popularity, that of the one key too. */
    KeyPopularity keys() {
      return popularity.orElseGet(() -> KeyPopularity.uniform(1));
    }
  }

  /**
   * Latencies of messages.
   *
   * @param model rates per millisecond
   * @param afterMillis time from a write's acknowledgement to the begin of the read
   */
  record Wars(WarsExponential model, double afterMillis) {}
}
