package org.calando.core.policy.gear;

/*
 * From the order to shift down to the order to shift up again pass T seconds, of which the first
 * `off` are the shift down; `boot` more pass until the higher gear serves again. Staying up costs
 *
 *   P(high) (T + boot)
 *
 * and going down
 *
 *   P(down) off + P(low) (T - off) + P(up) boot + c (T + boot)
 *
 * where c is the power that writing costs later: bytes a second, times what each leaves to move,
 * times its joules. The difference is the net saving,
 *
 *   net(T) = (P(high) - P(low) - c) T - [(P(down) - P(low)) off + (P(up) - P(high) + c) boot]
 */
/**
 * What a shift down saves, and what it costs to come back. Immutable and thread safe.
 *
 * @param savedWatts what each second in the lower gear saves, catch-up for what is written in it
 *     counted off; may be negative
 * @param shiftJoules what both shifts cost beyond the gears between which they are; negative where
 *     nodes draw less while they boot than when they are on
 * @param leastSeconds how long the shift down takes
 */
public record DownShift(double savedWatts, double shiftJoules, double leastSeconds) {

  /**
   * Of a shift, at a load that stays.
   *
   * @param from the higher gear
   * @param to the lower gear
   * @param perSecond operations a second
   * @param writtenBytesPerSecond new data, each byte once
   */
  public static DownShift of(
      GearModel model, int from, int to, double perSecond, double writtenBytesPerSecond) {
    if (to >= from) {
      throw new IllegalArgumentException("a shift down from gear " + from + " to " + to);
    }
    double owedWatts =
        writtenBytesPerSecond
            * model.catchUp().movedPerByte(to, from)
            * model.catchUp().joulesPerByte();
    double high = model.watts(from, perSecond);
    double low = model.watts(to, perSecond);
    double off = model.shiftSeconds(from, to);
    double boot = model.shiftSeconds(to, from);
    double down = off == 0 ? 0 : (model.shiftWatts(from, to, perSecond) - low) * off;
    double up = boot == 0 ? 0 : (model.shiftWatts(to, from, perSecond) - high + owedWatts) * boot;
    return new DownShift(high - low - owedWatts, down + up, off);
  }

  /**
   * What it saves in all, in joules; negative if it costs more than it saves.
   *
   * @param seconds from the order to shift down to that to shift up, at least {@link #leastSeconds}
   */
  public double netJoules(double seconds) {
    return savedWatts * seconds - shiftJoules;
  }

  /** The time between the two orders from which on something is saved; infinite if never. */
  public double breakEvenSeconds() {
    return savedWatts > 0
        ? Math.max(leastSeconds, shiftJoules / savedWatts)
        : Double.POSITIVE_INFINITY;
  }

  /** Whether a shift saves anything if the next order comes after so many seconds. */
  public boolean paysAfter(double seconds) {
    return seconds >= leastSeconds && netJoules(seconds) > 0;
  }
}
