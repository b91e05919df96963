package org.calando.plan;

/**
 * What a cluster may be set to, or what sets it. Immutable.
 *
 * @param words for people: {@code ONE, gear 2, 1.8 GHz}
 * @param control as an item of {@code matrix.control}
 * @param kind what of it is held
 * @param gear the gear; of a policy that shifts gears the lowest that it may come to; 0 where a
 *     controller keeps what is promised of gears
 * @param clock index into the clocks of the cluster; 0 where a controller sets them
 * @param replicas that reads ask, as many as make them fresh where a policy chooses; 0 if that is
 *     not known
 */
record Setting(String words, String control, Kind kind, int gear, int clock, int replicas) {
  /** What of a setting is held. */
  enum Kind {
    /** All of it. */
    HELD,
    /** Gear and clock; a policy chooses the level of reads, whatever nodes draw. */
    READS,
    /** What it decides may depend on what nodes draw. */
    POLICY,
    /** One controller of all knobs. */
    JOINT
  }

  boolean isJoint() {
    return kind == Kind.JOINT;
  }

  /** Whether it does the same whatever nodes draw. */
  boolean isBlindToPower() {
    return kind == Kind.HELD || kind == Kind.READS;
  }
}
