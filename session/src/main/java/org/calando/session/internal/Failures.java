package org.calando.session.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What went wrong with a request, in a few words. Stateless. */
public final class Failures {
  private Failures() {}

  /** The failure without what futures and the driver wrap around it. */
  public static Throwable cause(Throwable error) {
    if (error instanceof CompletionException && error.getCause() != null) {
      return cause(error.getCause());
    }
    if (error instanceof AllNodesFailedException failed) {
      for (List<Throwable> each : failed.getAllErrors().values()) {
        if (!each.isEmpty()) {
          return cause(each.get(0));
        }
      }
    }
    return error;
  }

  /** Whether a read failed because replicas did not answer that its level needs. */
  static boolean lacksReplicas(Throwable error) {
    Throwable cause = cause(error);
    return cause instanceof UnavailableException || cause instanceof ReadTimeoutException;
  }

  /** Whether no answer came in the driver's time. */
  static boolean isTimeout(Throwable error) {
    return cause(error) instanceof DriverTimeoutException;
  }

  /** Whether the connection was lost on which the answer was to come. */
  static boolean isConnectionLost(Throwable error) {
    Throwable cause = cause(error);
    return cause instanceof ClosedConnectionException || cause instanceof HeartbeatException;
  }

  /** Whether the server does not want to answer, rather than cannot. */
  public static boolean refused(Throwable cause) {
    return cause instanceof UnauthorizedException || cause instanceof InvalidQueryException;
  }

  /** One line for people. */
  public static String text(Throwable cause) {
    if (cause instanceof DriverTimeoutException) {
      return "did not answer in time";
    }
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
