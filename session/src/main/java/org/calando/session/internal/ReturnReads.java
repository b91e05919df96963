package org.calando.session.internal;

import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.ReadLevels;
import org.calando.session.internal.StatementTables.Found;

/*
 * A node comes back without what was written while it was away, and gets it by and by, as hints. Nobody
 * tells which keys it still lacks: hints are kept by each coordinator for itself, and arrive page by page.
 * So a sample of the application's reads is made once more, at one replica, P, as the cluster chooses it
 * for such reads, and at the safe level, T, at once, for write times only. P misses a write if it lacks a
 * cell of T that was written more than five seconds before: what is younger may be as late as lags say.
 * That is what reads of one replica would miss, whichever node is late, and for whatever reason.
 *
 *   five seconds     after the return, before the first sample: until then a write that the node lacks may be
 *                    younger than that, and some coordinator may still keep it as a hint
 *   twenty seconds   is the age at which samples are dropped: other keys may be read, and the cluster may
 *                    read from the node again that it left alone as it was slow
 *   unknown          what cannot be compared or was not answered counts as missed
 */
/** Samples reads of one table after a node's return. Thread safe. */
final class ReturnReads {
  private static final long YOUNG_NANOS = 5_000_000_000L;
  private static final long KEPT_NANOS = 20_000_000_000L;

  /** Samples a second, in all instances and tables, and the greatest share of reads. */
  private static final double PER_SECOND = 25;

  private static final double SHARE = 0.2;

  /** How long a plan holds if the loop does not make another. */
  private static final long PLANNED_NANOS = 5_000_000_000L;

  private static final int KEPT = 1024;
  private static final int MOST_UNDER_WAY = 16;

  private final WatchedTable table;
  private final ShadowStatements statements;
  private final CostMeter cost;
  private final LongSupplier clock;

  /** By how much the clock that stamped an answer may lead, in microseconds. */
  private final ToLongFunction<ShadowAnswer> lead;

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Plan plan = new Plan(0, 0, 0);
  private final AtomicLong nextNanos = new AtomicLong();

  // Guarded by this.
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long began;

  private record Sample(long atNanos, boolean missed) {}

  /**
   * What is sampled.
   *
   * @param gapNanos between two samples: many reads may come at once
   */
  private record Plan(double chance, long gapNanos, long untilNanos) {}

  ReturnReads(
      WatchedTable table,
      ShadowStatements statements,
      CostMeter cost,
      LongSupplier clock,
      ToLongFunction<ShadowAnswer> lead) {
    this.table = table;
    this.statements = statements;
    this.cost = cost;
    this.clock = clock;
    this.lead = lead;
  }

  /**
   * Sets how many reads are sampled, until it is set anew.
   *
   * @param readsPerSecond of this instance
   * @param share of the budget that is this table's and instance's, above 0 and at most 1
   * @param sinceReturnNanos since the last replica that was away is back; below 0 if none is late
   */
  synchronized void plan(double readsPerSecond, double share, long sinceReturnNanos) {
    long now = clock.getAsLong();
    if (sinceReturnNanos < YOUNG_NANOS) {
      samples.clear();
      began = now;
      plan = new Plan(0, 0, now);
    } else {
      double chance =
          readsPerSecond <= 0 ? 0 : Math.min(SHARE, PER_SECOND * share / readsPerSecond);
      plan = new Plan(chance, (long) (1e9 / (PER_SECOND * share)), now + PLANNED_NANOS);
    }
  }

  /** What samples found; empty without one, and while no replica came back lately. */
  synchronized Optional<Missed> figures() {
    long now = clock.getAsLong();
    samples.removeIf(sample -> now - sample.atNanos() > KEPT_NANOS);
    return samples.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Missed(
                samples.getLast().atNanos(),
                samples.size(),
                samples.stream().filter(Sample::missed).count()));
  }

  private synchronized void add(long sentNanos, boolean missed) {
    if (sentNanos - began >= 0) {
      if (samples.size() == KEPT) {
        samples.removeFirst();
      }
      samples.addLast(new Sample(sentNanos, missed));
    }
  }

  /** Is told of every read whose level is chosen; samples some. Does not block. */
  void read(Statement<?> statement, Found found) {
    Plan now = plan;
    if (now.chance() <= 0 || ThreadLocalRandom.current().nextDouble() >= now.chance()) {
      return;
    }
    long sent = clock.getAsLong();
    long next = nextNanos.get();
    if (sent - now.untilNanos() > 0
        || (sent - next < 0 && next - sent <= now.gapNanos())
        || !nextNanos.compareAndSet(next, sent + now.gapNanos())) {
      return;
    }
    Optional<ShadowQuery> query = statements.query(found);
    if (query.isEmpty()) {
      add(sent, true);
    } else if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
    } else {
      cost.run(() -> sample(statement, query.get(), sent));
    }
  }

  private void sample(Statement<?> statement, ShadowQuery query, long sent) {
    TableLevels levels = table.levels();
    ReadLevels byReplicas = new ReadLevels(levels.replicas(), levels.local());
    long begun = ShadowReads.nowMicros();
    var unused =
        statements
            .of(statement, query)
            .thenCompose(
                shadow ->
                    statements
                        .send(shadow, byReplicas.level(1), query)
                        .thenCombine(
                            statements.send(shadow, levels.safe().level(), query),
                            (weak, strong) -> weak.lacks(strong, old(begun, strong))))
            .whenComplete(
                (missed, error) -> {
                  underWay.decrementAndGet();
                  add(sent, error != null || missed);
                });
  }

  /** The last write time, in microseconds, of what is to have reached all replicas. */
  private long old(long begun, ShadowAnswer strong) {
    long leading = lead.applyAsLong(strong);
    // Write times that are no times, or of the future, tell nothing: whatever is missed counts.
    return leading == Long.MAX_VALUE ? leading : begun - YOUNG_NANOS / 1000 + leading;
  }
}
