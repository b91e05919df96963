package org.calando.core.energy;

/**
 * Time of cores at clocks, as far as their energy needs it: {@link CorePower}. Immutable and thread
 * safe.
 *
 * @param seconds of all cores, busy and idle, 0 or more
 * @param busyAtFastest busy time, each second counted by the relative power of its clock
 * @param idleAtFastest idle time, likewise
 */
public record CoreSeconds(double seconds, double busyAtFastest, double idleAtFastest) {
  /** No time. */
  public static final CoreSeconds NONE = new CoreSeconds(0, 0, 0);

  public CoreSeconds {
    if (!(seconds >= 0 && busyAtFastest >= 0 && idleAtFastest >= 0)) {
      throw new IllegalArgumentException(
          "core time of %s s, %s s, %s s".formatted(seconds, busyAtFastest, idleAtFastest));
    }
  }

  /**
   * A core at one clock.
   *
   * @param relativePower the clock's, {@link PStates#relativePower}, 0 or more
   * @param seconds for how long it ran at it, 0 or more
   * @param busySeconds for how much of that it was busy; what clocks of processes count beyond
   *     {@code seconds} is cut off
   */
  public static CoreSeconds at(double relativePower, double seconds, double busySeconds) {
    double busy = Math.min(busySeconds, seconds);
    return new CoreSeconds(seconds, relativePower * busy, relativePower * (seconds - busy));
  }

  /** Both together. */
  public CoreSeconds plus(CoreSeconds other) {
    return new CoreSeconds(
        seconds + other.seconds,
        busyAtFastest + other.busyAtFastest,
        idleAtFastest + other.idleAtFastest);
  }

  /**
   * What came since an earlier sum, of which this is a continuation; differences below 0, which
   * only rounding makes, count as 0.
   */
  public CoreSeconds since(CoreSeconds earlier) {
    return new CoreSeconds(
        Math.max(0, seconds - earlier.seconds),
        Math.max(0, busyAtFastest - earlier.busyAtFastest),
        Math.max(0, idleAtFastest - earlier.idleAtFastest));
  }
}
