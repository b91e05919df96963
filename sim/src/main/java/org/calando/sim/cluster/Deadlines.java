package org.calando.sim.cluster;

import org.calando.sim.kernel.Simulation;

/*
 * Nearly every operation ends long before its timeout, so an event each would fill the queue with
 * events that nobody needs. The operations of one timeout reach their deadlines in the order in
 * which they began: a list, and one event for the first of it.
 */
/** Operations under way in order of their deadlines. Not thread safe. */
final class Deadlines {
  private static final int NONE = -1;

  private final Simulation simulation;
  private final Operations operations;
  private final long timeoutNanos;
  private final int handler;
  private final int kind;
  private final int number;
  private int first = NONE;
  private int last = NONE;
  private boolean armed;

  /**
   * An empty list.
   *
   * @param handler number of the component that is told of deadlines
   * @param kind of the event that it is told
   * @param number of this list, the event's payload
   */
  Deadlines(
      Simulation simulation,
      Operations operations,
      long timeoutNanos,
      int handler,
      int kind,
      int number) {
    this.simulation = simulation;
    this.operations = operations;
    this.timeoutNanos = timeoutNanos;
    this.handler = handler;
    this.kind = kind;
    this.number = number;
  }

  /** An operation began now. */
  void add(int operation) {
    operations.set(operation, Operations.BEFORE, last);
    operations.set(operation, Operations.AFTER, NONE);
    if (last == NONE) {
      first = operation;
    } else {
      operations.set(last, Operations.AFTER, operation);
    }
    last = operation;
    operations.flag(operation, Operations.LISTED, true);
    if (!armed) {
      arm();
    }
  }

  /** An operation needs no deadline any more; one that is not in the list changes nothing. */
  void remove(int operation) {
    if (!operations.is(operation, Operations.LISTED)) {
      return;
    }
    operations.flag(operation, Operations.LISTED, false);
    int before = operations.get(operation, Operations.BEFORE);
    int after = operations.get(operation, Operations.AFTER);
    if (before == NONE) {
      first = after;
    } else {
      operations.set(before, Operations.AFTER, after);
    }
    if (after == NONE) {
      last = before;
    } else {
      operations.set(after, Operations.BEFORE, before);
    }
  }

  /** The event has come. */
  void disarm() {
    armed = false;
  }

  /**
   * Takes the first operation whose deadline has come out of the list; if there is none, waits for
   * the next one.
   *
   * @return the operation, or -1
   */
  int due() {
    if (first == NONE) {
      return NONE;
    }
    int operation = first;
    if (isOver(operation)) {
      remove(operation);
      return operation;
    }
    if (!armed) {
      arm();
    }
    return NONE;
  }

  /** Whether an operation's deadline has come. */
  boolean isOver(int operation) {
    return simulation.nowNanos() - operations.getLong(operation, Operations.START) >= timeoutNanos;
  }

  private void arm() {
    armed = true;
    long deadline = operations.getLong(first, Operations.START) + timeoutNanos;
    simulation.schedule(deadline, handler, kind, number);
  }
}
