package org.calando.core.energy;

import org.calando.core.BadRequestException;

/*
 * Of its power when busy at the fastest clock, a core draws
 *
 *   S + (1 - S) r (u + (1 - u) i)
 *
 * S static share (leakage, uncore), r = V^2 f over that of the fastest clock, u busy share, i idle
 * activity: what an idle core draws of a busy one's dynamic power. The energy of cores is the sum of
 * the integrals of it, and a sum of three kinds of time (CoreSeconds) says all that it needs:
 *
 *   E / watts = S T + (1 - S) (B + i I)      T time, B = sum of r busy, I = sum of r idle time
 *
 * i is what published savings hang on. Concerto's arithmetic multiplies power by elapsed time, which
 * is i = 1: an idle core draws as much as a busy one of the same clock. Cores that sleep when idle
 * are nearer to i = 0, where a slow core saves little, since it is busy for longer. Both are to be
 * reported beside what was declared.
 */
/**
 * How the power of a core depends on its clock and on whether it is busy. Immutable and thread
 * safe.
 *
 * @param staticShare part of a busy core's power at the fastest clock that goes on at any clock, 0
 *     .. 1
 * @param idleActivity dynamic power of an idle core as a share of a busy one's, 0 .. 1
 */
public record CorePower(double staticShare, double idleActivity) {
  /**
   * Checks the shares.
   *
   * @throws BadRequestException if one is none
   */
  public CorePower {
    if (!(staticShare >= 0 && staticShare <= 1 && idleActivity >= 0 && idleActivity <= 1)) {
      throw new BadRequestException(
          "static share %s, idle activity %s".formatted(staticShare, idleActivity),
          "",
          "give shares of 0 to 1");
    }
  }

  /**
   * Of cores whose idle power at the fastest clock is known.
   *
   * @param idleShare idle power at the fastest clock over busy power, at least {@code idleActivity}
   * @param idleActivity as above, below 1
   */
  public static CorePower ofIdleShare(double idleShare, double idleActivity) {
    double staticShare = (idleShare - idleActivity) / (1 - idleActivity);
    // Where both shares are the same, rounding may leave less than nothing.
    boolean rounded = staticShare < 0 && staticShare > -1e-9;
    return new CorePower(rounded ? 0 : staticShare, idleActivity);
  }

  /** The same where idle cores draw no dynamic power: i = 0. */
  public CorePower busyOnly() {
    return new CorePower(staticShare, 0);
  }

  /** The same where idle cores draw as much as busy ones: i = 1. */
  public CorePower idleCharged() {
    return new CorePower(staticShare, 1);
  }

  /**
   * Power over that of a busy core at the fastest clock, 0 .. 1.
   *
   * @param relativePower the clock's, {@link PStates#relativePower}
   * @param busyShare 0 .. 1
   */
  public double share(double relativePower, double busyShare) {
    return staticShare
        + (1 - staticShare) * relativePower * (busyShare + (1 - busyShare) * idleActivity);
  }

  /**
   * Energy of cores in joules.
   *
   * @param time their time
   * @param busyWatts power of one of them when busy at the fastest clock, 0 or more; 1 for energy
   *     in seconds of such a core
   */
  public double joules(CoreSeconds time, double busyWatts) {
    double dynamic = time.busyAtFastest() + idleActivity * time.idleAtFastest();
    return busyWatts * (staticShare * time.seconds() + (1 - staticShare) * dynamic);
  }

  /**
   * What is saved of a reference's energy, as a share; below 0 where more is used.
   *
   * @param time time of the cores
   * @param reference time of the same work otherwise
   */
  public double saving(CoreSeconds time, CoreSeconds reference) {
    return 1 - joules(time, 1) / joules(reference, 1);
  }
}
