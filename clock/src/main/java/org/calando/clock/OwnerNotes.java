package org.calando.clock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.KnobOwner;
import org.calando.core.FailedWorkException;

/** What owners of knobs noted in the machine-wide folder. Thread safe. */
final class OwnerNotes {
  /** The kernel ends the locks of a process that dies one by one. */
  private static final long DIES_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Path folder;
  private final ProcFs proc;

  OwnerNotes(Path folder, ProcFs proc) {
    this.folder = folder;
    this.proc = proc;
  }

  /**
   * What the folder holds.
   *
   * @param left what owners left that have ended
   * @param inUse what those have that live
   * @param faults files that cannot be read
   */
  record Found(List<OwnerNote> left, List<OwnerNote> inUse, List<Item> faults) {
    Found {
      left = List.copyOf(left);
      inUse = List.copyOf(inUse);
      faults = List.copyOf(faults);
    }

    /** What is of a knob, and all faults. */
    Found of(String knob, String target) {
      Predicate<OwnerNote> same = note -> note.knob().equals(knob) && note.target().equals(target);
      return new Found(
          left.stream().filter(same).toList(), inUse.stream().filter(same).toList(), faults);
    }

    /** What was left by the owner of a journal. */
    List<OwnerNote> leftBy(Path journal) {
      return left.stream().filter(note -> note.journal().equals(journal)).toList();
    }
  }

  /** Reads all of this start of the machine. */
  Found find() {
    List<OwnerNote> left = new ArrayList<>();
    List<OwnerNote> inUse = new ArrayList<>();
    List<Item> faults = new ArrayList<>();
    for (Path file : KnobOwner.files(folder)) {
      try {
        Optional<OwnerNote> note = OwnerNote.read(file, KnobOwner.peek(file));
        if (note.isPresent() && isOwned(file, note.get())) {
          inUse.add(note.get());
        } else if (note.isPresent() && !note.get().isVoid(proc)) {
          left.add(note.get());
        }
      } catch (FailedWorkException e) {
        String name = String.valueOf(file.getFileName());
        faults.add(new Item(name, "owner", name, State.LEFT, String.valueOf(e.getMessage())));
      }
    }
    return new Found(left, inUse, faults);
  }

  /** Who may not open the file can still see whether its process runs. */
  private boolean isOwned(Path file, OwnerNote note) {
    try {
      Optional<KnobOwner> free = KnobOwner.inherit(file);
      free.ifPresent(KnobOwner::close);
      return free.isEmpty();
    } catch (FailedWorkException e) {
      return note.ownerLives(proc);
    }
  }

  /** What is noted of a knob by the owner of a journal. */
  Optional<OwnerNote> of(String knob, String target, Path journal) {
    Path file = KnobOwner.file(folder, knob, target);
    return Files.exists(file)
        ? OwnerNote.read(file, KnobOwner.peek(file))
            .filter(note -> note.journal().equals(journal) && !note.isVoid(proc))
        : Optional.empty();
  }

  /** Takes a knob that has no owner any more; nothing if it has another one by now. */
  Optional<KnobOwner> inherit(String knob, String target) {
    Path file = KnobOwner.file(folder, knob, target);
    long deadline = System.nanoTime() + DIES_NANOS;
    while (Files.exists(file)) {
      Optional<KnobOwner> free = KnobOwner.inherit(file);
      if (free.isPresent() || System.nanoTime() - deadline >= 0) {
        return free;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return Optional.empty();
  }

  /** Whether somebody owns a knob now. */
  boolean isOwned(String knob, String target) {
    if (!Files.exists(KnobOwner.file(folder, knob, target))) {
      return false;
    }
    Optional<KnobOwner> free = inherit(knob, target);
    free.ifPresent(KnobOwner::close);
    return free.isEmpty();
  }

  /** Forgets what the owner of a journal noted of a knob. */
  void forget(String knob, String target, Path journal) {
    if (of(knob, target, journal).isPresent()) {
      inherit(knob, target).ifPresent(owner -> release(owner, target, journal));
    }
  }

  private static void release(KnobOwner owner, String target, Path journal) {
    try (owner) {
      if (OwnerNote.read(journal, owner.former())
          .filter(note -> note.journal().equals(journal) && note.target().equals(target))
          .isPresent()) {
        owner.release();
      }
    }
  }
}
