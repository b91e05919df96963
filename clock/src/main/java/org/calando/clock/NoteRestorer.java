package org.calando.clock;

import java.util.Optional;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.clock.Restorer.Mode;
import org.calando.control.KnobOwner;

/**
 * Restores knobs by what their owners noted, where journals do not tell enough. Thread safe.
 *
 * @param notes the notes
 * @param knobs the plans of knobs
 * @param mode what to do where restoring is not as simple
 * @param dryRun whether to tell only
 */
record NoteRestorer(OwnerNotes notes, LeasedKnobs knobs, Mode mode, boolean dryRun) {
  /** Why a knob is left to somebody. */
  static final String OTHER_OWNER = "it has another owner by now";

  /** Restores a knob; whoever has taken it since keeps it. */
  Item restore(OwnerNote note) {
    boolean giveUp = mode == Mode.GIVE_UP;
    if (dryRun) {
      return giveUp
          ? note.item(State.GIVEN_UP, "would be abandoned")
          : note.item(State.WOULD_RESTORE, note.before());
    }
    try {
      Optional<KnobOwner> free = notes.inherit(note.knob(), note.target());
      if (free.isEmpty() || !restore(note, free.get())) {
        return note.item(State.IN_USE, OTHER_OWNER);
      }
      return giveUp
          ? note.item(State.GIVEN_UP, "by order")
          : note.item(State.RESTORED, note.before());
    } catch (RuntimeException e) {
      // Whatever a client of a cluster throws: others are restored all the same.
      return note.item(State.LEFT, String.valueOf(e.getMessage()));
    }
  }

  private boolean restore(OwnerNote note, KnobOwner owner) {
    try (owner) {
      if (!OwnerNote.read(note.file(), owner.former()).equals(Optional.of(note))) {
        return false;
      }
      if (mode != Mode.GIVE_UP) {
        knobs.undo(note);
      }
      owner.release();
      return true;
    }
  }
}
