package org.calando.core.policy.buffer;

import java.util.Locale;

/** Figures in reasons, alike on every machine. */
final class BufferWords {
  private BufferWords() {}

  /** {@code 80 ms}, with one decimal below 10 ms. */
  static String time(double nanos) {
    double millis = nanos / 1e6;
    String pattern = millis < 10 && millis != Math.rint(millis) ? "%.1f ms" : "%.0f ms";
    return String.format(Locale.ROOT, pattern, millis);
  }

  /** {@code 5000/s}, with one decimal below 10. */
  static String rate(double perSecond) {
    String pattern = perSecond < 10 && perSecond != Math.rint(perSecond) ? "%.1f/s" : "%.0f/s";
    return String.format(Locale.ROOT, pattern, perSecond);
  }
}
