package org.calando.core.policy.clock;

import org.calando.core.replication.ServerUse;

/*
 * Lee and Lee 2021, figure 2a, split the time of a read into S1 (receive and decode), S2 (look the
 * value up) and S3 (encode and send) inside a server that they had changed. From outside S1 and S3
 * cannot be told apart: what a server counts as execution is S2, the main thread's other CPU time is
 * what it does of S1 and S3, and that of I/O threads is what they do of it instead.
 *
 *   all fast        look up + main rest + I/O
 *   all slow        k (look up + main rest + I/O)
 *   read off-load   k (look up + main rest) + I/O      I/O threads on a fast core
 */
/**
 * What a read costs, by part, at full speed. Immutable and thread safe.
 *
 * @param lookUpNanos CPU time to look the value up; NaN if unknown
 * @param mainRestNanos CPU time of the same thread to receive, decode, encode and send
 * @param ioNanos CPU time of I/O threads to do so; 0 without any
 */
public record ReadBreakdown(double lookUpNanos, double mainRestNanos, double ioNanos) {
  /**
   * Of a server's use.
   *
   * @param use what it did
   * @param slowdown fastest clock over the one at which it was measured, 1 or more
   */
  public static ReadBreakdown of(ServerUse use, double slowdown) {
    return new ReadBreakdown(
        use.readExecutionNanos() / slowdown,
        (use.readNanos() - use.readExecutionNanos()) / slowdown,
        use.ioNanosPerCommand() / slowdown);
  }

  /** CPU time of a read at full speed, in nanoseconds. */
  public double totalNanos() {
    return lookUpNanos + mainRestNanos + ioNanos;
  }

  /** The same with every thread slower by a factor of 1 or more. */
  public double slowNanos(double slowdown) {
    return slowdown * totalNanos();
  }

  /** The same with I/O threads at full speed. */
  public double offloadedNanos(double slowdown) {
    return slowdown * (lookUpNanos + mainRestNanos) + ioNanos;
  }
}
