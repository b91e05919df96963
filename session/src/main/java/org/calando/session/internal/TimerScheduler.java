package org.calando.session.internal;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.calando.core.time.Clock;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.Scheduler;

/**
 * A timer of one thread as a scheduler of a session's loops, by the session's clock. Thread safe.
 *
 * @param mostNanos no task is put off for longer, even if the clock was set back meanwhile
 * @param cost counts what the tasks cost
 */
public record TimerScheduler(
    ScheduledExecutorService timer, Clock clock, long mostNanos, CostMeter cost)
    implements Scheduler {
  /** A timer of one daemon thread, which forgets what is not due when it is shut down. */
  public static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = DaemonThread.of(name, work);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  /**
   * {@inheritDoc}
   *
   * @throws RejectedExecutionException if the timer is shut down
   */
  @Override
  public void at(long atNanos, Runnable task) {
    long delay = Math.min(mostNanos, Math.max(0, atNanos - clock.nanos()));
    var unused = timer.schedule(() -> cost.run(task), delay, TimeUnit.NANOSECONDS);
  }
}
