package org.calando.session.internal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.KeyObserver;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;
import org.calando.session.internal.governed.TableUse;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.StateKeeper;

/** A table whose reads get their level from here. Thread safe. */
public final class WatchedTable {
  /** Shares of stale reads that a table's statements may tolerate besides the table's own. */
  static final int MOST_TARGETS = 16;

  /** At once, after reads enough. */
  private static final double MOST_RETRIES = 100;

  /** Reads that earn one. */
  private static final long READS_A_RETRY = 2;

  /** After so long without a retry one may be tried again, whatever is owed. */
  private static final long FORGIVEN_NANOS = 10_000_000_000L;

  private final TableName name;
  private final KeyObserver keys;
  private final LongSupplier clock;
  private final Target main;
  private final Map<Double, Target> targets = new ConcurrentHashMap<>();
  private final Set<String> partitionKey;
  private final boolean freshFirst;
  private final LongAdder reads = new LongAdder();
  private final LongAdder keylessReads = new LongAdder();
  private final LongAdder keyedWrites = new LongAdder();
  private final LongAdder unavailable = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder writtenBytes = new LongAdder();
  private volatile double retriesLeft = MOST_RETRIES;
  private volatile long readsEarned;
  private volatile long retriedNanos;
  private volatile TableLevels levels;

  /**
   * A table.
   *
   * @param partitionKey its columns, as the server spells them
   * @param freshFirst whether reads are safe, rather than available, while figures are unknown
   */
  WatchedTable(
      TableName name,
      Set<String> partitionKey,
      double tolerated,
      boolean freshFirst,
      TableLevels levels,
      KeyObserver keys,
      LongSupplier clock) {
    this.name = name;
    this.partitionKey = Set.copyOf(partitionKey);
    this.freshFirst = freshFirst;
    this.levels = levels;
    this.keys = keys;
    this.clock = clock;
    this.main = new Target(tolerated, freshFirst, levels, clock);
    targets.put(tolerated, main);
  }

  public TableName name() {
    return name;
  }

  /**
   * Whether replication and writes are as they were when something was saved of a target, which is
   * not too long ago.
   */
  boolean isAsIn(SavedState.Table saved, Target target) {
    return StateKeeper.isUsable(saved)
        && name.toString().equals(saved.name())
        && target.tolerated() == saved.tolerated()
        && levels.write() == saved.write()
        && levels.replication().equals(saved.replication())
        && saved.choice().replicas() <= levels.safe().replicas();
  }

  /** The columns of its partition key. */
  Set<String> partitionKey() {
    return partitionKey;
  }

  /** Notes a read, or a write of a known key. */
  void observed(long hashOfKey, boolean write) {
    keys.observed(hashOfKey, write);
    if (write) {
      keyedWrites.increment();
    }
  }

  /**
   * Counts a read whose level is chosen here.
   *
   * @param keyed whether its key was seen
   */
  void read(boolean keyed) {
    reads.increment();
    if (!keyed) {
      keylessReads.increment();
    }
  }

  /** Why it may be unknown how reads spread over the keys; empty if the keys of all were seen. */
  Optional<String> keylessReads() {
    long keyless = keylessReads.sum();
    return keyless == 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d reads are text without a routing key: prepare them"
                .formatted(keyless, reads.sum()));
  }

  /** Reads so far whose level was chosen here. */
  public long reads() {
    return reads.sum();
  }

  /** Writes so far whose key was seen. */
  long keyedWrites() {
    return keyedWrites.sum();
  }

  /**
   * Whether reads may be sent at the application's own level as well: one of two reads, and so many
   * at once. Beside a dead node a third of strong reads needs it; where more do, nodes are
   * overloaded, and reads are sent at the own level alone.
   */
  boolean mayRetry() {
    return retriesLeft >= 1 || earn() >= 1;
  }

  private synchronized double earn() {
    long now = reads.sum();
    retriesLeft =
        Math.min(MOST_RETRIES, retriesLeft + (now - readsEarned) / (double) READS_A_RETRY);
    readsEarned = now;
    if (retriesLeft < 1 && clock.getAsLong() - retriedNanos > FORGIVEN_NANOS) {
      retriesLeft = 1;
    }
    return retriesLeft;
  }

  /** Counts a read that is sent at the application's own level, as no more may be retried. */
  void sentAsAsked() {
    unavailable.increment();
  }

  /**
   * Counts a read that is retried, if that may be.
   *
   * @param always whether it is in any case; later ones then earn it, until that is forgiven
   */
  synchronized boolean retries(boolean always) {
    if (earn() < 1 && !always) {
      return false;
    }
    retriesLeft--;
    retriedNanos = clock.getAsLong();
    unavailable.increment();
    return true;
  }

  /** What was counted so far. */
  TableUse use() {
    return new TableUse(
        reads.sum(), keylessReads.sum(), keyedWrites.sum(), writes.sum(), writtenBytes.sum());
  }

  /** Counts what other sessions did. */
  void counted(TableUse more) {
    reads.add(more.reads());
    keylessReads.add(more.keylessReads());
    keyedWrites.add(more.keyedWrites());
    writes.add(more.writes());
    writtenBytes.add(more.writtenBytes());
  }

  LevelInUse inUse(Target target) {
    return target.inUse(unavailable.sum());
  }

  KeyObserver keys() {
    return keys;
  }

  public TableLevels levels() {
    return levels;
  }

  Target main() {
    return main;
  }

  public Collection<Target> targets() {
    return List.copyOf(targets.values());
  }

  /**
   * The reads that tolerate a share. There is a bound to how many shares are told apart; beyond it
   * the next stricter one stands for another, or the safe level.
   */
  Target target(double tolerated) {
    Target known = targets.get(tolerated);
    return known != null ? known : newTarget(tolerated);
  }

  private synchronized Target newTarget(double tolerated) {
    if (targets.size() <= MOST_TARGETS) {
      return targets.computeIfAbsent(
          tolerated, share -> new Target(share, freshFirst, levels, clock));
    }
    return targets.values().stream()
        .filter(target -> target.tolerated() <= tolerated)
        .max((a, b) -> Double.compare(a.tolerated(), b.tolerated()))
        .orElseGet(() -> new Target(0, freshFirst, levels, clock));
  }

  /** Notes the level of a write; one weaker than known turns reads to the fallback for it. */
  void wrote(ConsistencyLevel level) {
    if (levels.isWeaker(level)) {
      weaken(level);
    }
  }

  private synchronized void weaken(ConsistencyLevel level) {
    relevel(levels.weakened(level), "writes at " + level + " were seen");
  }

  /** Replaces the levels, and turns reads to the fallback until the next decision. */
  synchronized void relevel(TableLevels newLevels, String reason) {
    if (newLevels.equals(levels)) {
      return;
    }
    levels = newLevels;
    targets.values().forEach(target -> target.fallBack(newLevels, reason));
  }

  /**
   * Sets what was decided from levels, if they are still the table's.
   *
   * @param fallback whether it is the fallback, as a figure is unknown
   */
  synchronized void set(
      Target target,
      TableLevels decidedFrom,
      ReadChoice choice,
      boolean fallback,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {
    if (decidedFrom.equals(levels)) {
      target.set(levels, choice, fallback, decidedNanos, validForNanos, reasons);
    }
  }

  /** Turns reads to the fallback. */
  synchronized void fallBack(String reason) {
    targets.values().forEach(target -> target.fallBack(levels, reason));
  }

  /** Turns some reads to the fallback. */
  synchronized void fallBack(Target target, String reason) {
    target.fallBack(levels, reason);
  }

  /** Notes a write's size. */
  void wroteBytes(long bytes) {
    writes.increment();
    writtenBytes.add(bytes);
  }

  /** Mean bytes of the writes noted; NaN without one. */
  public double meanWriteBytes() {
    long count = writes.sum();
    return count == 0 ? Double.NaN : (double) writtenBytes.sum() / count;
  }
}
