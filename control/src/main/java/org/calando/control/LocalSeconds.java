package org.calando.control;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** The calendar of whoever uses a cluster, for policies that know days and weeks. Stateless. */
public final class LocalSeconds {
  /**
   * Some Monday's 00:00: it grows from week to week, or what was learnt would end with the first.
   */
  private static final LocalDateTime MONDAY = LocalDateTime.of(1970, 1, 5, 0, 0);

  private LocalSeconds() {}

  /** Seconds of this machine's local time, now. */
  public static long now() {
    return of(LocalDateTime.now(ZoneId.systemDefault()));
  }

  /** Seconds of a local time since that Monday; 0 before it. */
  static long of(LocalDateTime time) {
    return Math.max(0, ChronoUnit.SECONDS.between(MONDAY, time));
  }
}
