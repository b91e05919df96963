package org.calando.sim.away;

import java.util.Optional;

/**
 * What is kept for nodes that are away. Immutable and thread safe.
 *
 * @param mostHints hints kept for a node at most, 0 or more; later ones are lost
 * @param hintGapNanos time between hints sent to a node, 1 or more
 * @param shifts what it costs nodes to be switched off and on; empty if nobody says
 */
public record Absences(int mostHints, long hintGapNanos, Optional<ShiftCosts> shifts) {
  /** A million hints for a node, one each millisecond; shifts cost what power profiles say. */
  public static final Absences DEFAULT = new Absences(1 << 20, 1_000_000, Optional.empty());

  /** The same with costs of shifts. */
  public Absences with(ShiftCosts costs) {
    return new Absences(mostHints, hintGapNanos, Optional.of(costs));
  }

  /**
   * The same on cores that are busy for longer than the CPU time that shifts take.
   *
   * @param cpuShare CPU time for a time that cores are busy, above 0, 1 at most
   */
  public Absences onCores(double cpuShare) {
    return new Absences(mostHints, hintGapNanos, shifts.map(costs -> costs.onCores(cpuShare)));
  }

  /** What shifts cost beyond what power profiles say; nothing if nobody says. */
  public ShiftCosts costs() {
    return shifts.orElse(ShiftCosts.NONE);
  }
}
