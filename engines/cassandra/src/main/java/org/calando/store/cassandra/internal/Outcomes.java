package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.calando.core.store.Outcome;

/*
 * What an error says about the data:
 *
 *   error                                             read            write
 *   Unavailable, Overloaded, Bootstrapping            REFUSED         REFUSED
 *   no node to send to, no free stream, throttled     REFUSED         REFUSED
 *   invalid, unauthorised, too long a frame           FAILED          FAILED
 *   DriverTimeout, connection or heartbeat lost       INDETERMINATE   INDETERMINATE
 *   ReadTimeout / WriteTimeout                        INDETERMINATE   INDETERMINATE
 *   ReadFailure, ServerError / WriteFailure, ...      FAILED          INDETERMINATE
 *   anything else                                     FAILED          INDETERMINATE
 *
 * A read leaves no effect whatever happens; a write that may have reached one replica can show up
 * at any time later (by a hint, or by the mutation that is still under way), and a wrong FAILED
 * would turn into a false stale read. So an unknown error of a write is INDETERMINATE.
 */
/** Tells from a driver's error how an operation ended. Stateless and thread safe. */
final class Outcomes {
  private Outcomes() {}

  static Outcome ofRead(Throwable error) {
    return of(unwrap(error), Outcome.FAILED);
  }

  static Outcome ofWrite(Throwable error) {
    return of(unwrap(error), Outcome.INDETERMINATE);
  }

  private static Outcome of(Throwable error, Outcome otherwise) {
    if (isRefusal(error)) {
      return Outcome.REFUSED;
    }
    if (error instanceof AllNodesFailedException e) {
      boolean nothingSent =
          e.getAllErrors().values().stream().flatMap(List::stream).allMatch(Outcomes::isRefusal);
      return nothingSent ? Outcome.REFUSED : otherwise;
    }
    if (error instanceof QueryValidationException
        || error instanceof FrameTooLongException
        || error instanceof CodecNotFoundException) {
      return Outcome.FAILED;
    }
    if (error instanceof DriverTimeoutException
        || error instanceof ReadTimeoutException
        || error instanceof ClosedConnectionException
        || error instanceof HeartbeatException) {
      return Outcome.INDETERMINATE;
    }
    return otherwise;
  }

  private static boolean isRefusal(Throwable error) {
    return error instanceof UnavailableException
        || error instanceof OverloadedException
        || error instanceof BootstrappingException
        || error instanceof NodeUnavailableException
        || error instanceof BusyConnectionException
        || error instanceof RequestThrottlingException;
  }

  private static Throwable unwrap(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }
}
