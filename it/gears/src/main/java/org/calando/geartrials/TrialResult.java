package org.calando.geartrials;

import java.util.List;

/**
 * What a trial came to. Immutable.
 *
 * @param seed of it
 * @param layout of blocks
 * @param fault that was done
 * @param files acknowledged, each read back in each gear and at the end
 * @param bytes of these
 * @param hit whether the fault came while a shift was under way, or did what it is for
 * @param resumed how often a shift had to be resumed
 * @param failedWrites writes that the store refused or broke off
 * @param reReplications blocks that the NameNode had copied of its own accord
 * @param damage files that could not be read back whole, and why
 * @param trouble what else is not as it must be; empty if all is
 * @param seconds the trial took
 */
public record TrialResult(
    long seed,
    String layout,
    Fault fault,
    int files,
    long bytes,
    boolean hit,
    int resumed,
    long failedWrites,
    long reReplications,
    List<String> damage,
    String trouble,
    double seconds) {
  public TrialResult {
    damage = List.copyOf(damage);
  }

  /** Whether nothing was lost and everything is where it belongs. */
  public boolean isGood() {
    return damage.isEmpty() && trouble.isEmpty();
  }
}
