package org.calando.session.internal.governed;

import java.util.Optional;
import org.calando.core.policy.Observation.Shadow;

/**
 * What a session's own shadow reads say of a level that another chose, by the two ends of Wilson's
 * interval for the share of stale reads, 95 % each. Immutable and thread safe.
 *
 * @param shadow what they found; empty without one
 * @param tolerated share of stale reads
 */
public record ShadowEvidence(Optional<Shadow> shadow, double tolerated) {
  private static final double Z = 1.6448536269514722;

  /** Whether more is stale than is tolerated, beyond chance. */
  public boolean refutes() {
    return shadow.map(found -> end(found, found.stale(), -1) > tolerated).orElse(false);
  }

  /** Whether no more is stale than is tolerated, beyond chance; not without enough reads. */
  public boolean confirms() {
    return shadow.map(found -> end(found, found.bound(), 1) <= tolerated).orElse(false);
  }

  private static double end(Shadow found, double stale, int side) {
    double reads = found.reads();
    if (!(reads > 0)) {
      return side < 0 ? 0 : 1;
    }
    double share = stale / reads;
    double square = Z * Z / reads;
    double half = Z * Math.sqrt((share * (1 - share) + square / 4) / reads);
    return (share + square / 2 + side * half) / (1 + square);
  }
}
