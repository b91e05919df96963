package org.calando.clock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.JournalEntry;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/*
 * How a knob was is told twice: in the journal, in a folder of the owner's, and in the note of the
 * knob's owner, in memory and in one place for all of the machine. By the notes the journals of all
 * owners are found; and as they need no disk, they are believed before the journal, and stand in
 * for one that is gone.
 */
/**
 * Restores what leases changed, from their journals and their owners' notes. Again and again does
 * no harm: what is restored is noted, and a lease of which nothing is left loses its journal.
 * Thread safe.
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

  private static final String RESTARTED = "the machine has restarted since";
  private static final String BY_ORDER = "by order";
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Machine machine;
  private final LeaseFolders folders;
  private final OwnerNotes notes;
  private final LeasedKnobs knobs;
  private final NoteRestorer byNote;
  private final Mode mode;
  private final boolean dryRun;

  /**
   * A restorer.
   *
   * @param machine of which only the way to files, processes and threads is used: journals name
   *     theirs in full
   * @param folders where leases are noted
   * @param mode what to do where restoring is not as simple
   * @param dryRun whether to tell only
   */
  public Restorer(Machine machine, LeaseFolders folders, Mode mode, boolean dryRun) {
    this.machine = machine;
    this.folders = folders;
    this.notes = new OwnerNotes(folders.owners(), machine.proc());
    this.knobs = new LeasedKnobs(machine, mode == Mode.FORCE);
    this.byNote = new NoteRestorer(notes, knobs, mode, dryRun);
    this.mode = mode;
    this.dryRun = dryRun;
  }

  /**
   * All leases whose owners have ended: of the folder of journals, and those that other users and
   * state folders left of this machine. Waits for a guard that is at work.
   *
   * @throws BadRequestException if others than the folder's owner may write the owners' notes
   */
  public RestoreReport restoreAll() {
    folders.requireTrusted();
    return restore(notes.find(), folders.all());
  }

  /** As {@link #restoreAll}, of the leases that name a knob, or cannot be read. */
  RestoreReport restoreOf(String knob, String target) {
    folders.requireTrusted();
    return restore(
        notes.find().of(knob, target),
        folders.all().stream().filter(journal -> mayName(journal, knob, target)).toList());
  }

  private static boolean mayName(Path journal, String knob, String target) {
    try {
      return Lease.unfinished(journal).stream()
          .anyMatch(entry -> entry.knob().equals(knob) && entry.target().equals(target));
    } catch (FailedWorkException e) {
      return true;
    }
  }

  private RestoreReport restore(OwnerNotes.Found found, List<Path> ofFolder) {
    Set<Path> journals = new LinkedHashSet<>(ofFolder);
    found.left().forEach(note -> journals.add(note.journal()));
    RestoreReport report = new RestoreReport(found.faults());
    Map<Path, RestoreReport> told = new HashMap<>();
    for (Path journal : journals) {
      RestoreReport lease = restore(journal);
      told.put(journal, lease);
      report = report.with(lease);
    }
    for (OwnerNote note : found.left()) {
      @Nullable RestoreReport lease = told.get(note.journal());
      if (lease == null || !lease.tells(note)) {
        report = report.with(new RestoreReport(List.of(byNote.restore(note))));
      }
    }
    for (OwnerNote note : found.inUse()) {
      if (journals.add(note.journal())) {
        report = report.with(one(note.journal(), State.IN_USE, note.words()));
      }
    }
    return report;
  }

  /** One lease. An owner that lives keeps it; what was just killed is waited for. */
  public RestoreReport restore(Path file) {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (Files.exists(file)) {
      Optional<Lease> lease;
      try {
        lease = Lease.left(file);
      } catch (FailedWorkException e) {
        return unreadable(file, e);
      }
      boolean lives = LeaseFolders.ownerLives(file, machine.proc());
      if (lease.isPresent()) {
        try (Lease free = lease.get()) {
          // One that its owner has made and is about to open has nothing in it yet.
          if (!lives || !free.isEmpty()) {
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

  /** A journal that tells nothing: what the knobs are now is not taken for what they were. */
  private RestoreReport unreadable(Path file, FailedWorkException why) {
    String what = String.valueOf(why.getMessage()).lines().findFirst().orElse("");
    List<OwnerNote> noted = notes.find().leftBy(file);
    boolean restarted = restarted(file) && noted.isEmpty();
    RestoreReport report = new RestoreReport(List.of());
    if (mode == Mode.GIVE_UP || (mode == Mode.FORCE && !noted.isEmpty()) || restarted) {
      for (OwnerNote note : noted) {
        report = report.with(new RestoreReport(List.of(byNote.restore(note))));
      }
      if (dryRun && noted.isEmpty()) {
        return one(file, State.GIVEN_UP, "would be abandoned");
      }
      if (!dryRun && report.ok()) {
        Path kept = LeaseFolders.setAside(file);
        report = report.with(one(file, State.GIVEN_UP, what + "; kept as " + kept));
      }
      return report;
    }
    if (noted.isEmpty()) {
      return one(
          file,
          State.LEFT,
          what
              + "\n  remedy: set "
              + (folders.areOfClusters()
                  ? "the knobs that it names by hand"
                  : "governor and limits by hand (cpufreq/policy*/scaling_*)")
              + ", then ./calando restore --abandon");
    }
    String remedy = "\n  remedy: ./calando restore --force restores what its owner recorded: ";
    return new RestoreReport(
        noted.stream().map(note -> note.item(State.LEFT, what + remedy + note.before())).toList());
  }

  private RestoreReport restore(Path file, Lease journal) {
    LastWritten.Content last;
    try {
      last = LeaseFolders.lastWritten(file);
    } catch (FailedWorkException e) {
      if (mode == Mode.RESTORE) {
        return left(file, journal, String.valueOf(e.getMessage()));
      }
      last = LastWritten.NOTHING;
    }
    // A note is of this start of the machine.
    boolean restarted = restarted(last.bootId()) && notes.find().leftBy(file).isEmpty();
    List<Item> items = new ArrayList<>();
    List<JournalEntry> open = new ArrayList<>(journal.open());
    // The newest first: threads that were moved twice go back by way of the second move.
    java.util.Collections.reverse(open);
    // A knob that was set twice has one note.
    Map<String, OwnerNote> noted = new HashMap<>();
    for (JournalEntry entry : open) {
      if (mode == Mode.GIVE_UP || restarted || dryRun) {
        items.add(giveUp(file, journal, entry, restarted));
      } else {
        items.add(restore(file, journal, entry, last, noted));
      }
    }
    if (!dryRun && journal.open().isEmpty()) {
      LeaseFolders.delete(file);
    }
    return new RestoreReport(items);
  }

  private Item giveUp(Path file, Lease journal, JournalEntry entry, boolean restarted) {
    boolean giveUp = mode == Mode.GIVE_UP || restarted;
    if (dryRun) {
      return giveUp
          ? item(file, entry, State.GIVEN_UP, "would be abandoned")
          : item(file, entry, State.WOULD_RESTORE, entry.before());
    }
    journal.giveUp(entry);
    try {
      notes.forget(entry.knob(), entry.target(), file);
    } catch (FailedWorkException e) {
      return item(file, entry, State.LEFT, String.valueOf(e.getMessage()));
    }
    return item(file, entry, State.GIVEN_UP, restarted ? RESTARTED : BY_ORDER);
  }

  private Item restore(
      Path file,
      Lease journal,
      JournalEntry entry,
      LastWritten.Content last,
      Map<String, OwnerNote> noted) {
    try {
      if (notes.isOwned(entry.knob(), entry.target())) {
        return item(file, entry, State.IN_USE, NoteRestorer.OTHER_OWNER);
      }
      notes
          .of(entry.knob(), entry.target(), file)
          .ifPresent(note -> noted.put(entry.target(), note));
      @Nullable OwnerNote note = noted.get(entry.target());
      String before = note == null ? entry.before() : note.before();
      LastClock clock = LastClock.left(file, entry.plan(), last);
      Plan plan = knobs.plan(entry.knob(), entry.target(), before, entry.value(), clock);
      journal.takeBack(plan, entry);
      if (note != null
          && (!knobs.isAsBefore(note) || knobs.isAsLeft(note, last.of(entry.plan())))) {
        // The journal tells of less than was done.
        return byNote.restore(note);
      }
      notes.forget(entry.knob(), entry.target(), file);
      return item(file, entry, State.RESTORED, before);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return item(file, entry, State.LEFT, "interrupted");
    } catch (RuntimeException e) {
      // Whatever a client of a cluster throws: others are restored all the same.
      return item(file, entry, State.LEFT, String.valueOf(e.getMessage()));
    }
  }

  private boolean restarted(Path journal) {
    try {
      return restarted(LeaseFolders.lastWritten(journal).bootId());
    } catch (FailedWorkException e) {
      return false;
    }
  }

  private boolean restarted(String bootId) {
    String now = machine.proc().bootId();
    return !bootId.isEmpty() && !now.isEmpty() && !bootId.equals(now);
  }

  private static RestoreReport left(Path file, Lease journal, String detail) {
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
