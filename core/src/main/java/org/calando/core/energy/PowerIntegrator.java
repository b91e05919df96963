package org.calando.core.energy;

/**
 * Integrates samples of power into joules by the trapezium rule. Not thread safe.
 *
 * <p>Where two samples are further apart than the longest step allowed, the time between them is a
 * gap: no energy is made up for it.
 */
public final class PowerIntegrator {
  private final long maxStepNanos;
  private boolean sampled;
  private long lastNanos;
  private double lastWatts;
  private double joules;
  private long gapNanos;

  /**
   * An integrator without samples.
   *
   * @param maxStepNanos longest time between two samples that is integrated over, above 0
   */
  public PowerIntegrator(long maxStepNanos) {
    if (maxStepNanos <= 0) {
      throw new IllegalArgumentException("the longest step must be above 0, not " + maxStepNanos);
    }
    this.maxStepNanos = maxStepNanos;
  }

  /**
   * Adds a sample; one that is not after the sample before it is ignored.
   *
   * @param atNanos when the power was read
   * @param watts the power, 0 or more
   */
  public void add(long atNanos, double watts) {
    if (!(watts >= 0) || !Double.isFinite(watts)) {
      throw new IllegalArgumentException("power must be 0 W or more, not " + watts);
    }
    long stepNanos = atNanos - lastNanos;
    if (sampled && stepNanos <= 0) {
      return;
    }
    if (sampled && stepNanos > maxStepNanos) {
      gapNanos += stepNanos;
    } else if (sampled) {
      joules += (lastWatts + watts) / 2 * stepNanos / 1e9;
    }
    sampled = true;
    lastNanos = atNanos;
    lastWatts = watts;
  }

  /** Energy of the time between samples, gaps left out. */
  public double joules() {
    return joules;
  }

  /** Time between samples that was not integrated over. */
  public long gapNanos() {
    return gapNanos;
  }
}
