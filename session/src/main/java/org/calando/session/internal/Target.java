package org.calando.session.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.LevelInUse;

/*
 * What reads look at is replaced whole with every decision, and says until when it holds: if the
 * loop hangs or has ended, reads turn to the fallback by themselves. So they do if the clock is set
 * back to before the decision: nobody could tell then how old it is.
 */
/** The reads of one table that tolerate the same share of stale ones. Thread safe. */
public final class Target {
  private final double tolerated;
  private final boolean freshFirst;
  private final LongSupplier clock;
  private volatile Snapshot snapshot;
  private volatile double[] predicted = {};
  private volatile boolean hadFigures;

  /**
   * Immutable but for the picker's own counters.
   *
   * @param unknown whether the policy itself decided on the fallback, as a figure is unknown
   */
  private record Snapshot(
      TableLevels levels,
      LevelPicker picker,
      ReadChoice fallback,
      boolean decided,
      boolean unknown,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {}

  Target(double tolerated, boolean freshFirst, TableLevels levels, LongSupplier clock) {
    this.tolerated = tolerated;
    this.freshFirst = freshFirst || tolerated == 0;
    this.clock = clock;
    this.snapshot = fallback(levels, "not decided yet");
  }

  private Snapshot fallback(TableLevels levels, String reason) {
    return new Snapshot(
        levels, levels.picker(), levels.fallback(freshFirst), false, false, 0, 0, List.of(reason));
  }

  double tolerated() {
    return tolerated;
  }

  /** Whether a read rather fails than be staler than is tolerated. */
  boolean isFreshFirst() {
    return freshFirst;
  }

  /** The level of the next read. */
  ConsistencyLevel next() {
    Snapshot now = snapshot;
    return holds(now) ? now.picker.next() : now.picker.level(now.fallback.replicas());
  }

  private boolean holds(Snapshot now) {
    long age = clock.getAsLong() - now.decidedNanos;
    return now.decided && age >= 0 && age < now.validForNanos;
  }

  /** Whether the last decision still holds in so many nanoseconds. */
  boolean holdsFor(long nanos) {
    Snapshot now = snapshot;
    return holds(now) && clock.getAsLong() - now.decidedNanos + nanos < now.validForNanos;
  }

  /**
   * Whether the last decision is the fallback, as figures are unknown that were known before, and
   * holds.
   */
  boolean lostFigures() {
    Snapshot now = snapshot;
    return now.unknown && hadFigures && holds(now);
  }

  /**
   * Sets what was decided.
   *
   * @param unknown whether it is the fallback, as a figure is unknown
   */
  synchronized void set(
      TableLevels levels,
      ReadChoice decided,
      boolean unknown,
      long decidedNanos,
      long validForNanos,
      List<String> reasons) {
    hadFigures |= !unknown;
    Snapshot before = snapshot;
    LevelPicker picker = before.levels.equals(levels) ? before.picker : levels.picker();
    ReadChoice choice = freshFirst ? decided : levels.withinDataCentre(decided);
    if (!picker.choice().equals(choice)) {
      picker.set(choice);
    }
    List<String> all = new ArrayList<>(reasons);
    if (!choice.equals(decided)) {
      all.add("LOCAL_QUORUM at most, as levels are LOCAL: what is tolerated may be exceeded");
    }
    snapshot =
        new Snapshot(
            levels,
            picker,
            levels.fallback(freshFirst),
            true,
            unknown,
            decidedNanos,
            validForNanos,
            all);
  }

  /** Lets what was decided hold for some more time; the fallback stays. */
  synchronized void keep(long now, long forNanos, String reason) {
    Snapshot before = snapshot;
    if (holds(before)) {
      List<String> reasons = new ArrayList<>(before.reasons);
      reasons.remove(reason);
      reasons.add(reason);
      snapshot =
          new Snapshot(
              before.levels,
              before.picker,
              before.fallback,
              true,
              before.unknown,
              now,
              forNanos,
              reasons);
    }
  }

  /** Sets what the estimate says of reads of 1, 2, .. replicas; none if it cannot tell. */
  void predict(double[] rates) {
    predicted = rates;
  }

  /** Chance of a read of so many replicas to be stale, as last estimated; empty if unknown. */
  OptionalDouble predicted(int replicas) {
    double[] rates = predicted;
    return replicas <= rates.length
        ? OptionalDouble.of(rates[replicas - 1])
        : OptionalDouble.empty();
  }

  /** What the estimate says of reads of 1, 2, .. replicas; none if it cannot tell. */
  List<Double> predicted() {
    return Arrays.stream(predicted).boxed().toList();
  }

  /** Goes to the fallback if what was decided no longer holds. */
  synchronized void expire(String why) {
    Snapshot before = snapshot;
    if (before.decided && !holds(before)) {
      double seconds = before.validForNanos / 1e9;
      snapshot = fallback(before.levels, "no decision for %s s: %s".formatted(seconds, why));
    }
  }

  /** Goes to the fallback. */
  synchronized void fallBack(TableLevels levels, String reason) {
    snapshot = fallback(levels, reason);
  }

  /** The replicas that reads ask now. */
  public ReadChoice choice() {
    Snapshot now = snapshot;
    int most = now.levels.replicas();
    ReadChoice choice = holds(now) ? now.picker.choice() : now.fallback;
    return choice.replicas() > most ? ReadChoice.of(most) : choice;
  }

  /**
   * What it uses.
   *
   * @param unavailable reads of the table that were sent at the application's own level as well
   */
  LevelInUse inUse(long unavailable) {
    Snapshot now = snapshot;
    boolean holds = holds(now);
    ReadChoice choice = holds ? now.picker.choice() : now.fallback;
    ConsistencyLevel level = now.picker.level(choice.replicas());
    return new LevelInUse(
        tolerated,
        choice,
        level,
        now.levels.placement().isStrong(level, now.levels.write()),
        now.levels.write(),
        now.decided && !holds ? List.of("the last decision is too old") : now.reasons,
        !holds || now.unknown,
        unavailable);
  }
}
