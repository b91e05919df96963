package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.store.cassandra.internal.Claims.Holder;
import org.jspecify.annotations.Nullable;

/*
 * Two studies on one table would empty it under each other's feet, and each would take the other's
 * writes for stale reads. So a table is claimed by a row that expires unless it is renewed: taken,
 * renewed and given back by lightweight transactions, which Paxos orders, so that of two that come
 * at once one is refused. A renewal every 15 s, and one before and after each run, are the claim's
 * whole cost. Renewals that fail are tried again; the claim is lost when the row was gone or names
 * somebody else, or when the lease has passed without an answer.
 *
 *   no row                         insert it
 *   row of our own                 it is ours: an earlier answer did not reach us
 *   row of an ended process here   take it over: no wait after kill -9
 *   row that this process left     take it over: a claim that was closed could not be given back
 *   row of anybody else            refuse; it expires 60 s after its owner's last renewal
 *
 * A governor that starts again in another container, or after its machine, would be refused by its
 * former self; one that reads its file again, by what it is about to end. So a governor is refused by
 * itself, and by a process that it cannot look at, only once that claim is renewed.
 */
/** The claim of one store on one table, from its first use to the close. Thread safe. */
public final class TableClaim implements AutoCloseable {
  /** How long a claim outlives its last renewal. */
  static final Duration LEASE = Duration.ofSeconds(60);

  /** After how long without an answer nothing may be set any more. */
  private static final Duration SURE = Duration.ofSeconds(40);

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  /** Between two looks at somebody else's claim. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** What nodes' clocks differ by; a renewal adds more. */
  private static final int SKEW_SECONDS = 5;

  /** What this process has claimed and not closed: nobody else in it may take that over. */
  private static final Set<String> OPEN = ConcurrentHashMap.newKeySet();

  /** A transaction is sent so often where the nodes do not end it in time. */
  private static final int TIMES = 3;

  private final CqlSession session;
  private final String keyspace;
  private final String table;
  private final String kind;
  private final String owner = ThisProcess.spoken();
  private final String process;
  private final Instant since = Instant.now();
  private final ScheduledExecutorService renewals;
  private final Lease lease = new Lease(LEASE, System::nanoTime);

  /** Ends before the row does, so that there is time to restore what the claim is for. */
  private final Lease sure = new Lease(SURE, System::nanoTime);

  private volatile @Nullable Holder lostTo;

  private TableClaim(
      CqlSession session, String keyspace, String table, String kind, String process) {
    this.session = session;
    this.keyspace = keyspace;
    this.table = table;
    this.kind = kind;
    this.process = process;
    renewals = DaemonThread.scheduler("calando-claim");
  }

  /**
   * Claims a table and renews the claim until it is closed; blocks.
   *
   * @param kind of those who claim it, such as {@code study}
   * @param process {@link ThisProcess#name} of the store, the same for each of its attempts
   * @throws BadRequestException if somebody else uses the table
   * @throws DriverException if too few replicas answer
   */
  static TableClaim take(
      CqlSession session, String keyspace, String table, String kind, String process) {
    TableClaim claim = new TableClaim(session, keyspace, table, kind, process);
    claim.begin(() -> claim.take().ifPresent(claim::refuse));
    return claim;
  }

  /**
   * As {@link #take}, but a holder that is not on this machine, or is this process, refuses it only
   * once it renews its claim; blocks for 15 s then, and for 60 s until a claim that nobody renews
   * has ended.
   *
   * @throws BadRequestException if somebody else uses the table
   * @throws FailedWorkException if the thread is interrupted, and stays so
   * @throws DriverException if too few replicas answer
   */
  static TableClaim await(
      CqlSession session, String keyspace, String table, String kind, String process) {
    return await(session, keyspace, table, kind, process, Thread::sleep);
  }

  /** The same with other pauses between two looks. */
  static TableClaim await(
      CqlSession session,
      String keyspace,
      String table,
      String kind,
      String process,
      Pause pauses) {
    TableClaim claim = new TableClaim(session, keyspace, table, kind, process);
    claim.begin(() -> claim.await(pauses));
    return claim;
  }

  /** Lets time go by. */
  @FunctionalInterface
  interface Pause {
    void pause(long millis) throws InterruptedException;
  }

  private void begin(Runnable taking) {
    OPEN.add(name(process));
    try {
      taking.run();
    } catch (RuntimeException e) {
      OPEN.remove(name(process));
      renewals.shutdownNow();
      throw e;
    }
    var unused =
        renewals.scheduleWithFixedDelay(
            this::renew, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
  }

  private void await(Pause pauses) {
    long deadline = System.nanoTime() + LEASE.plusSeconds(2 * SKEW_SECONDS).toNanos();
    int left = Integer.MAX_VALUE - SKEW_SECONDS;
    Optional<Holder> other = take();
    while (other.isPresent()) {
      int now = Claims.secondsLeft(session, keyspace, table);
      boolean renewed = now > left + SKEW_SECONDS || System.nanoTime() > deadline;
      if (isElsewhereHere(other.get()) || renewed) {
        refuse(Claims.holder(session, keyspace, table).orElse(other.get()));
      }
      left = now;
      pause(pauses);
      if (now <= 1) {
        // Only now: proposals of both would keep each other from a majority.
        other = take();
      }
    }
  }

  private void pause(Pause pauses) {
    try {
      pauses.pause(LOOK.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException(
          "another %s may still use it".formatted(kind),
          "table " + keyspace + "." + table,
          "start it again");
    }
  }

  String table() {
    return table;
  }

  /** Takes it, or returns who has it. */
  private Optional<Holder> take() {
    long sentNanos = lease.nowNanos();
    Row answer = insertion();
    Optional<Holder> holder = Claims.holder(answer);
    if (isApplied(answer) || holder.isEmpty()) {
      confirm(sentNanos);
      return Optional.empty();
    }
    Holder other = holder.get();
    if (isOurs(other)) {
      reaffirm();
      return Optional.empty();
    }
    if (ThisProcess.hasEnded(other.process()) || isLeftHere(other)) {
      long againNanos = lease.nowNanos();
      Row taken = renewal(other.process());
      other = Claims.holder(taken).orElse(other);
      if (isApplied(taken) || isOurs(other)) {
        confirm(againNanos);
        return Optional.empty();
      }
    }
    return Optional.of(other);
  }

  private void refuse(Holder other) {
    throw new BadRequestException(
        "is in use by another %s: %s, since %s".formatted(kind, other.owner(), other.since()),
        "table " + keyspace + "." + table,
        "wait for its end%s; if it has been killed, its claim ends by itself after %d s"
            .formatted(
                kind.equals("study") ? ", or name another keyspace" : "", LEASE.toSeconds()));
  }

  /** What fails, in whatever way, is tried again at the next beat, as long as the lease holds. */
  private void renew() {
    try {
      confirm();
    } catch (RuntimeException e) {
      // An error that left here would end the beats for good; the lease tells if it lasts.
    }
  }

  private void confirm(long sentNanos) {
    lease.confirm(sentNanos);
    sure.confirm(sentNanos);
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
        sure.markGap();
      } else if (other.isPresent()) {
        lostTo = other.get();
        return;
      }
    }
    confirm(sentNanos);
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
    sure.forgetGap();
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

  /** Why it is held no more; empty while it is. Asks nobody. */
  public Optional<String> lost() {
    @Nullable Holder other = lostTo;
    if (other != null) {
      return Optional.of("was taken over by %s, since %s".formatted(other.owner(), other.since()));
    }
    return sure.hasLapsed()
        ? Optional.of("could not be renewed for %d s".formatted(SURE.toSeconds()))
        : Optional.empty();
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

  private boolean isLeftHere(Holder holder) {
    return ThisProcess.isThis(holder.process()) && !OPEN.contains(name(holder.process()));
  }

  /** What this process holds it may be about to give back. */
  private static boolean isElsewhereHere(Holder holder) {
    return ThisProcess.isHere(holder.process()) && !ThisProcess.isThis(holder.process());
  }

  private String name(String process) {
    return process + " " + keyspace + "." + table;
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
    for (int time = 1; ; time++) {
      try {
        return Objects.requireNonNull(session.execute(statement).one());
      } catch (WriteTimeoutException e) {
        // As of nodes that have just started. It may have been done: done twice it names the same
        // process.
        if (time == TIMES) {
          throw e;
        }
      }
    }
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
    } finally {
      OPEN.remove(name(process));
    }
  }
}
