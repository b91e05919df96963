package org.calando.clock;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/**
 * The clocks that a processor can be set to, in kHz: its P-states, or steps of a range. Immutable
 * and thread safe.
 */
public final class Frequencies {
  /** Steps of a processor that names a range only. */
  static final long STEP_KHZ = 100_000;

  private static final Pattern VALUE =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(|khz|mhz|ghz)");
  private static final Pattern P_STATE = Pattern.compile("p(\\d{1,3})");

  private final List<Long> ascending;

  private Frequencies(List<Long> ascending) {
    this.ascending = ascending;
  }

  /**
   * Those that are listed.
   *
   * @throws IllegalArgumentException if there is none, or one is not above 0
   */
  public static Frequencies of(Iterable<Long> kiloHertz) {
    TreeSet<Long> sorted = new TreeSet<>();
    kiloHertz.forEach(sorted::add);
    if (sorted.isEmpty() || sorted.first() <= 0) {
      throw new IllegalArgumentException("no clocks: " + sorted);
    }
    return new Frequencies(List.copyOf(sorted));
  }

  /**
   * Both ends of a range, and every 100 MHz between.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Frequencies between(long minKHz, long maxKHz) {
    if (minKHz <= 0 || maxKHz < minKHz || maxKHz / STEP_KHZ > 1000) {
      throw new IllegalArgumentException("no range of clocks: " + minKHz + " to " + maxKHz);
    }
    TreeSet<Long> steps = new TreeSet<>(List.of(minKHz, maxKHz));
    for (long at = (minKHz / STEP_KHZ + 1) * STEP_KHZ; at < maxKHz; at += STEP_KHZ) {
      steps.add(at);
    }
    return of(steps);
  }

  /** All, the lowest first. */
  public List<Long> all() {
    return ascending;
  }

  /** The lowest. */
  public long lowest() {
    return ascending.get(0);
  }

  /** The highest, which is P0. */
  public long highest() {
    return ascending.get(ascending.size() - 1);
  }

  /** The lowest that is no slower than what is asked for; the highest where none is. */
  public long atLeast(long kiloHertz) {
    for (long frequency : ascending) {
      if (frequency >= kiloHertz) {
        return frequency;
      }
    }
    return highest();
  }

  /**
   * Reads a clock: {@code 1800000} (kHz), {@code 1800MHz}, {@code 1.8GHz}, {@code P0} for the
   * highest and {@code P1} for the next, {@code lowest} or {@code highest}.
   *
   * @param where what to name in an error
   * @return kHz as asked for, which need not be one of these
   * @throws BadRequestException if it is none
   */
  public long parse(String text, String where) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.equals("lowest")) {
      return lowest();
    }
    if (word.equals("highest")) {
      return highest();
    }
    Matcher state = P_STATE.matcher(word);
    if (state.matches()) {
      int number = Integer.parseInt(state.group(1));
      if (number < ascending.size()) {
        return ascending.get(ascending.size() - 1 - number);
      }
      throw new BadRequestException(
          "there is no P-state P" + number, where, "use P0 to P" + (ascending.size() - 1));
    }
    Matcher value = VALUE.matcher(word);
    if (value.matches()) {
      BigDecimal scale =
          new BigDecimal(
              value.group(2).equals("ghz") ? 1_000_000 : value.group(2).equals("mhz") ? 1_000 : 1);
      long kiloHertz = new BigDecimal(value.group(1)).multiply(scale).longValue();
      if (kiloHertz > 0) {
        return kiloHertz;
      }
    }
    throw new BadRequestException(
        "is no clock: '" + text + "'", where, "write 1800MHz, 1.8GHz, P0, lowest or highest");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Frequencies those && those.ascending.equals(ascending);
  }

  @Override
  public int hashCode() {
    return ascending.hashCode();
  }

  @Override
  public String toString() {
    return ascending + " kHz";
  }
}
