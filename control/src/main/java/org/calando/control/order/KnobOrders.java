package org.calando.control.order;

import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What an operator orders of knobs, beside what is decided of them: what sets a knob asks before
 * each change, and says what came of it. It binds neither the guard nor what restores knobs at an
 * end, nor what keeps a store available. Implementations are thread safe, and do not block.
 */
public interface KnobOrders {
  /** Nothing is ordered: knobs are as is decided. */
  KnobOrders NONE = knob -> Order.NONE;

  /**
   * What is ordered of a knob.
   *
   * @param knob its name
   */
  Order of(String knob);

  /**
   * What is in force of a knob, as far as who sets it knows.
   *
   * @param value in the words of journals; empty if nothing was set, or it is as before
   * @param problem why it is not as ordered; empty if it is
   */
  default void inForce(
      String knob, String target, Optional<String> value, Optional<String> problem) {}

  /**
   * What was just decided is set in spite of what {@link #of} says, as what keeps the store
   * available goes before. It holds until that is asked again.
   *
   * @param targets of the settings that are set
   */
  default void overruled(String knob, Set<String> targets) {}

  /** The highest value that a knob of numbers from 1 on may be held at. */
  default void highest(String knob, int value) {}

  /** The plan of a durable knob that has begun and not ended; empty if there is none. */
  default void plan(String knob, Optional<OpenPlan> open) {}

  /**
   * Hears when orders have changed, on any thread, until it is closed.
   *
   * @param changed does not block
   */
  default Hearing onChange(Runnable changed) {
    return () -> {};
  }

  /** The end of hearing. */
  @FunctionalInterface
  interface Hearing extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * What is ordered of a knob. Immutable and thread safe.
   *
   * @param paused why nothing is set, and it stays as it is; empty if it is set
   * @param held the value that it is set to, in the words of journals, which goes before {@code
   *     paused}; empty if none is held
   * @param takesBack whether a plan that has begun and not ended is taken back
   */
  record Order(Optional<String> paused, Optional<String> held, boolean takesBack) {
    /** Nothing. */
    public static final Order NONE = new Order(Optional.empty(), Optional.empty(), false);

    /** Whether what is decided is not set. */
    public boolean isBarred() {
      return paused.isPresent() || held.isPresent();
    }

    /** The same in words for journals; empty if nothing is ordered. */
    public String words() {
      return held.map(value -> "held at " + value).or(() -> paused).orElse("");
    }
  }

  /**
   * A plan that has begun and not ended. Thread safe.
   *
   * @param what where it goes, in words such as {@code to gear 2}
   * @param underWay whether its steps are done now; else it is open, and safe to leave
   * @param undoable whether it can be taken back now
   * @param undoing whether it is being taken back
   */
  record OpenPlan(String what, boolean underWay, BooleanSupplier undoable, boolean undoing) {
    /** Whether it can be taken back now. */
    public boolean canUndo() {
      return undoable.getAsBoolean();
    }
  }
}
