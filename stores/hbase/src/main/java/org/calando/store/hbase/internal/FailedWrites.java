package org.calando.store.hbase.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.calando.store.hbase.FailedWrite;

/** Deferred writes that failed, each told once. Thread safe. */
final class FailedWrites {
  /** Later ones are told to listeners, and counted, but not kept. */
  private static final int MOST_KEPT = 100_000;

  private final List<FailedWrite> kept = new ArrayList<>();
  private final List<Consumer<FailedWrite>> listeners = new CopyOnWriteArrayList<>();
  private long count;

  void add(FailedWrite write) {
    synchronized (kept) {
      count++;
      if (kept.size() < MOST_KEPT) {
        kept.add(write);
      }
    }
    listeners.forEach(listener -> listener.accept(write));
  }

  void listen(Consumer<FailedWrite> listener) {
    listeners.add(listener);
  }

  long count() {
    synchronized (kept) {
      return count;
    }
  }

  /** Those that were not taken before. */
  List<FailedWrite> take() {
    synchronized (kept) {
      List<FailedWrite> taken = List.copyOf(kept);
      kept.clear();
      return taken;
    }
  }
}
