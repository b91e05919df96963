package org.calando.session.internal.governed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.calando.core.staleness.KeyPopularity;
import org.calando.session.KeyObserver;

/*
 * What sketches of several sessions know cannot be added up: the bins of a popularity have lost their keys. So a random
 * sample of the operations is reported, the same share of them by all sessions, from which one sketch learns as if it had
 * seen them all.
 */
/** Keeps a sample of the operations that it passes on, bounded. Thread safe. */
public final class KeySample implements KeyObserver {
  private final KeyObserver own;
  private final ArrayBlockingQueue<Long> sampled = new ArrayBlockingQueue<>(ReportText.MOST_KEYS);
  private volatile double share;

  /** Passes all on, and keeps nothing before it is asked for a share. */
  public KeySample(KeyObserver own) {
    this.own = own;
  }

  /** Sets which share of the operations is kept, 0 .. 1. */
  public void share(double newShare) {
    share = newShare;
  }

  /** Takes what was kept: hashes whose lowest bit is 1 for a write. */
  public List<Long> drain() {
    List<Long> kept = new ArrayList<>();
    sampled.drainTo(kept);
    return kept;
  }

  /** Hands what another kept to an observer. */
  public static void replay(List<Long> kept, KeyObserver to) {
    kept.forEach(hash -> to.observed(hash & ~1L, (hash & 1) == 1));
  }

  @Override
  public void observed(long hashOfKey, boolean write) {
    own.observed(hashOfKey, write);
    double now = share;
    if (now > 0 && (now >= 1 || ThreadLocalRandom.current().nextDouble() < now)) {
      var unused = sampled.offer(write ? hashOfKey | 1 : hashOfKey & ~1L);
    }
  }

  @Override
  public Optional<KeyPopularity> renew() {
    return own.renew();
  }
}
