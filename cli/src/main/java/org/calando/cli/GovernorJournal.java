package org.calando.cli;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.calando.control.DecisionJournal;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.gear.GearState;
import org.jspecify.annotations.Nullable;

/**
 * Notes a governor's decisions in the state folder, from which the next resumes; nothing in a dry
 * run. That they cannot be noted is reported once, and governing does not end for it. Not thread
 * safe.
 */
final class GovernorJournal implements BiConsumer<Decision<GearState>, String>, AutoCloseable {
  private final @Nullable DecisionJournal journal;
  private final Consumer<String> trouble;
  private boolean reported;

  private GovernorJournal(@Nullable DecisionJournal journal, Consumer<String> trouble) {
    this.journal = journal;
    this.trouble = trouble;
  }

  /**
   * Begins.
   *
   * @param what is governed
   * @param trouble takes a line
   * @throws FailedWorkException if the state folder cannot be written
   */
  static GovernorJournal of(String what, boolean dryRun, Consumer<String> trouble) {
    return new GovernorJournal(
        dryRun ? null : DecisionJournal.open(StateFolder.decisions(what)), trouble);
  }

  @Override
  public void accept(Decision<GearState> decision, String inForce) {
    if (journal != null) {
      journal.decided(decision, inForce);
      if (!reported) {
        journal
            .failure()
            .ifPresent(
                why -> {
                  reported = true;
                  trouble.accept(why);
                });
      }
    }
  }

  @Override
  public void close() {
    if (journal != null) {
      try {
        journal.close();
      } catch (FailedWorkException e) {
        // Reported when it happened.
      }
    }
  }
}
