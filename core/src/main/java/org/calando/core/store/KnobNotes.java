package org.calando.core.store;

import java.util.List;

/**
 * How leased knobs of a cluster were, noted in the cluster itself for whoever sets them when the
 * machine that did is lost. Blocks; thread safe.
 */
public interface KnobNotes {
  /**
   * How a knob was, and how it may be set since. All words are those of journals.
   *
   * @param knob its name
   * @param target what it acts on
   * @param before how it was
   * @param value what it is about to be set to
   * @param former what it was set to before that; {@code before} if it was not
   */
  record Note(String knob, String target, String before, String value, String former) {}

  /**
   * What others have noted and not forgotten.
   *
   * @throws org.calando.core.FailedWorkException if the cluster cannot be asked
   */
  List<Note> left();

  /**
   * Notes a knob that is about to be set, in place of what was noted of it.
   *
   * @throws org.calando.core.FailedWorkException if that is not noted for sure, or is noted by
   *     another: then the knob must not be set
   */
  void note(Note note);

  /**
   * Forgets a knob, which is as before.
   *
   * @throws org.calando.core.FailedWorkException if the cluster cannot be asked
   */
  void forget(Note note);
}
