package org.calando.core.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.Observation.Shadow;

/*
 * A sample is dropped when a write may have come between the read and its comparison: then nobody
 * can say whether the read was stale. Keys that are written often are dropped most, and are stale most,
 * so what is left of all samples together is too fresh. Of one key, though, whether a write comes
 * after the read says nothing of whether one was missed before it (writes are taken as a Poisson
 * process). So the share of each key is that of its samples which were decided, and counts as often as
 * the key was sampled, dropped samples among them. Keys that were sampled seldom stand together as
 * one. Of keys that were sampled often and hardly ever decided the bound is the figure: what was
 * dropped and returned something older is taken for stale.
 *
 *   r = sum_k n_k / n * s_k / m_k        n_k sampled, m_k decided, s_k stale of key k
 *
 * That is worth as many independent reads as n^2 / sum_k n_k^2 / m_k.
 */
/** Collects what shadow reads of a table found, bounded in number and age. Thread safe. */
public final class ShadowTally {
  private static final int FEWEST_DECIDED = 3;
  private static final int FEWEST_SAMPLED = 6;
  private static final long SELDOM = Long.MIN_VALUE;
  private static final long UNDECIDED = Long.MIN_VALUE + 1;

  private final int size;
  private final long maxAgeNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /** What a shadow read says of the read that it stands for. */
  public enum Verdict {
    /** It returned the newest write acknowledged before it. */
    FRESH,
    /** It missed one. */
    STALE,
    /** A write came too close; what it returned is not the oldest that it may be. */
    DROPPED,
    /** A write came too close, and what it returned is older. */
    DROPPED_OLDER
  }

  private record Sample(long atNanos, long key, Verdict verdict, double predicted) {}

  /** Of one key, or of those that were decided too seldom. */
  private static final class OfKey {
    private int all;
    private int decided;
    private int stale;
    private int older;

    private void add(OfKey other) {
      all += other.all;
      decided += other.decided;
      stale += other.stale;
      older += other.older;
    }

    private long group(long key) {
      if (decided >= FEWEST_DECIDED) {
        return key;
      }
      return all < FEWEST_SAMPLED ? SELDOM : UNDECIDED;
    }
  }

  /**
   * An empty tally.
   *
   * @param size samples kept at most, 1 or more
   * @param maxAgeNanos how old they may be, above 0
   */
  public ShadowTally(int size, long maxAgeNanos) {
    this.size = size;
    this.maxAgeNanos = maxAgeNanos;
  }

  /**
   * Adds a sample.
   *
   * @param atNanos when the read was sent
   * @param key hash of the key
   * @param predicted chance to be stale that the estimate in use gave it, 0 .. 1
   */
  public synchronized void add(long atNanos, long key, Verdict verdict, double predicted) {
    if (samples.size() == size) {
      samples.removeFirst();
    }
    samples.addLast(new Sample(atNanos, Math.max(key, UNDECIDED + 1), verdict, predicted));
  }

  /** What is known; empty without a sample. */
  public synchronized Optional<Shadow> figures(long now) {
    samples.removeIf(sample -> now - sample.atNanos() > maxAgeNanos || now < sample.atNanos());
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    double predicted = 0;
    Map<Long, OfKey> byKey = new HashMap<>();
    for (Sample sample : samples) {
      OfKey key = byKey.computeIfAbsent(sample.key(), each -> new OfKey());
      key.all++;
      key.decided += sample.verdict().compareTo(Verdict.DROPPED) < 0 ? 1 : 0;
      key.stale += sample.verdict() == Verdict.STALE ? 1 : 0;
      key.older += sample.verdict() == Verdict.DROPPED_OLDER ? 1 : 0;
      predicted += sample.predicted();
    }
    return Optional.of(shadow(joined(byKey), predicted / samples.size()));
  }

  private static Map<Long, OfKey> joined(Map<Long, OfKey> byKey) {
    Map<Long, OfKey> joined = new HashMap<>();
    byKey.forEach(
        (key, counts) ->
            joined.computeIfAbsent(counts.group(key), each -> new OfKey()).add(counts));
    return joined;
  }

  private Shadow shadow(Map<Long, OfKey> byKey, double predicted) {
    double all = samples.size();
    double unequal = 0;
    double rate = 0;
    double bound = 0;
    for (Map.Entry<Long, OfKey> entry : byKey.entrySet()) {
      OfKey key = entry.getValue();
      boolean isDecided = entry.getKey() != UNDECIDED && key.decided > 0;
      double told = isDecided ? (double) key.all * key.stale / key.decided : key.stale;
      rate += told / all;
      // Of keys that were sampled seldom those that were dropped may be the worst.
      boolean isTold = isDecided && entry.getKey() != SELDOM;
      bound += (isTold ? told : Math.max(told, key.stale + key.older)) / all;
      unequal += isDecided ? (double) key.all * key.all / key.decided : key.all;
    }
    double worth = all * all / unequal;
    return new Shadow(
        samples.getLast().atNanos(),
        worth,
        Math.min(1, rate) * worth,
        Math.min(1, bound) * worth,
        predicted * worth);
  }
}
