package org.calando.session.internal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.KeyObserver;
import org.calando.session.TableName;

/** A table whose reads get their level from here. Thread safe. */
final class WatchedTable {
  /** Shares of stale reads that a table's statements may tolerate besides the table's own. */
  static final int MOST_TARGETS = 16;

  private final TableName name;
  private final KeyObserver keys;
  private final LongSupplier clock;
  private final Target main;
  private final Map<Double, Target> targets = new ConcurrentHashMap<>();
  private final LongAdder writes = new LongAdder();
  private final LongAdder writtenBytes = new LongAdder();
  private volatile TableLevels levels;

  WatchedTable(
      TableName name, double tolerated, TableLevels levels, KeyObserver keys, LongSupplier clock) {
    this.name = name;
    this.levels = levels;
    this.keys = keys;
    this.clock = clock;
    this.main = new Target(tolerated, levels, clock);
    targets.put(tolerated, main);
  }

  TableName name() {
    return name;
  }

  KeyObserver keys() {
    return keys;
  }

  TableLevels levels() {
    return levels;
  }

  Target main() {
    return main;
  }

  Collection<Target> targets() {
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
      return targets.computeIfAbsent(tolerated, share -> new Target(share, levels, clock));
    }
    return targets.values().stream()
        .filter(target -> target.tolerated() <= tolerated)
        .max((a, b) -> Double.compare(a.tolerated(), b.tolerated()))
        .orElseGet(() -> new Target(0, levels, clock));
  }

  /** Notes the level of a write; one weaker than known turns reads to the safe level for it. */
  void wrote(ConsistencyLevel level) {
    if (levels.isWeaker(level)) {
      weaken(level);
    }
  }

  private synchronized void weaken(ConsistencyLevel level) {
    relevel(levels.weakened(level), "writes at " + level + " were seen");
  }

  /** Replaces the levels, and turns reads to the safe one until the next decision. */
  synchronized void relevel(TableLevels newLevels, String reason) {
    if (newLevels.equals(levels)) {
      return;
    }
    levels = newLevels;
    targets.values().forEach(target -> target.makeSafe(newLevels, reason));
  }

  /** Sets what was decided from levels, if they are still the table's. */
  synchronized void set(
      Target target,
      TableLevels decidedFrom,
      ReadChoice choice,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {
    if (decidedFrom.equals(levels)) {
      target.set(levels, choice, decidedNanos, validForNanos, reasons);
    }
  }

  /** Turns reads to the safe level. */
  synchronized void makeSafe(String reason) {
    targets.values().forEach(target -> target.makeSafe(levels, reason));
  }

  /** Turns some reads to the safe level. */
  synchronized void makeSafe(Target target, String reason) {
    target.makeSafe(levels, reason);
  }

  /** Notes a write's size. */
  void wroteBytes(long bytes) {
    writes.increment();
    writtenBytes.add(bytes);
  }

  /** Mean bytes of the writes noted; NaN without one. */
  double meanWriteBytes() {
    long count = writes.sum();
    return count == 0 ? Double.NaN : (double) writtenBytes.sum() / count;
  }
}
