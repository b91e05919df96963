package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.calando.core.observe.CanaryAccess;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.jspecify.annotations.Nullable;

/**
 * Carries a canary's requests on a driver's session, and counts what they cost. Thread safe.
 *
 * @param filler what a write carries; read only
 */
record DriverCanaries(
    CqlSession session,
    CanaryTable table,
    ScheduledExecutorService timer,
    LongSupplier clock,
    boolean local,
    Duration requestTimeout,
    ByteBuffer filler,
    CostMeter cost,
    CanaryTrouble trouble)
    implements CanaryAccess<Node> {
  @Override
  public long nowNanos() {
    return clock.getAsLong();
  }

  @Override
  public void later(long delayNanos, Runnable work) {
    try {
      var unused = timer.schedule(() -> cost.run(work), delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The timer is shut down: the canary ends here, without a sample.
    }
  }

  @Override
  public void write(
      long key, long version, ConsistencyLevel level, Consumer<Optional<String>> acknowledged) {
    BoundStatement write =
        table
            .write()
            .bind(key, version, filler.duplicate())
            .setConsistencyLevel(DriverLevels.of(level))
            // The version orders a key's writes, whatever this machine's clock does meanwhile.
            .setQueryTimestamp(version)
            .setIdempotent(false)
            .setTimeout(requestTimeout);
    cost.request();
    var unused =
        Requests.send(session, write)
            .whenComplete(
                (answer, error) -> {
                  trouble.wrote(error);
                  cost.run(
                      () ->
                          acknowledged.accept(
                              Optional.ofNullable(error).map(Failures::cause).map(Failures::text)));
                });
  }

  @Override
  public void read(long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
    send(statement(key, level), found);
  }

  /** A replica, as of the driver's token-aware requests. */
  @Override
  public Node drawCoordinator(List<Node> replicas) {
    return replicas.get(ThreadLocalRandom.current().nextInt(replicas.size()));
  }

  /** Those nearest to the coordinator; a dynamic snitch changes them now and then. */
  @Override
  public boolean asksTheSame() {
    return true;
  }

  @Override
  public void readThrough(
      Node node, long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
    send(statement(key, level).setNode(node), found);
  }

  @Override
  public void readCopy(Node node, long key, Consumer<OptionalLong> found) {
    readThrough(node, key, local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE, found);
  }

  @Override
  public boolean mayAnswer(Node node) {
    return !Nodes.isDown(node) && Nodes.mayBeAsked(node);
  }

  @Override
  public Object id(Node node) {
    return Objects.requireNonNullElse(node.getHostId(), node);
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  private BoundStatement statement(long key, ConsistencyLevel level) {
    return table
        .read()
        .bind(key)
        .setConsistencyLevel(DriverLevels.of(level))
        .setIdempotent(false)
        .setTimeout(requestTimeout);
  }

  private void send(BoundStatement statement, Consumer<OptionalLong> found) {
    cost.request();
    var unused =
        Requests.send(session, statement)
            .whenComplete(
                (answer, error) -> {
                  trouble.read(error);
                  cost.run(
                      () ->
                          found.accept(
                              error != null || answer == null
                                  ? OptionalLong.empty()
                                  : OptionalLong.of(version(answer.one()))));
                });
  }

  private static long version(@Nullable Row row) {
    return row == null ? Session.NO_VERSION : row.getLong(0);
  }
}
