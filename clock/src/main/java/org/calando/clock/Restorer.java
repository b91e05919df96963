package org.calando.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.PlanExecutor;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/**
 * Restores what leases changed, from their journals. Again and again does no harm: what is restored
 * is noted, and a lease of which nothing is left loses its journal. Thread safe.
 */
public final class Restorer {
  /** What to do with knobs that somebody else has changed since, or that cannot be restored. */
  public enum Mode {
    /** Leave and tell what somebody else has changed; keep in the journal what is not restored. */
    RESTORE,
    /** Restore it all the same. */
    FORCE,
    /** Restore nothing, and drop the journals. */
    GIVE_UP
  }

  private static final String ANEW = "the machine has started anew since";
  private static final String BY_ORDER = "by order";
  private static final LastWritten.Content NOTHING_WRITTEN = new LastWritten.Content("", Map.of());
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Machine machine;
  private final Mode mode;
  private final boolean dryRun;

  /**
   * A restorer.
   *
   * @param machine of which only the way to files, processes and threads is used: journals name
   *     theirs in full
   * @param mode what to do where restoring is not as simple
   * @param dryRun whether to tell only
   */
  public Restorer(Machine machine, Mode mode, boolean dryRun) {
    this.machine = machine;
    this.mode = mode;
    this.dryRun = dryRun;
  }

  /** All leases of a folder whose owners have ended; waits for a guard that is at work. */
  public RestoreReport restoreAll(LeaseFolders folders) {
    RestoreReport report = new RestoreReport(List.of());
    for (Path journal : folders.all()) {
      report = report.with(restore(journal));
    }
    return report;
  }

  /** One lease. An owner that lives keeps it; what was just killed is waited for. */
  public RestoreReport restore(Path file) {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (Files.exists(file)) {
      Optional<Journal> journal;
      try {
        journal = Journal.openIfFree(file);
      } catch (FailedWorkException e) {
        return unreadable(file, e);
      }
      boolean lives = LeaseFolders.ownerLives(file, machine.proc());
      if (journal.isPresent()) {
        try (Journal free = journal.get()) {
          // One that its owner has made and is about to open has nothing in it yet.
          if (!lives || !free.entries().isEmpty()) {
            return restore(file, free);
          }
        }
      }
      if (lives || System.nanoTime() - deadline >= 0) {
        return one(file, State.IN_USE, lives ? "its owner lives" : "it is being restored");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return new RestoreReport(List.of());
  }

  /** One that tells nothing: how the clocks were is not guessed. */
  private RestoreReport unreadable(Path file, FailedWorkException why) {
    boolean anew = startedAnew(lastWrittenIfWhole(file).bootId());
    if (mode != Mode.GIVE_UP && !anew) {
      return one(
          file,
          State.LEFT,
          why.getMessage()
              + "\n  Clocks may still be as an ended command set them. Set governor and limits by"
              + " hand (cpufreq/policy*/scaling_*), then ./calando restore --give-up");
    }
    if (dryRun) {
      return one(file, State.GIVEN_UP, "would be given up");
    }
    return one(file, State.GIVEN_UP, (anew ? ANEW : BY_ORDER) + "; kept as " + setAside(file));
  }

  private RestoreReport restore(Path file, Journal journal) {
    LastWritten.Content last;
    try {
      last = lastWritten(file);
    } catch (FailedWorkException e) {
      if (mode == Mode.RESTORE) {
        return left(file, journal, String.valueOf(e.getMessage()));
      }
      last = NOTHING_WRITTEN;
    }
    boolean anew = startedAnew(last.bootId());
    List<Item> items = new ArrayList<>();
    List<JournalEntry> open = new ArrayList<>(journal.open());
    // The newest first: threads that were moved twice go back by way of the second move.
    java.util.Collections.reverse(open);
    for (JournalEntry entry : open) {
      items.add(restore(file, journal, entry, last, anew));
    }
    if (!dryRun && journal.open().isEmpty()) {
      delete(file);
    }
    return new RestoreReport(items);
  }

  private Item restore(
      Path file, Journal journal, JournalEntry entry, LastWritten.Content last, boolean anew) {
    PlanExecutor executor = new PlanExecutor(journal, Instant::now);
    boolean giveUp = mode == Mode.GIVE_UP || anew;
    if (dryRun) {
      return giveUp
          ? item(file, entry, State.GIVEN_UP, "would be given up")
          : item(file, entry, State.WOULD_RESTORE, entry.before());
    }
    if (giveUp) {
      executor.giveUp(entry);
      return item(file, entry, State.GIVEN_UP, anew ? ANEW : BY_ORDER);
    }
    try {
      executor.takeBack(plan(entry, last), entry);
      return item(file, entry, State.RESTORED, entry.before());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return item(file, entry, State.LEFT, "interrupted");
    } catch (FailedWorkException | IllegalArgumentException e) {
      return item(file, entry, State.LEFT, String.valueOf(e.getMessage()));
    }
  }

  /** The plan as it was made, of the words in the journal. */
  private Plan plan(JournalEntry entry, LastWritten.Content last) {
    boolean force = mode == Mode.FORCE;
    if (entry.knob().equals(PolicyKnob.ID.name())) {
      Knob<PolicySettings> knob =
          new PolicyKnob(machine.files(), Path.of(entry.target()), last.of(entry.plan()), force);
      return knob.plan(PolicySettings.parse(entry.before()), PolicySettings.parse(entry.value()));
    }
    if (entry.knob().equals(ThreadsKnob.ID.name())) {
      Knob<ThreadCpus> knob = ThreadsKnob.of(machine, entry.target(), force);
      return knob.plan(ThreadCpus.parse(entry.before()), ThreadCpus.parse(entry.value()));
    }
    throw new IllegalArgumentException("there is no knob " + entry.knob());
  }

  private static LastWritten.Content lastWritten(Path journal) {
    Path file = LastWritten.beside(journal);
    try {
      return LastWritten.read(file).orElse(NOTHING_WRITTEN);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e.getMessage(),
          file.toString(),
          "it tells whether somebody else has changed clocks since; ./calando restore --force"
              + " restores them all the same",
          e);
    }
  }

  private static LastWritten.Content lastWrittenIfWhole(Path journal) {
    try {
      return lastWritten(journal);
    } catch (FailedWorkException e) {
      return NOTHING_WRITTEN;
    }
  }

  private boolean startedAnew(String bootId) {
    String now = machine.proc().bootId();
    return !bootId.isEmpty() && !now.isEmpty() && !bootId.equals(now);
  }

  /** Moves a journal that cannot be read out of the way, for people. */
  private static Path setAside(Path journal) {
    Path aside = journal.resolveSibling(journal.getFileName() + ".damaged");
    try {
      Files.move(journal, aside, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(LastWritten.beside(journal));
      return aside;
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be moved away: " + e.getMessage(), journal.toString(), "move it by hand", e);
    }
  }

  /** Removes a journal of which nothing is open. */
  static void delete(Path journal) {
    try {
      Files.deleteIfExists(LastWritten.beside(journal));
      Files.deleteIfExists(journal);
    } catch (IOException e) {
      throw new FailedWorkException(
          "is restored and cannot be removed: " + e.getMessage(),
          journal.toString(),
          "remove it by hand",
          e);
    }
  }

  private static RestoreReport left(Path file, Journal journal, String detail) {
    return new RestoreReport(
        journal.open().stream().map(entry -> item(file, entry, State.LEFT, detail)).toList());
  }

  /** A lease as a whole. */
  private static RestoreReport one(Path file, State state, String detail) {
    String name = String.valueOf(file.getFileName());
    return new RestoreReport(List.of(new Item(name, Item.WHOLE_LEASE, name, state, detail)));
  }

  private static Item item(Path file, JournalEntry entry, State state, String detail) {
    return new Item(
        String.valueOf(file.getFileName()), entry.knob(), entry.target(), state, detail);
  }
}
