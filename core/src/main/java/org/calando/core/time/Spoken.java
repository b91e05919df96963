package org.calando.core.time;

import java.time.Duration;
import java.util.Locale;

/** Times as people say them. Stateless. */
public final class Spoken {
  private Spoken() {}

  /** A time: {@code 45 s}, {@code 3 min 20 s}, {@code 2 h 5 min}; 0 s if it is negative. */
  public static String of(Duration time) {
    long seconds = Math.max(0, Math.round(time.toMillis() / 1000.0));
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return String.format(Locale.ROOT, "%d min %d s", seconds / 60, seconds % 60);
    }
    return String.format(Locale.ROOT, "%d h %d min", seconds / 3600, seconds / 60 % 60);
  }
}
