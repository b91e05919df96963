package org.calando.control.shift;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.core.CalandoException;

/** What has gears. Thread safe. */
public interface GearShifts {
  /** The gear; while a shift is under way that from which or to which it goes. */
  int gear();

  /** The highest gear, 1 or more. */
  int highest();

  /**
   * Begins to shift.
   *
   * @return ends when it is there, or exceptionally
   */
  CompletionStage<?> shift(int to);

  /**
   * Where a plan goes that was begun and has not ended, in words that follow "an unfinished plan";
   * empty if there is none.
   */
  default Optional<String> unfinished() {
    return Optional.empty();
  }

  /** Begins to resume that plan; ends as {@link #shift} does. */
  default CompletionStage<?> resume() {
    throw new IllegalStateException("there is no unfinished plan");
  }

  /** Whether that plan can be taken back. */
  default boolean canUndo() {
    return false;
  }

  /** Begins to take that plan back; ends as {@link #shift} does. */
  default CompletionStage<?> undo() {
    throw new IllegalStateException("it cannot be taken back");
  }

  /** Interrupts a shift that is under way: its plan is open then. Does not wait. */
  default void interrupt() {}

  /** Whether a shift that failed so began nothing, and is to be tried again. */
  default boolean isRefusal(CalandoException why) {
    return false;
  }

  /** What is in force, in words. */
  default String words(boolean isUnderWay) {
    return "gear " + gear();
  }

  /** What could not be asked for at the last look, one sentence each. */
  default List<String> troubles() {
    return List.of();
  }
}
