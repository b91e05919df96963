package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/**
 * Rethrows every error, so that one operation is one request to the cluster and what failed is
 * counted as failed. Immutable and thread safe.
 *
 * <p>The driver still goes to the next node by itself where the first has no connection or is
 * bootstrapping: nothing was sent or done there. The driver makes the instance by reflection.
 */
// The deprecation is the driver's: its interface still declares these methods abstract.
@SuppressWarnings("InlineMeSuggester")
public final class NoRetry implements RetryPolicy {
  /**
   * Called by the driver.
   *
   * @param context not used
   * @param profileName not used
   */
  public NoRetry(DriverContext context, String profileName) {}

  @Override
  @Deprecated
  public RetryDecision onReadTimeout(
      Request request, ConsistencyLevel level, int blockFor, int received, boolean data, int n) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onWriteTimeout(
      Request request, ConsistencyLevel level, WriteType type, int blockFor, int received, int n) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onUnavailable(
      Request request, ConsistencyLevel level, int required, int alive, int n) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onRequestAborted(Request request, Throwable error, int n) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onErrorResponse(Request request, CoordinatorException error, int n) {
    return RetryDecision.RETHROW;
  }

  @Override
  public void close() {}
}
