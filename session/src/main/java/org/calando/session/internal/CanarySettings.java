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
    Optional<ScheduledExecutorService> timer) {}
