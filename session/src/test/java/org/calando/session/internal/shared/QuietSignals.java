package org.calando.session.internal.shared;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.internal.CostMeter;
import org.calando.session.internal.WatchedTable;

/**
 * Signals of a keyspace of which nothing is measured: three replicas answer, and nothing more is
 * known.
 */
public final class QuietSignals {
  private QuietSignals() {}

  /**
   * Signals of tables.
   *
   * @param idle whether nobody has read them for a while
   */
  public static SharedSignals of(List<WatchedTable> tables, LongSupplier clock, boolean idle) {
    return of(tables, clock, idle, Runnable::run);
  }

  /**
   * Signals of tables.
   *
   * @param ticks takes what is to be repeated
   */
  public static SharedSignals of(
      List<WatchedTable> tables, LongSupplier clock, boolean idle, Consumer<Runnable> ticks) {
    return new SharedSignals(
        new SharedSignals.Setup(
            tables,
            "",
            () -> ConsistencyLevel.QUORUM,
            Optional.empty(),
            "no rows",
            LeadershipSettings.usual(idle ? 0 : Long.MAX_VALUE),
            names -> {
              throw new IllegalStateException("nothing is measured here");
            },
            () -> 3,
            timer(ticks),
            clock),
        new CostMeter());
  }

  /** A timer that hands on what is to be repeated, and does nothing else. */
  private static ScheduledExecutorService timer(Consumer<Runnable> ticks) {
    return (ScheduledExecutorService)
        Proxy.newProxyInstance(
            QuietSignals.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (proxy, method, args) -> {
              if (method.getName().equals("scheduleWithFixedDelay")) {
                ticks.accept((Runnable) args[0]);
              }
              return null;
            });
  }
}
