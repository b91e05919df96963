package org.calando.session.internal.shared;

import java.util.ArrayDeque;
import java.util.Deque;
import org.calando.core.staleness.LagModel;
import org.calando.session.TruthSince;

/*
 * Whoever decides counts each of the canary's reads once, and may ask at any pace; the reads may come
 * from an own canary, from another instance, and from another again. So they are all added up here, and
 * some former sums kept to tell the difference from.
 */
/** The canary's reads in the order in which they became known, from wherever. Thread safe. */
final class TruthLog {
  private static final int KEPT = 256;

  private final Deque<TruthTotal> totals = new ArrayDeque<>();

  TruthLog() {
    totals.add(TruthTotal.NONE);
  }

  /** Adds reads that came after all others. */
  synchronized void add(TruthTotal more) {
    if (more.reads() <= 0) {
      return;
    }
    totals.addLast(totals.getLast().plus(more));
    if (totals.size() > KEPT) {
      totals.removeFirst();
    }
  }

  /** All of them. */
  synchronized TruthTotal all() {
    return totals.getLast();
  }

  /** Those that came after the first so many, as far as they are kept. */
  synchronized TruthSince since(long seen, LagModel model) {
    TruthTotal base = totals.getFirst();
    for (TruthTotal total : totals) {
      if (total.reads() > seen) {
        break;
      }
      base = total;
    }
    TruthTotal newest = totals.getLast();
    return new TruthSince(newest.reads(), newest.since(base).truth(model));
  }
}
