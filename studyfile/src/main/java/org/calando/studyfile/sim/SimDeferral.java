package org.calando.studyfile.sim;

import java.util.Optional;
import org.calando.sim.cluster.WriteBuffer;

/**
 * What a file says of writes that simulated clients defer. Immutable and thread safe.
 *
 * @param buffer of all runs; empty where each write is sent when it begins, or where the matrix
 *     says how writes are sent
 * @param costShare what a coordinator's work for a write of a buffer costs, as a share of that for
 *     a write by itself, 0 .. 1; of the matrix's buffers too
 */
public record SimDeferral(Optional<WriteBuffer> buffer, double costShare) {
  /** Nothing is said. */
  public static final SimDeferral NONE = new SimDeferral(Optional.empty(), 1);
}
