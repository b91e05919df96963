package org.calando.power;

import org.calando.core.energy.NodeEnergy;

/**
 * Idle power of each node, which net energy is counted above: with the model meter, that of the
 * started but unused server. Immutable.
 */
public final class Baseline {
  private static final double LEAST_COVERAGE = 0.5;

  private final double[] watts;

  private Baseline(double[] watts) {
    this.watts = watts;
  }

  /**
   * The mean powers of a phase in which the cluster had nothing to do. A node is unknown if
   * readings cover less than half of the phase.
   */
  public static Baseline of(PhaseEnergy idle) {
    return new Baseline(
        idle.energy().nodes().stream()
            .mapToDouble(node -> covered(node) ? node.meanWatts() : Double.NaN)
            .toArray());
  }

  /** Idle power of a node; NaN if unknown. */
  public double watts(int node) {
    return watts[node];
  }

  /** How many nodes it is for. */
  public int nodes() {
    return watts.length;
  }

  private static boolean covered(NodeEnergy node) {
    return node.coverage() >= LEAST_COVERAGE;
  }
}
