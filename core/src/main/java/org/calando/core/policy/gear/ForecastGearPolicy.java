package org.calando.core.policy.gear;

import java.util.Optional;
import org.calando.core.policy.gear.GearObservation.Load;

/**
 * The gear that the load of now and the forecast of what comes need: it shifts up early by the time
 * that nodes boot, and down only where that saves energy before the forecast wants the nodes back.
 * What is forecast has its own error as head-room, the load of now that of the limits, which may be
 * less than {@link LoadGearPolicy} needs: it has surprises to hold and not the morning's rise.
 * Where history says nothing of a time, the highest gear is kept. Immutable and thread safe.
 */
public final class ForecastGearPolicy extends GuardedGearPolicy {
  private final ForecastLimits forecast;
  private final long decisionSeconds;

  /**
   * A policy.
   *
   * @param decisionSeconds greatest time between decisions, in seconds of the loop's clock, 0 or
   *     more: what is needed by the next decision is ordered in this one
   */
  public ForecastGearPolicy(
      GearModel model, GearLimits limits, ForecastLimits forecast, long decisionSeconds) {
    super(model, limits);
    this.forecast = forecast;
    this.decisionSeconds = decisionSeconds;
  }

  @Override
  public String name() {
    return "forecast " + GearWords.percent(limits().headRoom());
  }

  @Override
  LoadHistory learn(LoadHistory history, GearObservation observation, Load load) {
    LoadHistory known =
        history.equals(LoadHistory.NONE) || history.slotSeconds() != forecast.slotSeconds()
            ? LoadHistory.of(forecast.slotSeconds())
            : history;
    return known.seeing(
        observation.localSeconds(), load.perSecond(), forecast.smoothing(), forecast.firstError());
  }

  @Override
  Wish need(GearState state, GearObservation observation, Load load) {
    int gear = gearFor(load);
    String reason = GearWords.rate(load.perSecond(), model()) + " now";
    LoadHistory history = state.history();
    long last = slotAfter(observation, history, leadSeconds(state.gear()));
    for (long slot = history.slotOf(observation.localSeconds()); slot <= last; slot++) {
      int later = gearIn(history, slot, 0);
      if (later > gear) {
        gear = later;
        reason = forecastIn(history, slot);
      }
    }
    return new Wish(gear, reason);
  }

  /** Until a shift up that the next decision orders is over. */
  private double leadSeconds(int present) {
    int from = Math.min(present, model().highest());
    return model().shiftSeconds(from, model().highest()) + decisionSeconds;
  }

  private long slotAfter(GearObservation observation, LoadHistory history, double seconds) {
    return history.slotOf(
        observation.localSeconds() + (long) Math.ceil(seconds * forecast.speed()));
  }

  private int gearIn(LoadHistory history, long slot, double free) {
    return model().lowestFor(history.upper(slot, forecast.errors()), free);
  }

  private String forecastIn(LoadHistory history, long slot) {
    double upper = history.upper(slot, forecast.errors());
    return Double.isInfinite(upper)
        ? "nothing is known of what comes"
        : "up to " + GearWords.rate(upper, model()) + " forecast";
  }

  @Override
  Outcome lower(GearState state, GearObservation observation, Load load, Wish lower) {
    if (!isResident(state)) {
      return waiting(state.wanting(state.gear()));
    }
    return best(state, observation, load, Math.max(lower.gear(), lowerGearFor(load)))
        .map(plan -> new Outcome(state.wanting(plan.gear()), lower.reason() + ", " + plan.text()))
        .orElseGet(
            () ->
                new Outcome(
                    state.wanting(state.gear()),
                    lower.reason() + ", but the nodes are wanted back before a shift pays"));
  }

  private record Lull(int gear, double seconds, double joules) {
    String text() {
      return "%s until more is wanted, saves %s kJ"
          .formatted(GearWords.time(seconds), GearWords.number(joules / 1000));
    }
  }

  /** The gear below the present one that saves most; empty if none saves anything. */
  private Optional<Lull> best(GearState state, GearObservation observation, Load load, int lowest) {
    Lull best = new Lull(0, 0, 0);
    for (int gear = lowest; gear < state.gear(); gear++) {
      DownShift shift =
          DownShift.of(model(), state.gear(), gear, load.perSecond(), load.writtenBytesPerSecond());
      double seconds = lullSeconds(state, observation, gear);
      if (shift.paysAfter(seconds) && shift.netJoules(seconds) > best.joules()) {
        best = new Lull(gear, seconds, shift.netJoules(seconds));
      }
    }
    return Optional.of(best).filter(lull -> lull.gear() > 0);
  }

  /** From now until the shift up from a gear will have to be ordered; at most a week. */
  private double lullSeconds(GearState state, GearObservation observation, int gear) {
    LoadHistory history = state.history();
    long first = history.slotOf(observation.localSeconds());
    long end = first + 7 * 86_400 / history.slotSeconds();
    long slot = first;
    while (slot < end && gearIn(history, slot, limits().hysteresis()) <= gear) {
      slot++;
    }
    double until = (slot * history.slotSeconds() - observation.localSeconds()) / forecast.speed();
    return Math.max(0, until - leadSeconds(gear));
  }
}
