package org.calando.gears;

import java.util.Locale;

/**
 * What a catch-up came to. Immutable.
 *
 * @param transfers carried out
 * @param bytes copied
 * @param predicted bytes before it began
 * @param copySeconds from its beginning until the last copy was checked and reported
 * @param seconds in all, until the store had let the old replicas go and all was looked at again
 */
public record CatchUpTotals(
    long transfers, long bytes, long predicted, double copySeconds, double seconds) {
  private static final double MEGA = 1e6;

  /** The same for people. */
  String words() {
    return String.format(
        Locale.ROOT,
        "brought home %d replicas, %.1f MB (predicted %.1f MB), in %.1f s",
        transfers,
        bytes / MEGA,
        predicted / MEGA,
        seconds);
  }
}
