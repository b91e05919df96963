package org.calando.core.policy.gear;

import org.calando.core.policy.gear.GearObservation.Load;

/*
 * Nobody knows how long a load will stay low. That it has been low for a while is the only hint:
 * the policy goes down once the lower gear has done for as long as a shift down and up again takes
 * to pay. So it never loses more by waiting and shifting together than twice what the best could
 * have spent in the lull: the rule of renting skis until their rent has come to their price (Karlin
 * et al., "Competitive snoopy caching", 1988).
 */
/**
 * The lowest gear whose capacity, less head-room, holds the load as it is now. It follows a load
 * that rises: for as long as nodes boot, clients get what the lower gear serves. Immutable and
 * thread safe.
 */
public final class LoadGearPolicy extends GuardedGearPolicy {
  /** With limits of how gears are lowered. */
  public LoadGearPolicy(GearModel model, GearLimits limits) {
    super(model, limits);
  }

  @Override
  public String name() {
    return "load " + GearWords.percent(limits().headRoom());
  }

  @Override
  Wish need(GearState state, GearObservation observation, Load load) {
    int gear = gearFor(load);
    return new Wish(
        gear,
        "%s of %s"
            .formatted(
                GearWords.rate(load.perSecond(), model()),
                GearWords.rate(model().capacity(gear), model())));
  }

  @Override
  Outcome lower(GearState state, GearObservation observation, Load load, Wish lower) {
    int gear = lowerGearFor(load);
    if (gear >= state.gear()) {
      return new Outcome(
          state.wanting(state.gear()), lower.reason() + " is within the hysteresis of the lower");
    }
    GearState easing = state.easing(gear);
    DownShift shift =
        DownShift.of(
            model(),
            state.gear(),
            easing.easeGear(),
            load.perSecond(),
            load.writtenBytesPerSecond());
    double eased = easing.easeNanos() / 1e9;
    if (!(eased >= shift.breakEvenSeconds())) {
      return new Outcome(
          easing,
          "gear %d would do for %s, pays after %s"
              .formatted(
                  easing.easeGear(),
                  GearWords.time(eased),
                  GearWords.time(shift.breakEvenSeconds())));
    }
    return isResident(easing)
        ? new Outcome(easing.wanting(easing.easeGear()), lower.reason())
        : waiting(easing);
  }
}
