package org.calando.core.policy.joint;

import org.calando.core.policy.Correction;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StateText;

/**
 * What a joint controller remembers. Immutable and thread safe. Times are of the loop's clock, and
 * only their differences count.
 *
 * @param atNanos when it last decided
 * @param set what it last decided for
 * @param times what it waits for
 * @param learnt what it has seen of its predictions
 */
public record JointState(long atNanos, Set set, Times times, Learnt learnt) {
  private static final String KIND = "joint/1";

  /** Nothing decided yet. */
  public static final JointState INITIAL =
      new JointState(
          0,
          new Set(ReadChoice.of(1), 0, 0, 0),
          new Times(0, 0, 0, 0, 0, 0, 0, 0),
          new Learnt(1, 1, 1, Correction.NONE, LoadTrend.NONE));

  /**
   * What was decided for.
   *
   * @param reads replicas that reads ask
   * @param gear the gear; 0 before the first decision
   * @param serving the gear whose nodes served then; 0 if that was never known
   * @param kHz the clock of the cores
   */
  public record Set(ReadChoice reads, int gear, int serving, long kHz) {}

  /**
   * What is waited for, in ns, each 0 or more.
   *
   * @param sameNanos for how long levels and clocks have been as they are
   * @param gearNanos for how long the gear has
   * @param calmNanos for how long less than these would have done
   * @param otherGear the gear that has been cheaper for {@code otherNanos}; 0 for none
   * @param otherNanos see there
   * @param lateNanos for how much longer replicas are taken to lack writes
   * @param servedNanos for how long the same nodes have served
   * @param brokenNanos for how long a part has been seen to be broken
   */
  public record Times(
      long sameNanos,
      long gearNanos,
      long calmNanos,
      int otherGear,
      long otherNanos,
      long lateNanos,
      long servedNanos,
      long brokenNanos) {
    /** Less than levels and clocks are would have done for so long. */
    Times calm(long nanos) {
      return new Times(
          sameNanos, gearNanos, nanos, otherGear, otherNanos, lateNanos, servedNanos, brokenNanos);
    }

    /** Replicas may lack writes for so long, or for as long as was known before. */
    Times late(long nanos) {
      long late = Math.max(lateNanos, nanos);
      return new Times(sameNanos, gearNanos, 0, 0, 0, late, servedNanos, brokenNanos);
    }

    /** A part has been broken for so long; 0 if none is. */
    Times broken(long nanos) {
      return new Times(
          sameNanos,
          gearNanos,
          nanos > 0 ? 0 : calmNanos,
          otherGear,
          otherNanos,
          lateNanos,
          servedNanos,
          nanos);
    }

    /** Another gear has been cheaper for so long; 0 if none is. */
    Times other(int gear, long nanos) {
      return new Times(
          sameNanos, gearNanos, calmNanos, gear, nanos, lateNanos, servedNanos, brokenNanos);
    }
  }

  /**
   * What was seen over what was predicted.
   *
   * @param work core time, above 0
   * @param latency the 99th percentile of reads, above 0
   * @param skew the busiest node over the mean, 1 or more
   * @param stale of stale reads, by canary reads
   * @param load operations a second
   */
  public record Learnt(double work, double latency, double skew, Correction stale, LoadTrend load) {
    Learnt with(Correction newStale) {
      return new Learnt(work, latency, skew, newStale, load);
    }
  }

  /** The state as a line of text. */
  public String write() {
    Correction c = learnt.stale();
    LoadTrend load = learnt.load();
    return String.join(
        " ",
        KIND,
        "at=" + atNanos,
        "replicas=" + set.reads().replicas(),
        "above=" + set.reads().shareAbove(),
        "gear=" + set.gear(),
        "serving=" + set.serving(),
        "khz=" + set.kHz(),
        "same=" + times.sameNanos(),
        "held=" + times.gearNanos(),
        "calm=" + times.calmNanos(),
        "other=" + times.otherGear(),
        "waited=" + times.otherNanos(),
        "late=" + times.lateNanos(),
        "served=" + times.servedNanos(),
        "broken=" + times.brokenNanos(),
        "work=" + learnt.work(),
        "latency=" + learnt.latency(),
        "skew=" + learnt.skew(),
        "factor=" + c.factor(),
        "excess=" + c.excess(),
        "stale=" + c.stale(),
        "predicted=" + c.predicted(),
        "seen=" + c.seenNanos(),
        "load=" + load.level(),
        "n=" + load.n(),
        "t=" + load.t(),
        "tt=" + load.tt(),
        "y=" + load.y(),
        "ty=" + load.ty(),
        "yy=" + load.yy());
  }

  /**
   * The state that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static JointState read(String text) {
    StateText state = new StateText(KIND, text);
    JointState read =
        new JointState(
            state.takeLong("at"),
            new Set(
                new ReadChoice(state.takeInt("replicas"), state.takeDouble("above")),
                state.takeInt("gear"),
                state.takeInt("serving"),
                state.takeLong("khz")),
            new Times(
                state.takeLong("same"),
                state.takeLong("held"),
                state.takeLong("calm"),
                state.takeInt("other"),
                state.takeLong("waited"),
                state.takeLong("late"),
                state.takeLong("served"),
                state.takeLong("broken")),
            new Learnt(
                state.takeDouble("work"),
                state.takeDouble("latency"),
                state.takeDouble("skew"),
                new Correction(
                    state.takeDouble("factor"),
                    state.takeDouble("excess"),
                    state.takeDouble("stale"),
                    state.takeDouble("predicted"),
                    state.takeLong("seen")),
                new LoadTrend(
                    state.takeDouble("load"),
                    state.takeDouble("n"),
                    state.takeDouble("t"),
                    state.takeDouble("tt"),
                    state.takeDouble("y"),
                    state.takeDouble("ty"),
                    state.takeDouble("yy"))));
    state.requireEmpty();
    return read;
  }

  /** As time goes on; waiting begins anew after a gap, or where somebody else has shifted. */
  JointState advancedTo(long nowNanos, int gear, long maxGapNanos) {
    long gap = nowNanos - atNanos;
    boolean known = gap >= 0 && gap <= maxGapNanos;
    boolean goesOn = known && set.gear() == gear;
    Times next =
        new Times(
            goesOn ? times.sameNanos() + gap : 0,
            goesOn ? times.gearNanos() + gap : 0,
            goesOn ? times.calmNanos() : 0,
            goesOn ? times.otherGear() : 0,
            goesOn ? times.otherNanos() : 0,
            known ? Math.max(0, times.lateNanos() - gap) : times.lateNanos(),
            known ? times.servedNanos() + gap : 0,
            known ? times.brokenNanos() : 0);
    return new JointState(nowNanos, set, next, learnt);
  }

  JointState with(Learnt newLearnt) {
    return new JointState(atNanos, set, times, newLearnt);
  }

  JointState with(Times newTimes) {
    return new JointState(atNanos, set, newTimes, learnt);
  }

  /** With what is decided for; waiting for what has changed begins anew. */
  JointState deciding(Set next) {
    boolean same = next.reads().equals(set.reads()) && next.kHz() == set.kHz();
    boolean sameGear = next.gear() == set.gear();
    Times waits =
        new Times(
            same ? times.sameNanos() : 0,
            sameGear ? times.gearNanos() : 0,
            same ? times.calmNanos() : 0,
            sameGear ? times.otherGear() : 0,
            sameGear ? times.otherNanos() : 0,
            times.lateNanos(),
            next.serving() == set.serving() ? times.servedNanos() : 0,
            times.brokenNanos());
    return new JointState(atNanos, next, waits, learnt);
  }
}
