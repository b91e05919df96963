package org.calando.session;

/**
 * What a part of Calando's own has cost so far. Immutable and thread safe.
 *
 * @param requests requests sent to the cluster
 * @param cpuNanos CPU time that its code took, what the driver does on its own threads for these
 *     requests not included; 0 where the JVM cannot tell
 */
public record Cost(long requests, long cpuNanos) {
  /** Both together. */
  public Cost plus(Cost other) {
    return new Cost(requests + other.requests, cpuNanos + other.cpuNanos);
  }
}
