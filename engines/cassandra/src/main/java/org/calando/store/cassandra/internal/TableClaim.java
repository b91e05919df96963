package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.internal.Claims.Holder;
import org.jspecify.annotations.Nullable;

/*
 * Two studies on one table would empty it under each other's feet, and each would take the other's
 * writes for stale reads. So a table is claimed by a row that expires unless it is renewed: taken,
 * renewed and given back by lightweight transactions, which Paxos orders, so that of two that come
 * at once one is refused. A renewal every 20 s, and one before and after each run, are the claim's
 * whole cost. Renewals that fail are tried again; the claim is lost when the row was gone or names
 * somebody else, or when the lease has passed without an answer.
 *
 *   no row                         insert it
 *   row of our own                 it is ours: an earlier answer did not reach us
 *   row of an ended process here   take it over: no wait after kill -9
 *   row of anybody else            refuse; it expires 60 s after its owner's last renewal
 */
/** The claim of one store on one table, from its first use to the close. Thread safe. */
public final class TableClaim implements AutoCloseable {
  /** How long a claim outlives its last renewal. */
  static final Duration LEASE = Duration.ofSeconds(60);

  private static final Duration RENEWAL = Duration.ofSeconds(20);

  private final CqlSession session;
  private final String keyspace;
  private final String table;
  private final String owner = ThisProcess.spoken();
  private final String process;
  private final Instant since = Instant.now();
  private final ScheduledExecutorService renewals;
  private final Lease lease = new Lease(LEASE, System::nanoTime);
  private volatile @Nullable Holder lostTo;

  private TableClaim(CqlSession session, String keyspace, String table, String process) {
    this.session = session;
    this.keyspace = keyspace;
    this.table = table;
    this.process = process;
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
   * @param process {@link ThisProcess#name} of the store, the same for each of its attempts
   * @throws BadRequestException if somebody else uses the table
   * @throws DriverException if too few replicas answer
   */
  static TableClaim take(CqlSession session, String keyspace, String table, String process) {
    TableClaim claim = new TableClaim(session, keyspace, table, process);
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

  String table() {
    return table;
  }

  private void take() {
    long sentNanos = lease.nowNanos();
    Row answer = insertion();
    Optional<Holder> holder = Claims.holder(answer);
    if (isApplied(answer) || holder.isEmpty()) {
      lease.confirm(sentNanos);
      return;
    }
    Holder other = holder.get();
    if (isOurs(other)) {
      reaffirm();
      return;
    }
    if (ThisProcess.hasEnded(other.process())) {
      long againNanos = lease.nowNanos();
      Row taken = renewal(other.process());
      if (isApplied(taken)) {
        lease.confirm(againNanos);
        return;
      }
      other = Claims.holder(taken).orElse(other);
    }
    throw new BadRequestException(
        "is in use by another study: " + other.owner() + ", since " + other.since(),
        "table " + keyspace + "." + table,
        "wait for its end, or name another keyspace; if it has been killed, its claim ends by"
            + " itself after "
            + LEASE.toSeconds()
            + " s");
  }

  /** What fails, in whatever way, is tried again at the next beat, as long as the lease holds. */
  private void renew() {
    try {
      confirm();
    } catch (RuntimeException e) {
      // An error that left here would end the beats for good; the lease tells if it lasts.
    }
  }

  /** Prolongs the claim, or finds out who has it. */
  private synchronized void confirm() {
    if (lostTo != null) {
      return;
    }
    long sentNanos = lease.nowNanos();
    if (!isApplied(renewal(process))) {
      Row again = insertion();
      Optional<Holder> other = Claims.holder(again).filter(holder -> !isOurs(holder));
      if (isApplied(again)) {
        lease.markGap();
      } else if (other.isPresent()) {
        lostTo = other.get();
        return;
      }
    }
    lease.confirm(sentNanos);
  }

  /**
   * Makes sure of the claim before the table is emptied, when it no longer matters what became of
   * it earlier; blocks.
   *
   * @throws FailedWorkException if somebody else took the table
   * @throws DriverException if too few replicas answer
   */
  synchronized void reaffirm() {
    confirm();
    requireNotTaken();
    lease.forgetGap();
  }

  /**
   * Fails if somebody else has, or may have had, the table since it was emptied; asks the cluster,
   * blocks.
   */
  void requireHeld() {
    renew();
    requireNotTaken();
    if (lease.hasLapsed()) {
      throw new FailedWorkException(
          "the claim on the table lapsed, so that somebody else may have used it: the cluster did"
              + " not renew it for "
              + LEASE.toSeconds()
              + " s, or lost it",
          "table " + keyspace + "." + table,
          "check that a majority of the nodes is up, then repeat the study with --resume");
    }
  }

  private void requireNotTaken() {
    Holder other = lostTo;
    if (other != null) {
      throw new FailedWorkException(
          "the table was taken over by " + other.owner() + ", since " + other.since(),
          "table " + keyspace + "." + table,
          "wait for its end, then repeat the study with --resume");
    }
  }

  private boolean isOurs(Holder holder) {
    return holder.process().equals(process);
  }

  private static boolean isApplied(Row answer) {
    return answer.getBoolean("[applied]");
  }

  private Row insertion() {
    return run(Cql.claim(keyspace), table, owner, process, since, seconds());
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
