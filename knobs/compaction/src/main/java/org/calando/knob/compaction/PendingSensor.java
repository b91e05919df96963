package org.calando.knob.compaction;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.calando.control.Sensor;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observed;
import org.calando.core.policy.Signals;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * How many compactions wait. Asking takes as long as the slowest node: a look begins it, and sees
 * the last answer unless that is old. Thread safe.
 */
final class PendingSensor implements Sensor {
  private static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final IntSupplier pending;
  private final String target;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile @Nullable Answer last;

  private record Answer(long atNanos, int most) {}

  /**
   * Asks nothing yet.
   *
   * @param pending asks where most wait, and blocks
   */
  PendingSensor(IntSupplier pending, String target) {
    this.pending = pending;
    this.target = target;
  }

  @Override
  public Optional<? extends Observed> look(long nowNanos) {
    if (asking.compareAndSet(false, true)) {
      var unused = DaemonThread.start("calando-compactions", () -> ask(nowNanos));
    }
    return Optional.ofNullable(last)
        .filter(answer -> nowNanos - answer.atNanos() < OLD_NANOS)
        .map(
            answer ->
                Signals.of(
                    answer.atNanos(), target, Backlog.PENDING, new Backlog.Pending(answer.most())));
  }

  private void ask(long nowNanos) {
    try {
      last = new Answer(nowNanos, pending.getAsInt());
    } catch (FailedWorkException e) {
      // A node that does not say makes the last answer older; then the knob is as before.
    } finally {
      asking.set(false);
    }
  }
}
