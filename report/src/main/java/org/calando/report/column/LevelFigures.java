package org.calando.report.column;

import java.util.OptionalDouble;

/**
 * What a run's decisions and its monitor came to in the measured window. Immutable and thread safe.
 * Rates are means over decisions, NaN where no estimate had all its figures.
 *
 * @param meanReplicas replicas that a read asked in the mean; empty if nothing was read
 * @param decisions decisions made
 * @param atOne of these, those to read one replica always
 * @param atFallback of these, those that were the fallback, for want of figures
 * @param monitorRequests requests that observing sent
 * @param monitorCpuSeconds CPU time that observing and deciding took
 * @param ofOne stale rates that the estimates give reads of one replica
 * @param ofChoice stale rates that the estimates give what was decided
 * @param canaryReads reads of the canary
 * @param canaryStale of these, the stale ones
 */
public record LevelFigures(
    OptionalDouble meanReplicas,
    long decisions,
    long atOne,
    long atFallback,
    long monitorRequests,
    double monitorCpuSeconds,
    Estimates ofOne,
    Estimates ofChoice,
    long canaryReads,
    long canaryStale) {

  /**
   * Stale rates by estimate.
   *
   * @param harmony Harmony as published
   * @param exact its model for each key
   * @param pbs by the lags measured of each replica
   */
  public record Estimates(double harmony, double exact, double pbs) {}

  /** A share at the fallback above this is told: the figures are hardly the policy's. */
  public static final double MUCH_FALLBACK = 0.1;

  /** Part of the decisions that were the fallback; NaN without a decision. */
  public double shareAtFallback() {
    return decisions == 0 ? Double.NaN : (double) atFallback / decisions;
  }

  /** Part of the decisions that were to read one replica always; NaN without a decision. */
  public double shareAtOne() {
    return decisions == 0 ? Double.NaN : (double) atOne / decisions;
  }
}
