package org.calando.concerto.trials;

import java.util.List;

/**
 * What a trial of the governor's service came to. Immutable.
 *
 * @param seed of it
 * @param sentinels whether Sentinels choose a new master
 * @param gears whether the governor had an HDFS to shift to another gear beside
 * @param faults in the order drawn
 * @param governedSeconds longest time from the end of the faults of a phase until the clocks were
 *     as the roles want them
 * @param restoredSeconds from the last fault at the governor's end until all was as before
 * @param restores commands to restore that something was left to
 * @param damage what is not as it must be, a sentence each
 * @param seconds the trial took
 */
public record ServiceTrialResult(
    long seed,
    boolean sentinels,
    boolean gears,
    List<Done> faults,
    double governedSeconds,
    double restoredSeconds,
    int restores,
    List<String> damage,
    double seconds) {
  /**
   * A fault.
   *
   * @param fault which
   * @param phase when
   * @param words to what, when and for how long
   * @param hit whether it was done: a full disk needs one that can be mounted, and whoever has
   *     ended cannot be killed
   */
  public record Done(ServiceFault fault, ServiceFault.Phase phase, String words, boolean hit) {}

  /** Copies the lists. */
  public ServiceTrialResult {
    faults = List.copyOf(faults);
    damage = List.copyOf(damage);
  }

  /** Whether all was as it must be. */
  public boolean isGood() {
    return damage.isEmpty();
  }
}
