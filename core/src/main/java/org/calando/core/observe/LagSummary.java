package org.calando.core.observe;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.PropagationLags;

/** What follows from the lags sampled so far; worked out now and then. Thread safe. */
final class LagSummary {
  private static final double SHORTEST_AGE_SECONDS = 0.001;
  private static final double LONGEST_AGE_SECONDS = 1;
  private static final double FIRST_AGE_SECONDS = 0.01;

  private final SampleWindow window;
  private final LongSupplier clock;
  private volatile Optional<PropagationLags> last = Optional.empty();
  private volatile double meanAgeSeconds = FIRST_AGE_SECONDS;

  LagSummary(SampleWindow window, LongSupplier clock) {
    this.window = window;
    this.clock = clock;
  }

  /** Takes the present sample; without one the last figures stay. */
  void renew() {
    Optional<Observation.Lags> lags = window.lags(clock.getAsLong());
    if (lags.isPresent()) {
      PropagationLags sample = lags.get().sample();
      last = Optional.of(sample);
      meanAgeSeconds =
          Math.min(LONGEST_AGE_SECONDS, Math.max(SHORTEST_AGE_SECONDS, meanFinite(sample)));
    }
  }

  private static double meanFinite(PropagationLags sample) {
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < sample.samples(); i++) {
      for (int rank = 1; rank <= sample.replicas(); rank++) {
        double lag = sample.lagSeconds(i, rank);
        if (lag > 0 && lag < Double.POSITIVE_INFINITY) {
          sum += lag;
          counted++;
        }
      }
    }
    return counted == 0 ? 0 : sum / counted;
  }

  /** The sample taken last; empty before the first. */
  Optional<PropagationLags> sample() {
    return last;
  }

  double meanAgeSeconds() {
    return meanAgeSeconds;
  }
}
