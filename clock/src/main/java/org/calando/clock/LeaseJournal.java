package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.PlanExecutor;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/** The files of one lease, and the plans that they tell. Not thread safe. */
final class LeaseJournal {
  private static final int OPEN_ATTEMPTS = 100;
  private static final long OPEN_PAUSE_NANOS = 10_000_000;

  private final Machine machine;
  private final Path file;
  private final LastWritten lastWritten;
  private final Journal journal;
  private final PlanExecutor executor;
  private boolean ended;

  /**
   * Makes the files.
   *
   * @throws FailedWorkException if they cannot be written
   */
  LeaseJournal(Machine machine, Path file) {
    this.machine = machine;
    this.file = file;
    this.lastWritten = LastWritten.create(LastWritten.beside(file), machine.proc().bootId());
    this.journal = open(file);
    this.executor = new PlanExecutor(journal, Instant::now);
  }

  /** Whoever restores may look into the new file for a moment. */
  private static Journal open(Path file) {
    for (int i = 0; i < OPEN_ATTEMPTS; i++) {
      Optional<Journal> journal = Journal.openIfFree(file);
      if (journal.isPresent()) {
        return journal.get();
      }
      LockSupport.parkNanos(OPEN_PAUSE_NANOS);
    }
    return Journal.open(file);
  }

  Path file() {
    return file;
  }

  /** Notes a policy's clock, for the plan of that number. */
  void put(long plan, LastWritten.Clock clock) throws IOException {
    lastWritten.put(plan, clock);
  }

  /** Carries a plan out; what it changes is on the disk before. */
  JournalEntry execute(Plan plan, String before, Knob.Lifetime lifetime) {
    try {
      return executor.execute(plan, before, lifetime);
    } catch (InterruptedException e) {
      throw interrupted(plan, e);
    }
  }

  /** Takes a plan back, with what was written since it was made. */
  void takeBack(Plan plan, JournalEntry last) {
    try {
      executor.takeBack(
          plan.knob().equals(PolicyKnob.ID.name()) ? withLastWritten(last) : plan, last);
    } catch (InterruptedException e) {
      throw interrupted(plan, e);
    }
  }

  /** Whether something of a knob is neither wholly taken back nor given up. */
  boolean isOpen(Knob<?> knob) {
    return journal.open().stream()
        .anyMatch(
            entry -> entry.knob().equals(knob.id().name()) && entry.target().equals(knob.target()));
  }

  /** Ends a plan where it is. */
  void giveUp(JournalEntry last) {
    executor.giveUp(last);
  }

  /** Gives the files back, and removes them if nothing in them is open. */
  void end() {
    if (!ended) {
      ended = true;
      lastWritten.close();
      if (journal.open().isEmpty()) {
        LeaseFolders.delete(file);
      }
      journal.close();
    }
  }

  /** Gives the files back as they are. */
  void abandon() {
    if (!ended) {
      ended = true;
      lastWritten.close();
      journal.close();
    }
  }

  private Plan withLastWritten(JournalEntry last) {
    return new PolicyKnob(machine.files(), Path.of(last.target()), lastWritten(last.plan()), false)
        .plan(PolicySettings.parse(last.before()), PolicySettings.parse(last.value()));
  }

  /** What only this owner writes; if it is damaged the clock goes back all the same. */
  private Optional<LastWritten.Clock> lastWritten(long plan) {
    try {
      return LastWritten.read(LastWritten.beside(file)).flatMap(content -> content.of(plan));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static FailedWorkException interrupted(Plan plan, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new FailedWorkException(
        "interrupted", "knob " + plan.knob() + " of " + plan.target(), "./calando restore", e);
  }
}
