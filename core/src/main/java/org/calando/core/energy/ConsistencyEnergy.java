package org.calando.core.energy;

import java.util.OptionalDouble;

/*
 * The paper names two metrics and defines neither. WorkDone/EnergyUsed is taken as operations that the store has
 * acknowledged, over the joules that its nodes used for them, flushes included: a write that was only buffered is no
 * work done. ConsistencySLA/EnergyBudget is taken as the share of writes that kept what was promised of them, over
 * the joules of a thousand operations, and counts only where the agreement was met at all: a setting that is cheap
 * and breaks its promise has no place in a ranking.
 */
/**
 * What a run did and promised for its joules, after Garcia-Recuero 2014, section 2.2. Immutable and
 * thread safe.
 *
 * @param operations that the store acknowledged, 0 or more
 * @param energyJoules of the store's nodes meanwhile, gross, 0 or more
 * @param freshShare share of writes that were visible to others within the promised time, 0 .. 1;
 *     NaN where nothing was promised or nothing written
 */
public record ConsistencyEnergy(long operations, double energyJoules, double freshShare) {
  /** Share of writes that has to be as fresh as promised for the agreement to be met. */
  public static final double MET = 0.99;

  /** Checks the values. */
  public ConsistencyEnergy {
    if (operations < 0 || !(energyJoules >= 0) || freshShare < 0 || freshShare > 1) {
      throw new IllegalArgumentException(
          operations + " operations, " + energyJoules + " J, share " + freshShare);
    }
  }

  /** WorkDone/EnergyUsed, operations a joule; empty without energy. */
  public OptionalDouble workPerJoule() {
    return energyJoules == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(operations / energyJoules);
  }

  /** Whether at least {@link #MET} of the writes were as fresh as promised. */
  public boolean isMet() {
    return freshShare >= MET;
  }

  /**
   * ConsistencySLA/EnergyBudget: the share of writes as fresh as promised, over the joules of a
   * thousand operations; 0 where the agreement was not met, empty where nothing was promised or
   * done.
   */
  public OptionalDouble slaPerBudget() {
    if (Double.isNaN(freshShare) || operations == 0 || energyJoules == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(isMet() ? freshShare * operations / (1000 * energyJoules) : 0);
  }
}
