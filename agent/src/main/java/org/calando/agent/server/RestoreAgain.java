package org.calando.agent.server;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.calando.clock.RestoreReport;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;

/**
 * Restores again what could not be restored at the end of a lease, ever later, until it is as
 * before or nobody can say how it was; reports when what hinders it changes. What somebody else has
 * set since stays, and is looked at again each minute, as is a processor that is offline. Thread
 * safe.
 */
final class RestoreAgain implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Supplier<RestoreReport> restore;
  private final Consumer<String> news;
  private final LongSupplier nanos;

  /** Of restoring, so that who only notes that something is left does not wait for it. */
  private final Object restoring = new Object();

  // Guarded by this.
  private boolean left;
  private long noted;
  private long againNanos;
  private long pauseNanos;
  private String reported = "";

  RestoreAgain(Supplier<RestoreReport> restore, Consumer<String> news, LongSupplier nanos) {
    this.restore = restore;
    this.news = news;
    this.nanos = nanos;
  }

  /** Something is not restored, which has been reported. Does not wait. */
  synchronized void later() {
    left = true;
    noted++;
    pauseNanos = FIRST_PAUSE_NANOS;
    againNanos = nanos.getAsLong() + pauseNanos;
  }

  /** Tries again if something is left and it is time to. */
  void tick() {
    if (!isTime()) {
      return;
    }
    String hinders = restore();
    news(hinders).ifPresent(news);
  }

  private synchronized boolean isTime() {
    return left && nanos.getAsLong() - againNanos >= 0;
  }

  private synchronized Optional<String> news(String hinders) {
    if (hinders.isEmpty()) {
      return Optional.of("the remaining knobs are restored");
    }
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    againNanos = nanos.getAsLong() + pauseNanos;
    boolean isNew = !hinders.equals(reported);
    reported = hinders;
    return isNew
        ? Optional.of("not everything is restored yet, which is tried again: " + hinders)
        : Optional.empty();
  }

  /** Restores; returns what hinders that, empty if nothing is left. */
  private String restore() {
    synchronized (restoring) {
      long before = noted();
      String hinders;
      try {
        RestoreReport report = restore.get();
        hinders = report.ok() ? "" : report.lines().stream().collect(Collectors.joining("; "));
      } catch (CalandoException e) {
        hinders = String.valueOf(e.getMessage());
      }
      restored(before, hinders.isEmpty());
      return hinders;
    }
  }

  private synchronized long noted() {
    return noted;
  }

  /** What was noted meanwhile may have come too late for this. */
  private synchronized void restored(long before, boolean all) {
    left = !all || noted != before;
  }

  /** Whether something is not restored. Does not wait. */
  synchronized boolean isLeft() {
    return left;
  }

  /**
   * {@inheritDoc} Tries once more.
   *
   * @throws FailedWorkException naming what is left
   */
  @Override
  public void close() {
    String hinders = isLeft() ? restore() : "";
    if (!hinders.isEmpty()) {
      throw new FailedWorkException(hinders, "agent", "./calando restore");
    }
  }
}
