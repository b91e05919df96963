package org.calando.sim.cluster;

import java.util.function.Consumer;
import org.calando.sim.kernel.Simulation;
import org.jspecify.annotations.Nullable;

/*
 * Nearly every operation ends long before its timeout, so an event each would fill the queue with
 * events that nobody needs. The operations of one timeout reach their deadlines in the order in
 * which they began: a list, and one event for the first of it.
 */
/** Operations under way in order of their deadlines. Not thread safe. */
final class Deadlines {
  private final Simulation simulation;
  private final long timeoutNanos;
  private final Consumer<OperationRecord> expired;
  private final int handler;
  private @Nullable OperationRecord first;
  private @Nullable OperationRecord last;
  private boolean armed;

  /**
   * An empty list.
   *
   * @param expired told of each operation whose deadline has come, which is not in the list then
   */
  Deadlines(Simulation simulation, long timeoutNanos, Consumer<OperationRecord> expired) {
    this.simulation = simulation;
    this.timeoutNanos = timeoutNanos;
    this.expired = expired;
    this.handler = simulation.register((kind, payload) -> expire());
  }

  /** An operation began now. */
  void add(OperationRecord operation) {
    OperationRecord before = last;
    operation.before = before;
    operation.after = null;
    if (before == null) {
      first = operation;
    } else {
      before.after = operation;
    }
    last = operation;
    operation.listed = true;
    if (!armed) {
      arm();
    }
  }

  /** An operation needs no deadline any more; one that is not in the list changes nothing. */
  void remove(OperationRecord operation) {
    if (!operation.listed) {
      return;
    }
    operation.listed = false;
    OperationRecord before = operation.before;
    OperationRecord after = operation.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
  }

  /** The deadline of an operation that begins at a time. */
  long ofStart(long nanos) {
    return nanos + timeoutNanos;
  }

  private void expire() {
    armed = false;
    OperationRecord operation = first;
    while (operation != null && operation.deadlineNanos <= simulation.nowNanos()) {
      remove(operation);
      expired.accept(operation);
      operation = first;
    }
    if (!armed) {
      arm();
    }
  }

  /** Schedules the next deadline, if there is one. */
  private void arm() {
    OperationRecord next = first;
    if (next != null) {
      armed = true;
      simulation.schedule(next.deadlineNanos, handler, 0, 0);
    }
  }
}
