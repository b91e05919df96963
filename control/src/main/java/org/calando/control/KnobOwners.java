package org.calando.control;

import java.nio.file.Path;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/** Makes a lease the owner of knobs. Implementations are thread safe. */
public interface KnobOwners {
  /**
   * Takes a knob.
   *
   * @throws org.calando.core.BadRequestException naming the owner, if it has one
   * @throws org.calando.core.FailedWorkException if that cannot be noted
   */
  KnobOwner take(Knob<?> knob);

  /**
   * Notes how a knob was before a plan that is not begun yet.
   *
   * @param mine of {@link #take}
   * @param before in the words of {@link Plan#value}
   */
  default void note(KnobOwner mine, Knob<?> knob, Plan plan, String before) {}

  /**
   * Those that note nothing but themselves.
   *
   * @param folder where; those that are to exclude each other name the same
   * @param words who they are, for whoever is refused: the command and what it serves
   */
  static KnobOwners in(Path folder, String words) {
    return knob -> KnobOwner.take(folder, knob, words);
  }
}
