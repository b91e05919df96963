package org.calando.power;

/**
 * One node's energy up to a time. Never decreases in time or joules from one reading to the next.
 *
 * @param atNanos when the figures were true, on the meter's clock; not after the call that read
 *     them, and the same as before if the meter has nothing newer
 * @param joules energy since the meter was opened, unwrapped, without what fell into gaps
 * @param meanWatts mean power since the node's last reading (the opening, for the first), gaps left
 *     out; NaN if no time was covered
 * @param gapNanos time since the node's last reading that the joules do not include
 */
public record EnergyReading(long atNanos, double joules, double meanWatts, long gapNanos) {
  /** True if some of the time since the node's last reading is not covered. */
  public boolean gap() {
    return gapNanos > 0;
  }
}
