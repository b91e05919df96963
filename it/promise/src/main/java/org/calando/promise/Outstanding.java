package org.calando.promise;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts requests under way, and reads what the driver tells of them. Thread safe. */
final class Outstanding {
  private static final long POLL_MILLIS = 10;

  private final AtomicInteger requests = new AtomicInteger();

  void begun() {
    requests.incrementAndGet();
  }

  void ended() {
    requests.decrementAndGet();
  }

  /** Waits until all are answered; the driver ends each after its own time. */
  boolean await(long seconds) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (requests.get() > 0 && System.nanoTime() - deadline < 0) {
      Thread.sleep(POLL_MILLIS);
    }
    return requests.get() == 0;
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
