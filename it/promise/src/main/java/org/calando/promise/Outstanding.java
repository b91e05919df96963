package org.calando.promise;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts requests under way, and reads what the driver tells of them. Thread safe. */
final class Outstanding {
  private int requests;

  synchronized void begun() {
    requests++;
  }

  synchronized void ended() {
    requests--;
    notifyAll();
  }

  /** Waits until all are answered; the driver ends each after its own time. */
  synchronized boolean await(long seconds) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (long left = deadline - System.nanoTime();
        requests > 0 && left > 0;
        left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return requests == 0;
  }

  /** Simple name of what went wrong; empty for nothing. */
  static String error(@Nullable Throwable failure) {
    return failure == null ? "" : cause(failure).getClass().getSimpleName();
  }

  /** What the driver says of a failed request, if it says anything. */
  static @Nullable ExecutionInfo info(Throwable failure) {
    return cause(failure) instanceof DriverException known ? known.getExecutionInfo() : null;
  }

  private static Throwable cause(Throwable failure) {
    Throwable inner = failure.getCause();
    return failure instanceof CompletionException && inner != null ? inner : failure;
  }

  /** The level at which a request was really sent; empty if that is not known. */
  static String level(@Nullable ExecutionInfo info, String sessionLevel) {
    if (info == null || !(info.getRequest() instanceof Statement<?> statement)) {
      return "";
    }
    var own = statement.getConsistencyLevel();
    return own == null ? sessionLevel : own.name();
  }
}
