package org.calando.load.internal;

import java.util.concurrent.atomic.AtomicInteger;

/*
 * A Treiber stack over slot numbers. Any thread pushes, but only one at a time pops; so the top
 * cannot be popped and pushed again behind a popper's back (the ABA problem), and plain numbers do.
 */
/** Free slots: pushed by any thread, popped by one thread at a time; nothing is allocated. */
final class SlotStack {
  private static final int EMPTY = -1;

  private final AtomicInteger top = new AtomicInteger(EMPTY);
  private final int[] below;

  /** A stack of all slots; slot 0 is on top. */
  SlotStack(int slots) {
    below = new int[slots];
    for (int slot = slots - 1; slot >= 0; slot--) {
      push(slot);
    }
  }

  void push(int slot) {
    int current;
    do {
      current = top.get();
      below[slot] = current;
    } while (!top.compareAndSet(current, slot));
  }

  /** A free slot, or -1. */
  int pop() {
    while (true) {
      int current = top.get();
      if (current == EMPTY || top.compareAndSet(current, below[current])) {
        return current;
      }
    }
  }
}
