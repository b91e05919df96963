package org.calando.power;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;

/**
 * What a {@link Sampler} found in one phase.
 *
 * @param phase the phase's name
 * @param startNanos its first edge, on the sampler's clock
 * @param endNanos its last edge
 * @param energy energy and CPU time of every node in exactly the phase
 * @param samplerCpuSeconds CPU time of this machine that sampling cost meanwhile, listener included
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

  /**
   * The same with net energy counted above idle powers.
   *
   * @param baseline idle power of each node, in the order of the nodes
   */
  public PhaseEnergy above(Baseline baseline) {
    List<NodeEnergy> nodes = energy.nodes();
    if (baseline.nodes() != nodes.size()) {
      throw new IllegalArgumentException(
          "a baseline of " + baseline.nodes() + " nodes for " + nodes.size());
    }
    List<NodeEnergy> net = new ArrayList<>(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      NodeEnergy node = nodes.get(i);
      net.add(
          new NodeEnergy(
              node.node(),
              node.windowNanos(),
              node.coveredNanos(),
              node.gaps(),
              node.grossJoules(),
              baseline.watts(i),
              node.cpuSeconds(),
              node.cpuPercent()));
    }
    return new PhaseEnergy(
        phase, startNanos, endNanos, EnergySummary.of(net), samplerCpuSeconds, problems);
  }
}
