package org.calando.power;

import java.util.List;
import org.calando.core.energy.EnergySummary;

/**
 * What a {@link Sampler} found in one phase.
 *
 * @param phase the phase's name
 * @param startNanos its first edge, on the sampler's clock
 * @param endNanos its last edge
 * @param energy energy and CPU time of every node in exactly the phase
 * @param samplerCpuSeconds CPU time that sampling cost meanwhile, listener included
 * @param problems readings that failed: one line a node and kind, with how often; empty if none did
 */
public record PhaseEnergy(
    String phase,
    long startNanos,
    long endNanos,
    EnergySummary energy,
    double samplerCpuSeconds,
    List<String> problems) {
  /** Copies the list. */
  public PhaseEnergy {
    problems = List.copyOf(problems);
  }
}
