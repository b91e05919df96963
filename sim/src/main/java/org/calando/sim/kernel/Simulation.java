package org.calando.sim.kernel;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Simulated time and what is to happen in it. Events of equal times happen in the order in which
 * they were scheduled, so everything that happens is a function of what was scheduled first.
 *
 * <p>Not thread safe: one simulation belongs to one thread, and many may run beside each other.
 */
public final class Simulation {
  private static final int MOST_EVENTS = 1 << 26;
  private static final int MOST_HANDLERS = 1 << 15;

  private final EventQueue queue = new EventQueue(MOST_EVENTS);
  private EventHandler[] handlers = new EventHandler[0];
  private long nowNanos;
  private long happened;

  /** A simulation at time 0. */
  public Simulation() {}

  /**
   * Takes in a component.
   *
   * @return the number to schedule its events with
   */
  public int register(EventHandler handler) {
    if (handlers.length == MOST_HANDLERS) {
      throw new IllegalStateException("more than " + MOST_HANDLERS + " components");
    }
    handlers = Arrays.copyOf(handlers, handlers.length + 1);
    handlers[handlers.length - 1] = handler;
    return handlers.length - 1;
  }

  /** Nanoseconds since the simulation's begin. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Events that have happened. */
  public long events() {
    return happened;
  }

  /**
   * Lets something happen.
   *
   * @param atNanos when, not before now
   * @param handler number of the component that it happens to
   * @param kind told to the component, 0 .. 65535
   * @param payload told to the component
   * @throws IllegalArgumentException if the time has passed
   */
  public void schedule(long atNanos, int handler, int kind, int payload) {
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException(atNanos + " ns has passed, it is " + nowNanos);
    }
    queue.add(atNanos, (long) handler << 48 | (long) kind << 32 | (payload & 0xFFFFFFFFL));
  }

  /** Lets the next event happen; says whether there was one. */
  public boolean step() {
    long event = queue.takeBy(Long.MAX_VALUE);
    if (event == EventQueue.NONE) {
      return false;
    }
    happen(event);
    return true;
  }

  /** Lets everything happen up to a time, included, which it is then. */
  public void runUntil(long nanos) {
    long event = queue.takeBy(nanos);
    while (event != EventQueue.NONE) {
      happen(event);
      event = queue.takeBy(nanos);
    }
    nowNanos = Math.max(nowNanos, nanos);
  }

  /**
   * Lets things happen for as long as a condition, asked before each event, holds.
   *
   * @return whether the condition has ceased to hold; false if nothing is left to happen
   */
  public boolean runWhile(BooleanSupplier condition) {
    while (condition.getAsBoolean()) {
      if (!step()) {
        return false;
      }
    }
    return true;
  }

  private void happen(long event) {
    nowNanos = queue.takenNanos();
    happened++;
    handlers[(int) (event >>> 48)].handle((int) (event >>> 32) & 0xFFFF, (int) event);
  }
}
