package org.calando.core.policy.gear;

/**
 * What a policy of gears remembers. Immutable and thread safe.
 *
 * <p>Times are of the loop's clock, and only their differences count: after a gap, or a restart
 * with another clock, waiting begins anew.
 *
 * @param atNanos when it last decided
 * @param gear the gear that it last decided for; 0 before the first decision
 * @param heldNanos for how long it has done so, 0 or more
 * @param easeGear the highest of the lower gears that would have done since {@code easeNanos}; 0 if
 *     the last decision wanted none lower
 * @param easeNanos for how long lower gears have done, 0 or more
 * @param history of the load; {@link LoadHistory#NONE} where the policy keeps none
 */
public record GearState(
    long atNanos, int gear, long heldNanos, int easeGear, long easeNanos, LoadHistory history) {
  /** Nothing decided yet. */
  public static final GearState INITIAL = new GearState(0, 0, 0, 0, 0, LoadHistory.NONE);

  private static final String KIND = "gears/1";
  private static final String[] FIELDS = {"at=", "gear=", "held=", "ease=", "eased=", "history="};

  public GearState {
    if (gear < 0 || heldNanos < 0 || easeGear < 0 || easeGear > gear || easeNanos < 0) {
      throw new IllegalArgumentException(
          "state of gear %d for %d ns, %d for %d ns"
              .formatted(gear, heldNanos, easeGear, easeNanos));
    }
  }

  /** The state as a line of text. */
  public String write() {
    return "%s at=%d gear=%d held=%d ease=%d eased=%d history=%s"
        .formatted(KIND, atNanos, gear, heldNanos, easeGear, easeNanos, history.write());
  }

  /**
   * The state that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static GearState read(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != FIELDS.length + 1 || !words[0].equals(KIND)) {
      throw new IllegalArgumentException("not a state of " + KIND + ": " + text);
    }
    for (int i = 0; i < FIELDS.length; i++) {
      if (!words[i + 1].startsWith(FIELDS[i])) {
        throw new IllegalArgumentException("'" + words[i + 1] + "' in the state " + text);
      }
      words[i + 1] = words[i + 1].substring(FIELDS[i].length());
    }
    return new GearState(
        Long.parseLong(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]),
        Integer.parseInt(words[4]),
        Long.parseLong(words[5]),
        LoadHistory.read(words[6]));
  }

  /**
   * As time goes on in the gear that the cluster is in; waiting goes on over gaps of at most {@code
   * maxAgeNanos}, and begins anew where somebody else has shifted.
   */
  GearState advancedTo(GearObservation observation, long maxAgeNanos) {
    long gap = observation.atNanos() - atNanos;
    boolean goesOn = gear == observation.gear() && gap >= 0 && gap <= maxAgeNanos;
    return goesOn
        ? new GearState(
            observation.atNanos(),
            gear,
            heldNanos + gap,
            easeGear,
            easeGear == 0 ? 0 : easeNanos + gap,
            history)
        : new GearState(observation.atNanos(), observation.gear(), 0, 0, 0, history);
  }

  /** With another gear wanted, or the same, and none lower. */
  GearState wanting(int newGear) {
    return new GearState(atNanos, newGear, newGear == gear ? heldNanos : 0, 0, 0, history);
  }

  /** With a lower gear that would do, beside those that did before. */
  GearState easing(int lower) {
    return new GearState(atNanos, gear, heldNanos, Math.max(easeGear, lower), easeNanos, history);
  }

  GearState with(LoadHistory newHistory) {
    return new GearState(atNanos, gear, heldNanos, easeGear, easeNanos, newHistory);
  }
}
