package org.calando.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.control.DecisionJournal;
import org.calando.control.LoopListener;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.PolicyLoop;
import org.jspecify.annotations.Nullable;

/**
 * Notes a governor's decisions in the state folder, from which the next resumes; a dry run reads
 * only. That decisions cannot be noted is reported when it begins, and governing does not end for
 * it. Not thread safe.
 */
final class GovernorJournal implements LoopListener, AutoCloseable {
  private final Path folder;
  private final @Nullable DecisionJournal journal;
  private final Consumer<String> news;
  private Optional<String> reported = Optional.empty();

  private GovernorJournal(Path folder, @Nullable DecisionJournal journal, Consumer<String> news) {
    this.folder = folder;
    this.journal = journal;
    this.news = news;
  }

  /**
   * Takes the journal of what is governed.
   *
   * @param owner in words for another governor, which is refused
   * @param news takes a line
   * @throws org.calando.core.BadRequestException if another governor has it
   * @throws org.calando.core.FailedWorkException if the state folder cannot be written
   */
  static GovernorJournal of(Path folder, String owner, boolean dryRun, Consumer<String> news) {
    return new GovernorJournal(
        folder, dryRun ? null : DecisionJournal.open(folder, owner, Instant::now), news);
  }

  /** A loop that resumes from the last decision, or begins; says which. */
  <S> PolicyLoop<S> resume(Controller<S> controller, String target) {
    DecisionJournal.Resumed<S> resumed = DecisionJournal.resume(folder, controller, target);
    news.accept(controller.name() + ' ' + resumed.words());
    return resumed.loop();
  }

  @Override
  public void decided(Decision<?> decision) {
    decided(decision, "");
  }

  @Override
  public void decided(Decision<?> decision, String inForce) {
    if (journal != null) {
      journal.decided(decision, inForce);
      Optional<String> failure = journal.failure();
      if (!failure.equals(reported)) {
        failure.ifPresent(news);
        reported = failure;
      }
    }
  }

  @Override
  public void close() {
    if (journal != null) {
      journal.close();
    }
  }
}
