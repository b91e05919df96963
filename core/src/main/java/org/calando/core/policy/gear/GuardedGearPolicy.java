package org.calando.core.policy.gear;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.GearObservation.Load;

/*
 * A gear that is too low costs clients, one that is too high costs joules. So
 *
 *   the highest gear at once   unless all nodes of the present gear serve and the load is known of
 *                              late (the guard)
 *   a higher gear at once      if the policy needs it, or the load is above what the gear serves
 *                              with its head-room
 *   a lower gear               when the policy says so, and not before the present one has been
 *                              held for the residency
 */
/** What the policies that know the load have in common. Immutable and thread safe. */
abstract class GuardedGearPolicy implements GearPolicy {
  private final GearModel model;
  private final GearLimits limits;

  GuardedGearPolicy(GearModel model, GearLimits limits) {
    this.model = model;
    this.limits = limits;
  }

  /** A gear that is wanted, and why. */
  record Wish(int gear, String reason) {}

  /** What the load shows is learnt from it. */
  LoadHistory learn(LoadHistory history, GearObservation observation, Load load) {
    return history;
  }

  /** The lowest gear that will do from now until a shift up that is ordered later is over. */
  abstract Wish need(GearState state, GearObservation observation, Load load);

  /**
   * The next state where a lower gear than the present one will do, with the gear that is decided
   * for in it.
   *
   * @param lower the lowest that will do, with its reason
   */
  abstract Outcome lower(GearState state, GearObservation observation, Load load, Wish lower);

  /** A state and why it is so. */
  record Outcome(GearState state, String reason) {}

  final GearModel model() {
    return model;
  }

  final GearLimits limits() {
    return limits;
  }

  @Override
  public final Step<GearState> decide(GearState last, GearObservation observation) {
    GearState state = last.advancedTo(observation, limits.maxAgeNanos());
    Optional<String> doubt = doubt(observation);
    // A load that is known is learnt even while a node has failed.
    Optional<Load> load = observation.load().filter(known -> isOfLate(known, observation));
    if (load.isPresent()) {
      state = state.with(learn(state.history(), observation, load.get()));
    }
    Outcome outcome =
        doubt.isPresent() || load.isEmpty()
            ? new Outcome(state.wanting(model.highest()), doubt.orElse("the load is not known"))
            : decide(state, observation, load.get());
    int gear = outcome.state().gear();
    return new Step<>(
        outcome.state(),
        List.of(new Setting<>(KnobId.GEAR, observation.target(), gear)),
        List.of(name() + ": gear " + gear + ": " + outcome.reason()));
  }

  private Outcome decide(GearState state, GearObservation observation, Load load) {
    int present = Math.min(state.gear(), model.highest());
    Wish need = need(state, observation, load);
    if (need.gear() >= present) {
      return new Outcome(state.wanting(need.gear()), need.reason());
    }
    if (state.gear() > present) {
      return new Outcome(state.wanting(present), "there is no gear " + state.gear());
    }
    return lower(state, observation, load, need);
  }

  private Optional<String> doubt(GearObservation observation) {
    if (observation.failedNodes() > 0) {
      return Optional.of(observation.failedNodes() + " nodes do not serve");
    }
    if (observation.load().isEmpty()) {
      return Optional.of("the load is not known");
    }
    Load load = observation.load().get();
    if (!load.isSound()) {
      return Optional.of("the load makes no sense: " + load);
    }
    long age = observation.atNanos() - load.atNanos();
    return age < 0 || age > limits.maxAgeNanos()
        ? Optional.of("the load is of " + GearWords.time(age / 1e9) + " ago")
        : Optional.empty();
  }

  private boolean isOfLate(Load load, GearObservation observation) {
    long age = observation.atNanos() - load.atNanos();
    return load.isSound() && age >= 0 && age <= limits.maxAgeNanos();
  }

  /** Of the load as it is. */
  final int gearFor(Load load) {
    return model.lowestFor(load.perSecond(), limits.headRoom());
  }

  /** Of the load as it is, for a shift down to it. */
  final int lowerGearFor(Load load) {
    return model.lowestFor(load.perSecond(), limits.headRoom() + limits.hysteresis());
  }

  /** Whether the present gear has been held for long enough to leave it for a lower one. */
  final boolean isResident(GearState state) {
    return state.heldNanos() >= limits.residencyNanos();
  }

  final Outcome waiting(GearState state) {
    return new Outcome(
        state,
        "held for %s of %s"
            .formatted(
                GearWords.time(state.heldNanos() / 1e9),
                GearWords.time(limits.residencyNanos() / 1e9)));
  }
}
