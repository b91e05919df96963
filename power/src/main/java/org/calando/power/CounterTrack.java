package org.calando.power;

import java.util.OptionalLong;
import org.calando.core.energy.WrappingCounter;

/**
 * Turns an instrument's energy counter into {@link PowerSample.Energy}: adds up laps, and tells a
 * counter that started again from one that wrapped by the highest power that the machine could
 * draw. Not thread safe.
 */
public final class CounterTrack {
  private final double joulesPerUnit;
  private final double maxWatts;
  private final long modulus;
  private final WrappingCounter counter;
  private OptionalLong lastNanos = OptionalLong.empty();
  private double joules;

  /**
   * A counter that has not been read.
   *
   * @param joulesPerUnit energy of one unit of the counter, in joules, above 0
   * @param modulus units in one lap; {@link Long#MAX_VALUE} for a counter that does not wrap
   * @param maxWatts power that what is counted can never exceed; an increment above it is a reset
   */
  public CounterTrack(double joulesPerUnit, long modulus, double maxWatts) {
    if (!(joulesPerUnit > 0) || !(maxWatts > 0)) {
      throw new IllegalArgumentException(
          "joules per unit and highest power must be above 0: " + joulesPerUnit + ", " + maxWatts);
    }
    this.joulesPerUnit = joulesPerUnit;
    this.maxWatts = maxWatts;
    this.modulus = modulus;
    counter = new WrappingCounter(modulus);
  }

  /**
   * Takes a reading; the first begins at 0 J.
   *
   * @param atNanos when it was true, not before the reading before
   * @param units what the counter shows, 0 to the modulus
   */
  public PowerSample.Energy advance(long atNanos, long units) {
    double step = counter.advance(units) * joulesPerUnit;
    boolean reset = false;
    if (lastNanos.isPresent()) {
      double seconds = (atNanos - lastNanos.getAsLong()) / 1e9;
      // A unit more: a coarse counter jumps by a whole one at once.
      boolean impossible = step > maxWatts * seconds + joulesPerUnit;
      boolean lapsUnseen = seconds * maxWatts >= modulus * joulesPerUnit;
      reset = impossible || lapsUnseen;
    }
    joules += reset ? 0 : step;
    lastNanos = OptionalLong.of(atNanos);
    return new PowerSample.Energy(atNanos, joules, reset);
  }
}
