package org.calando.clock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.store.KnobNotes;
import org.calando.core.store.KnobNotes.Note;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobTypes;

/*
 * Journals, owners and guards are of one machine. Where that is lost, a note in the cluster is what is left: the same
 * words as in a journal, there before the knob is set and gone when it is as before. The guard of a killed process knows
 * of no notes, so one may be there though the knob is restored, and set by hand since: only what still is as its owner
 * set it goes back.
 */
/** Knobs as they are noted in their cluster for successors on other machines. Thread safe. */
final class HandedOver {
  private final KnobNotes notes;
  private final Consumer<String> told;

  // Guarded by this.
  private final Map<Knob<?>, Note> noted = new LinkedHashMap<>();
  private final Map<Knob<?>, String> inForce = new HashMap<>();

  /**
   * Reads nothing yet.
   *
   * @param told takes lines for people
   */
  HandedOver(KnobNotes notes, Consumer<String> told) {
    this.notes = notes;
    this.told = told;
  }

  /**
   * Restores what governors have left that ended without that.
   *
   * @param own makes this process a knob's owner
   * @throws FailedWorkException if a knob cannot be restored
   */
  void restore(Consumer<Knob<?>> own) throws InterruptedException {
    for (Note note : notes.left()) {
      try {
        restore(note, own);
      } catch (FailedWorkException e) {
        throw notRestored(note, e.what(), e);
      } catch (IllegalArgumentException e) {
        throw notRestored(note, String.valueOf(e.getMessage()), e);
      }
      notes.forget(note);
    }
  }

  private void restore(Note note, Consumer<Knob<?>> own) throws InterruptedException {
    KnobAxis<?> axis =
        KnobTypes.find(note.knob())
            .orElseThrow(() -> new IllegalArgumentException("there is no knob " + note.knob()));
    own.accept(axis.type().reach(note.target()));
    int restored = 0;
    for (String value : List.of(note.value(), note.former())) {
      if (value.equals(note.before())) {
        continue;
      }
      List<Plan.Action> steps =
          new ArrayList<>(axis.plan(note.target(), note.before(), value).steps());
      Collections.reverse(steps);
      for (Plan.Action step : steps) {
        if (step.isDone()) {
          step.undo();
          restored++;
        }
      }
    }
    told.accept(
        "knob "
            + note.knob()
            + " of "
            + note.target()
            + (restored == 0
                ? " was restored, or changed by others, since another governor ended"
                : " is " + note.before() + " again, as before another governor, which has ended"));
  }

  private static FailedWorkException notRestored(Note note, String why, RuntimeException cause) {
    return new FailedWorkException(
        "is not as it was before another governor, which has ended: " + why,
        "knob " + note.knob() + " of " + note.target(),
        "fix that; or set it to " + note.before() + " by hand, and delete its note in the cluster",
        cause);
  }

  /**
   * Notes a knob that is about to be set. What is noted as former is the value in force: one that
   * was wanted since and failed is taken back everywhere by now.
   *
   * @throws FailedWorkException if it cannot be noted
   */
  synchronized <V> void note(KnobAxis<V> axis, Knob<V> knob, V before, V to) {
    String was = axis.text(before);
    String value = axis.text(to);
    Note first = new Note(knob.id().name(), knob.target(), was, was, was);
    if (to.equals(before) || noted.getOrDefault(knob, first).value().equals(value)) {
      return;
    }
    // One whose answer is lost is there, and is to be forgotten too.
    noted.putIfAbsent(knob, first);
    String former = inForce.getOrDefault(knob, was);
    Note next = new Note(first.knob(), first.target(), was, value, former);
    notes.note(next);
    noted.put(knob, next);
  }

  /** A knob was read back as set. */
  synchronized <V> void inForce(KnobAxis<V> axis, Knob<V> knob, V value) {
    inForce.put(knob, axis.text(value));
  }

  /** Forgets what was noted: all knobs are as before. */
  synchronized void forget() {
    for (Note note : noted.values()) {
      try {
        notes.forget(note);
      } catch (CalandoException e) {
        // Whoever reads it finds the knob as it was before.
      }
    }
    noted.clear();
    inForce.clear();
  }
}
