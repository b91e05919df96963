package org.calando.session.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;

/** A canary's settings, as {@link org.calando.session.CanaryBuilder} explains them. */
public record CanarySettings(
    double perSecond,
    Duration deadline,
    Duration requestTimeout,
    int windowSize,
    Duration windowAge,
    int valueBytes,
    Supplier<ConsistencyLevel> writeLevel,
    Supplier<ReadChoice> readChoice,
    Optional<DoubleSupplier> meanAgeSeconds,
    Optional<String> dataCentre,
    LongSupplier clock,
    Optional<ScheduledExecutorService> timer) {
  public static final Duration DEADLINE = Duration.ofSeconds(2);
  public static final Duration REQUEST_TIMEOUT = Duration.ofMillis(500);
  public static final int WINDOW_SIZE = 256;
  public static final Duration WINDOW_AGE = Duration.ofSeconds(60);
  public static final int VALUE_BYTES = 100;

  /** The builder's defaults of all that is not given here. */
  public static CanarySettings usual(
      double perSecond,
      Supplier<ConsistencyLevel> writeLevel,
      Supplier<ReadChoice> readChoice,
      Optional<String> dataCentre,
      LongSupplier clock) {
    return new CanarySettings(
        perSecond,
        DEADLINE,
        REQUEST_TIMEOUT,
        WINDOW_SIZE,
        WINDOW_AGE,
        VALUE_BYTES,
        writeLevel,
        readChoice,
        Optional.empty(),
        dataCentre,
        clock,
        Optional.empty());
  }
}
