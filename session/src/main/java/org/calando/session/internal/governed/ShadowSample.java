package org.calando.session.internal.governed;

import org.calando.core.observe.ShadowTally.Verdict;

/**
 * What one shadow read found. Immutable and thread safe.
 *
 * @param atNanos when the read was sent; between machines its age, 0 or less
 * @param key hash of its key
 * @param predicted chance to be stale that the estimate in use gave it, 0 .. 1
 */
public record ShadowSample(long atNanos, long key, Verdict verdict, double predicted) {
  /** The same by another clock. */
  public ShadowSample plus(long nanos) {
    return new ShadowSample(atNanos + nanos, key, verdict, predicted);
  }
}
