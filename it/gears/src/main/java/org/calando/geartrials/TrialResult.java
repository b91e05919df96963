package org.calando.geartrials;

import java.util.List;

/**
 * What a trial came to. Immutable.
 *
 * @param seed of it
 * @param layout of blocks
 * @param fault that was done
 * @param files what became of what was written
 * @param hit whether the fault came while a shift was under way, or did what it is for
 * @param resumed how often a shift had to be resumed
 * @param reReplications blocks that the NameNode had copied of its own accord
 * @param trouble what else is not as it must be; empty if all is
 * @param seconds the trial took
 */
public record TrialResult(
    long seed,
    String layout,
    Fault fault,
    Files files,
    boolean hit,
    int resumed,
    long reReplications,
    String trouble,
    double seconds) {
  /**
   * Files that were written while gears were shifted.
   *
   * @param acknowledged files, each read back in each gear and at the end
   * @param bytes of these
   * @param failedWrites writes that the store refused or broke off
   * @param damage files that could not be read back whole, and why
   */
  public record Files(int acknowledged, long bytes, long failedWrites, List<String> damage) {
    /** Copies the list. */
    public Files {
      damage = List.copyOf(damage);
    }
  }

  /** Whether nothing was lost and everything is where it belongs. */
  public boolean isGood() {
    return files.damage().isEmpty() && trouble.isEmpty();
  }
}
