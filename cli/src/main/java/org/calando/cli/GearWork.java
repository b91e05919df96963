package org.calando.cli;

import java.util.List;
import java.util.Optional;

/** A cluster with gears that a command works on. Not thread safe. */
interface GearWork extends ShiftPart.Access {
  /**
   * An answer, and whether it says that all is well.
   *
   * @param answer for people and programs
   * @param well whether nothing is wrong
   */
  record Told(Answer answer, boolean well) {}

  /**
   * A shift that is asked for.
   *
   * @param direction 1 up, -1 down
   * @param to the gear; empty for the next one
   * @param dryRun whether only to tell the steps
   * @param unfinished what is to become of a plan that is open
   * @param without nodes that stay off
   */
  record Order(
      int direction,
      Optional<Integer> to,
      boolean dryRun,
      UnfinishedPlanOptions unfinished,
      List<String> without) {
    /** Copies the list. */
    public Order {
      without = List.copyOf(without);
    }

    /** The command that gives it. */
    String command() {
      return "./calando gear " + (direction > 0 ? "up" : "down");
    }
  }

  /** How it is. */
  Told status();

  /** Checks what shifts rely on. */
  Told doctor();

  /** What a shift would do and take; changes nothing. */
  Answer plan(int to, String profile) throws InterruptedException;

  /** Carries an order out. */
  Answer shift(Order order) throws InterruptedException;
}
