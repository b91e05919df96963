package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.observe.ShadowTally;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Shadow;
import org.calando.core.policy.ReadLevels;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.Cost;
import org.calando.session.internal.StatementTables.Found;
import org.calando.session.internal.governed.ShadowSample;

/*
 * A sample of the application's reads is made once more, off its path, twice at once: at the level in
 * use, P, and at one that is sure of every write, T; both ask for write times only. So it is seen
 * what the application's own reads of its own keys miss, whoever writes them. Where reads are safe, P
 * asks one replica: at the safe level it would prove nothing.
 *
 * T may repair what P finds, as a read of the application at that level would.
 */
/**
 * Samples reads of one table, compares them with strong ones and counts what they missed. Thread
 * safe.
 */
final class ShadowReads {
  /** Replica reads a second that samples may take in any case, in all instances. */
  private static final double REPLICA_READS_PER_SECOND = 5;

  /** Of the replica reads that the application causes; of both the greater holds. */
  private static final double SHARE = 0.02;

  private static final int MOST_UNDER_WAY = 16;
  private static final int KEPT = 2048;
  private static final long KEPT_NANOS = 300_000_000_000L;

  /** Clocks of writers and ours may differ by so much, in microseconds, if nothing tells more. */
  private static final long LEAST_LEAD = 5_000;

  /** Write times further from now are versions, not times. */
  private static final long FURTHEST = Duration.ofDays(3650).toMillis() * 1000;

  private static final long GREATEST_LEAD = 10_000_000;

  /** How long a lead counts. */
  private static final long LEAD_MICROS = 300_000_000;

  private final WatchedTable table;
  private final LongSupplier clock;
  private final CostMeter cost = new CostMeter();
  private final ShadowTally tally = new ShadowTally(KEPT, KEPT_NANOS);
  private final AtomicInteger underWay = new AtomicInteger();
  private final ShadowStatements statements;
  private final ReturnReads returned;
  private long readsPlanned; // of the thread that plans
  private long plannedNanos;
  private volatile double chance;
  private volatile long leastAckMicros;
  private volatile Consumer<ShadowSample> told = found -> {};
  private volatile Supplier<Optional<Missed>> foreignMissed = Optional::empty;
  private volatile Lead lead = new Lead(LEAST_LEAD, 0);

  /** The largest lead of late of a write time over the arrival of its answer. */
  private record Lead(long micros, long atMicros) {}

  ShadowReads(CqlSession session, WatchedTable table, LongSupplier clock) {
    this.table = table;
    this.clock = clock;
    this.plannedNanos = clock.getAsLong();
    this.statements = new ShadowStatements(session, table.name(), cost);
    this.returned =
        new ReturnReads(
            table, statements, cost, clock, answer -> lead(answer.newest(), nowMicros()));
  }

  /**
   * Sets how many reads are sampled, by those since the last time. One thread.
   *
   * @param instances that share the budget, 1 or more
   * @param tables of the session
   * @param leastAckSeconds the least time that a canary's acknowledgement took, 0 or more
   * @param sinceReturnNanos since the last replica that was away is back; below 0 if none is late
   */
  void plan(long now, int instances, int tables, double leastAckSeconds, long sinceReturnNanos) {
    long reads = table.reads();
    double readsPerSecond = (reads - readsPlanned) * 1e9 / Math.max(1, now - plannedNanos);
    readsPlanned = reads;
    plannedNanos = now;
    TableLevels levels = table.levels();
    returned.plan(readsPerSecond, 1.0 / (instances * tables), sinceReturnNanos);
    double used = readsPerSecond * table.main().choice().mean();
    double budget = Math.max(SHARE * used, REPLICA_READS_PER_SECOND / instances);
    double ofOne = asked() + levels.placement().involved(levels.safe().level());
    chance = readsPerSecond <= 0 ? 0 : Math.min(1, budget / ofOne / readsPerSecond);
    leastAckMicros = (long) (leastAckSeconds * 1e6);
  }

  /** Replicas that the sampled read asks: those of most reads, or one where they are safe. */
  private int asked() {
    TableLevels levels = table.levels();
    int read = table.main().choice().replicas();
    int asked = new ReadLevels(levels.replicas(), levels.local()).asked(read);
    return asked + levels.writeReplicas() > levels.replicas() ? 1 : asked;
  }

  /** What samples found; empty without one. */
  Optional<Shadow> figures() {
    return tally.figures(clock.getAsLong());
  }

  /** What samples found after a node's return; empty without one. */
  Optional<Missed> missed() {
    return returned.figures().or(foreignMissed);
  }

  /** Has all that is found told to another, who does not block. */
  void tell(Consumer<ShadowSample> newTold) {
    told = newTold;
  }

  /** Counts what a session found after a node's return, which another looks for. */
  void missedBy(Supplier<Optional<Missed>> others) {
    foreignMissed = others;
  }

  /** Takes what was found, here or by another session. */
  void add(ShadowSample found) {
    tally.add(found.atNanos(), found.key(), found.verdict(), found.predicted());
    told.accept(found);
  }

  Cost cost() {
    return cost.cost();
  }

  /** Is told of every read whose level is chosen; samples a few. Does not block. */
  void read(Statement<?> statement, Found found, long key) {
    double now = chance;
    try {
      returned.read(statement, found);
      // Without a key there is no telling its samples from those of others.
      if (now > 0 && key != KeyHash.NONE && ThreadLocalRandom.current().nextDouble() < now) {
        sample(statement, found, key);
      }
    } catch (RuntimeException e) {
      // The application's read goes on whatever becomes of its shadow.
    }
  }

  private void sample(Statement<?> statement, Found found, long key) {
    int asked = asked();
    OptionalDouble predicted = table.main().predicted(asked);
    Optional<ShadowQuery> query = statements.query(found);
    if (query.isEmpty() || predicted.isEmpty()) {
      return;
    }
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return;
    }
    cost.run(() -> sample(statement, query.get(), key, asked, predicted.getAsDouble()));
  }

  private void sample(
      Statement<?> statement, ShadowQuery query, long key, int asked, double predicted) {
    TableLevels levels = table.levels();
    ConsistencyLevel level = new ReadLevels(levels.replicas(), levels.local()).level(asked);
    long now = clock.getAsLong();
    var unused =
        statements
            .of(statement, query)
            .thenCompose(each -> compare(each, query, level, levels.safe().level()))
            .whenComplete(
                (verdict, error) -> {
                  underWay.decrementAndGet();
                  // What cannot be served, as while a node is down, is no sample.
                  if (error == null && verdict != null) {
                    add(new ShadowSample(now, key, verdict, predicted));
                  }
                });
  }

  private CompletionStage<Verdict> compare(
      Statement<?> shadow, ShadowQuery query, ConsistencyLevel weak, ConsistencyLevel safe) {
    long begun = nowMicros();
    CompletionStage<ShadowAnswer> weakly = statements.send(shadow, weak, query);
    CompletionStage<ShadowAnswer> strongly = statements.send(shadow, safe, query);
    return weakly.thenCombine(strongly, (p, t) -> judged(begun, p, t, nowMicros()));
  }

  private Verdict judged(long begun, ShadowAnswer weak, ShadowAnswer strong, long arrived) {
    long leading = lead(Math.max(weak.newest(), strong.newest()), arrived);
    boolean told = leading < Long.MAX_VALUE;
    return weak.against(strong, told ? begun + leading - leastAckMicros : Long.MIN_VALUE + 1);
  }

  /**
   * The largest lead of late of a write time over the arrival of its answer, in microseconds, this
   * one among them; the greatest long if it is no time, or too far in the future to be one.
   */
  private long lead(long newest, long arrived) {
    boolean isEmpty = newest == Long.MIN_VALUE;
    boolean isTime = isEmpty || Math.abs(newest - arrived) < FURTHEST;
    Lead known = lead;
    if (arrived - known.atMicros() > LEAD_MICROS) {
      known = new Lead(LEAST_LEAD, arrived);
    }
    if (isTime && !isEmpty && newest - arrived > known.micros()) {
      known = new Lead(Math.min(GREATEST_LEAD, newest - arrived), arrived);
    }
    lead = known;
    return isTime && (isEmpty || newest - arrived < GREATEST_LEAD)
        ? known.micros()
        : Long.MAX_VALUE;
  }

  static long nowMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }
}
