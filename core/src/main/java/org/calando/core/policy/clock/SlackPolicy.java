package org.calando.core.policy.clock;

import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockObservation.Work;

/**
 * Masters at their highest clock, each replica at the lowest at which its predicted utilisation,
 * lag and time of reads stay within limits. Without late and sound figures of its work a replica
 * keeps the highest. Immutable and thread safe. {@link ClockForecast} explains the prediction.
 */
public final class SlackPolicy extends GuardedClockPolicy {
  private final SlackLimits slack;

  /**
   * A policy.
   *
   * @param limits how carefully clocks are lowered
   * @param slack what a replica must keep to
   */
  public SlackPolicy(ClockLimits limits, SlackLimits slack) {
    super(limits);
    this.slack = slack;
  }

  @Override
  public String name() {
    return "slack";
  }

  @Override
  Wish wish(Node replica, ClockObservation observation) {
    if (replica.work().isEmpty()) {
      return new Wish(replica.highestKHz(), "its work was not measured");
    }
    Work work = replica.work().get();
    long age = observation.atNanos() - work.atNanos();
    if (age < 0 || age > limits().maxAgeNanos()) {
      return new Wish(replica.highestKHz(), "its work was measured " + age / 1_000_000 + " ms ago");
    }
    if (!ClockForecast.isSound(work)) {
      return new Wish(replica.highestKHz(), "the figures of its work make no sense");
    }
    for (int i = replica.clocksKHz().size() - 1; i > 0; i--) {
      long kHz = replica.clocksKHz().get(i);
      ClockForecast forecast = ClockForecast.of(work, kHz);
      if (isWithin(replica, forecast)) {
        return new Wish(kHz, "a replica, " + words(forecast));
      }
    }
    return new Wish(
        replica.highestKHz(),
        "a replica with work for it, " + words(ClockForecast.of(work, replica.highestKHz())));
  }

  private boolean isWithin(Node replica, ClockForecast forecast) {
    return forecast.busyShare() <= slack.busyShare()
        && isWithinLag(replica.view().lagBytes().orElseThrow(), limits().lagBytes(), forecast)
        && isWithinLag(replica.view().lagNanos().orElseThrow(), limits().lagNanos(), forecast)
        && (!replica.view().servesReads() || forecast.readNanos() <= slack.readNanos());
  }

  private boolean isWithinLag(long lag, long limit, ClockForecast forecast) {
    return lag == 0
        ? Double.isFinite(forecast.lagFactor())
        : lag * forecast.lagFactor() <= slack.lagShare() * limit;
  }

  private static String words(ClockForecast forecast) {
    return "busy for " + Math.round(100 * forecast.busyShare()) + " %";
  }
}
