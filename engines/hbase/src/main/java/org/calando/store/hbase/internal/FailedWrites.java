package org.calando.store.hbase.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.calando.core.store.FailedWrite;

/** Deferred writes that failed. Thread safe. */
final class FailedWrites {
  /** The listener gets later ones too, but they are not kept. */
  private static final int MOST_KEPT = 100_000;

  private final Consumer<FailedWrite> listener;
  private final List<FailedWrite> kept = new ArrayList<>();

  /**
   * No write has failed yet.
   *
   * @param listener called once for each, on any thread
   */
  FailedWrites(Consumer<FailedWrite> listener) {
    this.listener = listener;
  }

  void add(FailedWrite write) {
    synchronized (kept) {
      if (kept.size() < MOST_KEPT) {
        kept.add(write);
      }
    }
    listener.accept(write);
  }

  /** All that are kept. */
  List<FailedWrite> all() {
    synchronized (kept) {
      return List.copyOf(kept);
    }
  }
}
