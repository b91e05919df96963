package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.Canary;
import org.calando.session.Monitor;
import org.calando.session.MonitorFigures;
import org.calando.session.TableName;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.LiveSchema;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's table on a live cluster, looked at for a while: how often it is read and written by
 * all clients, and how late its replicas are. Only reads, unless a canary is asked for. Not thread
 * safe.
 */
public final class LiveTable implements AutoCloseable {
  private static final Duration NODE_DEADLINE = Duration.ofSeconds(2);
  private static final int MOST_SAMPLES = 4096;

  private final CqlSession driver;
  private final TableName table;
  private final LiveSchema schema;
  private final Monitor monitor;
  private @Nullable Canary canary;

  private LiveTable(CqlSession driver, TableName table) {
    this.driver = driver;
    this.table = table;
    this.schema = LiveSchema.of(driver, table);
    this.monitor = Monitor.builder(driver).watch(table).deadline(NODE_DEADLINE).build();
  }

  /**
   * Connects; blocks.
   *
   * @param config how to; its keyspace does not matter
   * @throws org.calando.core.BadRequestException if there is no such table, or its replicas cannot
   *     be counted
   * @throws FailedWorkException if the cluster does not answer, or refuses the user
   */
  public static LiveTable connect(CassandraStoreConfig config, TableName table) {
    CqlSession driver = Connector.connect(config, table.keyspace());
    try {
      return new LiveTable(driver, table);
    } catch (RuntimeException e) {
      Connector.close(driver);
      throw e;
    }
  }

  /** Replicas of each key over all data centres, N. */
  public int replicas() {
    return schema.replicas();
  }

  /** Whether Calando created the table's keyspace. */
  public boolean isOurs() {
    return schema.isOurs();
  }

  /**
   * Begins to write canaries to a table of Calando's own in the table's keyspace, which is made if
   * need be; blocks until then.
   *
   * @param write level of the canaries' writes: that of the table's
   * @param perSecond above 0, at most 100
   * @param atMost how long it is looked at
   * @throws org.calando.core.BadRequestException if the user may not do so, or the table is
   *     somebody else's
   * @throws FailedWorkException if the cluster does not answer
   */
  public void startCanary(ConsistencyLevel write, double perSecond, Duration atMost) {
    try {
      canary =
          Canary.builder(driver, table.keyspace())
              .writeLevel(write)
              .perSecond(perSecond)
              .window(MOST_SAMPLES, atMost.plusSeconds(10))
              .start();
    } catch (DriverException e) {
      throw new FailedWorkException(
          "the canary cannot start: " + e.getMessage(), "table " + table, "", e);
    }
  }

  /**
   * Asks every node for its counts; blocks until each has answered or missed its deadline. Rates
   * are those between the last two calls.
   *
   * @throws org.calando.core.BadRequestException if the user may not read the counts, or the server
   *     is older than 4.0
   * @throws FailedWorkException if no node answers
   */
  public void count() {
    monitor.check();
  }

  /**
   * Requests for the table, of all clients.
   *
   * @throws FailedWorkException if a node did not tell its counts twice
   */
  public Observation.Rates rates() {
    MonitorFigures figures = monitor.figures(table);
    String late =
        figures.late().stream()
            .map(gap -> gap.node() + " " + gap.reason())
            .collect(Collectors.joining("; "));
    return figures
        .rates()
        .filter(rates -> late.isEmpty())
        .orElseThrow(
            () ->
                new FailedWorkException(
                    late.isEmpty() ? "not every node told its counts twice" : late,
                    "the rates of table " + table,
                    "look whether the nodes are overloaded, and try again"));
  }

  /**
   * How late the canary's writes reached replicas.
   *
   * @return empty if there is no canary, or none has come back
   */
  public Optional<PropagationLags> lags() {
    return canary == null
        ? Optional.empty()
        : canary
            .lags()
            .map(Observation.Lags::sample)
            .filter(sample -> sample.replicas() == replicas());
  }

  /** Why the last canary that failed did; empty if none did. */
  public Optional<String> canaryFailure() {
    return canary == null ? Optional.empty() : canary.lastFailure();
  }

  /** Stops looking. Idempotent. */
  @Override
  public void close() {
    if (canary != null) {
      canary.close();
    }
    Connector.close(driver);
  }
}
