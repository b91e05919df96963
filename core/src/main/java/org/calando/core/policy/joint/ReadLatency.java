package org.calando.core.policy.joint;

import org.calando.core.policy.SignalId;

/**
 * How long clients' reads took over a while. Immutable and thread safe.
 *
 * @param reads how many were answered, 0 or more
 * @param errors operations that failed meanwhile, 0 or more: each counts as slower than any limit
 * @param p99Seconds what 99 % of them took at most; any if there were none
 */
public record ReadLatency(long reads, long errors, double p99Seconds) {
  /** The signal, whose time is the end of that while. */
  public static final SignalId<ReadLatency> SIGNAL =
      new SignalId<>("read-latency", ReadLatency.class);
}
