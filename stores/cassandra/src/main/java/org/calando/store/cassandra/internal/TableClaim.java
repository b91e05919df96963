package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * Two studies on one table would empty it under each other's feet, and each would take the other's
 * writes for stale reads. So a table is claimed by a row that expires unless it is renewed: taken,
 * renewed and given back by lightweight transactions, which Paxos orders, so that of two that come
 * at once one is refused. A renewal every 20 s is the claim's whole cost.
 *
 *   no row                         insert it
 *   row of an ended process here   take it over: no wait after kill -9
 *   row of anybody else            refuse; it expires 60 s after its owner's last renewal
 */
/** The claim of one store on one table, from its first use to the close. Thread safe. */
public final class TableClaim implements AutoCloseable {
  /** How long a claim outlives its last renewal. */
  static final Duration LEASE = Duration.ofSeconds(60);

  private static final Duration RENEWAL = Duration.ofSeconds(20);

  /**
   * Who uses a table.
   *
   * @param owner user, machine and process
   * @param since when it was claimed
   * @param process the process's name for machines
   */
  record Holder(String owner, Instant since, String process) {}

  private final CqlSession session;
  private final String keyspace;
  private final String table;
  private final String owner = ThisProcess.spoken();
  private final String process = ThisProcess.name();
  private final Instant since = Instant.now();
  private final ScheduledExecutorService renewals;
  private volatile @Nullable Holder lostTo;

  private TableClaim(CqlSession session, String keyspace, String table) {
    this.session = session;
    this.keyspace = keyspace;
    this.table = table;
    renewals =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "calando-claim");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Claims a table and renews the claim until it is closed; blocks.
   *
   * @throws BadRequestException if somebody else uses the table
   * @throws DriverException if too few replicas answer
   */
  static TableClaim take(CqlSession session, String keyspace, String table) {
    TableClaim claim = new TableClaim(session, keyspace, table);
    try {
      claim.take();
    } catch (RuntimeException e) {
      claim.renewals.shutdownNow();
      throw e;
    }
    var unused =
        claim.renewals.scheduleWithFixedDelay(
            claim::renew, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
    return claim;
  }

  /** Who uses a table now; empty if nobody, or the keyspace holds no claims. Changes nothing. */
  static Optional<Holder> holder(CqlSession session, String keyspace, String table) {
    try {
      Row row =
          session
              .execute(
                  SimpleStatement.newInstance(Cql.readClaim(keyspace), table)
                      .setConsistencyLevel(DefaultConsistencyLevel.SERIAL))
              .one();
      return holder(row);
    } catch (InvalidQueryException noSuchTable) {
      return Optional.empty();
    }
  }

  String table() {
    return table;
  }

  private void take() {
    Row answer = run(Cql.claim(keyspace), table, owner, process, since, seconds());
    Optional<Holder> holder = holder(answer);
    if (answer.getBoolean("[applied]") || holder.isEmpty()) {
      return;
    }
    Holder other = holder.get();
    if (ThisProcess.hasEnded(other.process())) {
      Row taken = renewal(other.process());
      if (taken.getBoolean("[applied]")) {
        return;
      }
      other = holder(taken).orElse(other);
    }
    throw new BadRequestException(
        "is in use by another study: " + other.owner() + ", since " + other.since(),
        "table " + keyspace + "." + table,
        "wait for its end, or name another keyspace; if it has been killed, its claim ends by"
            + " itself after "
            + LEASE.toSeconds()
            + " s");
  }

  /** Runs in the claim's own thread; what fails is tried again, as long as the lease holds. */
  private void renew() {
    try {
      Row answer = renewal(process);
      if (!answer.getBoolean("[applied]")) {
        Row again = run(Cql.claim(keyspace), table, owner, process, since, seconds());
        if (!again.getBoolean("[applied]")) {
          lostTo = holder(again).orElse(null);
        }
      }
    } catch (DriverException e) {
      // tried again in a while
    }
  }

  /**
   * Fails if the claim expired, for example because no replica could be reached, and somebody else
   * took the table.
   */
  void requireHeld() {
    Holder other = lostTo;
    if (other != null) {
      throw new FailedWorkException(
          "the table was taken over by " + other.owner() + " while the cluster did not answer",
          "table " + keyspace + "." + table,
          "wait for its end, then repeat the study with --resume");
    }
  }

  private Row renewal(String from) {
    return run(Cql.renewClaim(keyspace), seconds(), owner, process, since, table, from);
  }

  private Row run(String text, Object... values) {
    SimpleStatement statement =
        SimpleStatement.newInstance(text, values)
            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM);
    return Objects.requireNonNull(session.execute(statement).one());
  }

  private static int seconds() {
    return (int) LEASE.toSeconds();
  }

  private static Optional<Holder> holder(@Nullable Row row) {
    if (row == null || !row.getColumnDefinitions().contains("process")) {
      return Optional.empty();
    }
    String process = row.getString("process");
    Instant since = row.getInstant("since");
    return process == null
        ? Optional.empty()
        : Optional.of(
            new Holder(
                Objects.requireNonNullElse(row.getString("owner"), "?"),
                since == null ? Instant.EPOCH : since,
                process));
  }

  /** Gives the table back; if that fails, the claim expires. */
  @Override
  public void close() {
    renewals.shutdownNow();
    try {
      if (renewals.awaitTermination(5, TimeUnit.SECONDS)) {
        var unused = run(Cql.releaseClaim(keyspace), table, process);
      }
    } catch (DriverException e) {
      // it expires
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
