package org.calando.governor;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/*
 *   a knob's saving, in watts      12 ------------ 14 ---- (too old) ......... 9 ----
 *   known                          |<----------- summed ----->| unknown       |<-- summed
 *
 * A saving holds until the next one of its knob, for some periods at most: what is older is unknown. Joules count only while the saving of each knob that has a model is known; all other time of the day is unknown,
 * that before the governor began too. Savings of several knobs add up, as the models of none know of the others.
 */
/** What a cluster's knobs save against nobody setting them, today. Thread safe. */
final class SavingAccount {
  private final InstantSource clock;
  private final ZoneId zone;
  private final Map<String, Known> knobs = new TreeMap<>();
  private LocalDate day;
  private long lastNanos;
  private double known;
  private double joulesLow;
  private double joulesHigh;

  /** In watts; until when. */
  private record Known(OptionalDouble low, OptionalDouble high, long untilNanos) {}

  /**
   * Nothing is saved yet.
   *
   * @param zone whose midnight ends a day
   */
  SavingAccount(InstantSource clock, ZoneId zone, long nowNanos) {
    this.clock = clock;
    this.zone = zone;
    this.day = LocalDate.ofInstant(clock.instant(), zone);
    this.lastNanos = nowNanos;
  }

  /**
   * What a knob saves from now on.
   *
   * @param low at least, in watts, below 0 where it takes more; empty if it is not known
   * @param high at most
   * @param heldNanos so long that holds, unless something newer is heard
   */
  synchronized void saves(
      String knob, OptionalDouble low, OptionalDouble high, long heldNanos, long nowNanos) {
    advance(nowNanos);
    knobs.put(knob, new Known(low, high, nowNanos + heldNanos));
  }

  /** A knob is not set any more. */
  synchronized void ended(String knob, long nowNanos) {
    advance(nowNanos);
    knobs.remove(knob);
  }

  /** What is saved now, and was today; empty if no knob that is set has a model. */
  synchronized Optional<Saving> saving(long nowNanos) {
    advance(nowNanos);
    if (knobs.isEmpty() && known == 0) {
      return Optional.empty();
    }
    Instant begun = day.atStartOfDay(zone).toInstant();
    double passed = (clock.millis() - begun.toEpochMilli()) / 1e3;
    return Optional.of(
        new Saving(
            sum(nowNanos, true),
            sum(nowNanos, false),
            begun,
            known,
            Math.max(0, passed - known),
            joulesLow,
            joulesHigh));
  }

  private OptionalDouble sum(long nowNanos, boolean lowEnd) {
    double sum = 0;
    for (Known each : knobs.values()) {
      OptionalDouble end = lowEnd ? each.low() : each.high();
      if (end.isEmpty() || nowNanos - each.untilNanos() > 0) {
        return OptionalDouble.empty();
      }
      sum += end.getAsDouble();
    }
    return knobs.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  /** Sums up to now by what was known at the last look; a day that ended meanwhile is forgotten. */
  private void advance(long nowNanos) {
    OptionalDouble low = sum(nowNanos, true);
    OptionalDouble high = sum(nowNanos, false);
    double seconds = (nowNanos - lastNanos) / 1e9;
    lastNanos = nowNanos;
    LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
    if (!today.equals(day)) {
      double since = (clock.millis() - today.atStartOfDay(zone).toInstant().toEpochMilli()) / 1e3;
      seconds = Math.min(seconds, since);
      day = today;
      known = 0;
      joulesLow = 0;
      joulesHigh = 0;
    }
    if (low.isPresent() && high.isPresent()) {
      known += seconds;
      joulesLow += seconds * low.getAsDouble();
      joulesHigh += seconds * high.getAsDouble();
    }
  }
}
