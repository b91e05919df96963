package org.calando.session.internal;

import java.util.List;
import java.util.function.LongSupplier;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.LevelInUse;

/*
 * What reads look at is replaced whole with every decision, and says until when it holds: if the
 * loop hangs or has ended, reads turn to the safe level by themselves. So they do if the clock is set
 * back to before the decision: nobody could tell then how old it is.
 */
/** The reads of one table that tolerate the same share of stale ones. Thread safe. */
final class Target {
  private final double tolerated;
  private final LongSupplier clock;
  private volatile Snapshot snapshot;

  /** Immutable but for the picker's own counters. */
  private record Snapshot(
      TableLevels levels,
      LevelPicker picker,
      boolean decided,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {}

  Target(double tolerated, TableLevels levels, LongSupplier clock) {
    this.tolerated = tolerated;
    this.clock = clock;
    this.snapshot = safe(levels, "not decided yet");
  }

  private static Snapshot safe(TableLevels levels, String reason) {
    return new Snapshot(levels, levels.picker(), false, 0, 0, List.of(reason));
  }

  double tolerated() {
    return tolerated;
  }

  /** The level of the next read. */
  ConsistencyLevel next() {
    Snapshot now = snapshot;
    return holds(now) ? now.picker.next() : now.levels.safe().level();
  }

  private boolean holds(Snapshot now) {
    long age = clock.getAsLong() - now.decidedNanos;
    return now.decided && age >= 0 && age < now.validForNanos;
  }

  /** Sets what was decided. */
  synchronized void set(
      TableLevels levels,
      ReadChoice choice,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {
    Snapshot before = snapshot;
    LevelPicker picker = before.levels.equals(levels) ? before.picker : levels.picker();
    if (!picker.choice().equals(choice)) {
      picker.set(choice);
    }
    snapshot = new Snapshot(levels, picker, true, decidedNanos, validForNanos, reasons);
  }

  /** Goes to the safe level. */
  synchronized void makeSafe(TableLevels levels, String reason) {
    snapshot = safe(levels, reason);
  }

  /** The replicas that reads ask now. */
  ReadChoice choice() {
    Snapshot now = snapshot;
    int most = now.levels.replicas();
    ReadChoice choice =
        holds(now) ? now.picker.choice() : ReadChoice.of(now.levels.safe().replicas());
    return choice.replicas() > most ? ReadChoice.of(most) : choice;
  }

  LevelInUse inUse() {
    Snapshot now = snapshot;
    boolean holds = holds(now);
    ReadChoice choice = holds ? now.picker.choice() : ReadChoice.of(now.levels.safe().replicas());
    ConsistencyLevel level =
        holds ? now.picker.level(choice.replicas()) : now.levels.safe().level();
    return new LevelInUse(
        tolerated,
        choice,
        level,
        now.levels.placement().isStrong(level, now.levels.write()),
        now.levels.write(),
        now.decided && !holds ? List.of("the last decision is too old") : now.reasons);
  }
}
