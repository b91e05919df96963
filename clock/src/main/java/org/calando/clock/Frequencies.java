package org.calando.clock;

import java.util.List;
import java.util.TreeSet;

/**
 * The clocks that a processor can be set to, in kHz: its P-states, or steps of a range. Immutable
 * and thread safe.
 */
public final class Frequencies {
  /** Steps of a processor that names a range only. */
  static final long STEP_KHZ = 100_000;

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
