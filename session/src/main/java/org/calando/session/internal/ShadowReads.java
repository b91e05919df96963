package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.calando.core.observe.ShadowTally;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Observation.Shadow;
import org.calando.core.policy.ReadLevels;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.Cost;
import org.calando.session.internal.StatementTables.Found;
import org.jspecify.annotations.Nullable;

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
  private static final int MOST_QUERIES = 64;
  private static final int KEPT = 2048;
  private static final long KEPT_NANOS = 300_000_000_000L;
  private static final int ROWS = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Clocks of writers and ours may differ by so much, in microseconds, if nothing tells more. */
  private static final long LEAST_LEAD = 5_000;

  /** Write times further from now are versions, not times. */
  private static final long FURTHEST = Duration.ofDays(3650).toMillis() * 1000;

  private static final long GREATEST_LEAD = 10_000_000;

  /** How long a lead counts. */
  private static final long LEAD_MICROS = 300_000_000;

  private final CqlSession session;
  private final WatchedTable table;
  private final LongSupplier clock;
  private final CostMeter cost = new CostMeter();
  private final ShadowTally tally = new ShadowTally(KEPT, KEPT_NANOS);
  private final AtomicInteger underWay = new AtomicInteger();
  private final Map<String, CompletionStage<PreparedStatement>> prepared =
      new ConcurrentHashMap<>();
  private volatile double chance;
  private volatile long leastAckMicros;
  private volatile Lead lead = new Lead(LEAST_LEAD, 0);

  /** The largest lead of late of a write time over the arrival of its answer. */
  private record Lead(long micros, long atMicros) {}

  ShadowReads(CqlSession session, WatchedTable table, LongSupplier clock) {
    this.session = session;
    this.table = table;
    this.clock = clock;
  }

  /**
   * Sets how many reads are sampled, until it is set anew.
   *
   * @param readsPerSecond of this instance
   * @param instances that share the budget, 1 or more
   * @param leastAckSeconds the least time that an acknowledgement took
   */
  void plan(double readsPerSecond, int instances, double leastAckSeconds) {
    TableLevels levels = table.levels();
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

  Cost cost() {
    return cost.cost();
  }

  /** Is told of every read whose level is chosen; samples a few. Does not block. */
  void read(Statement<?> statement, Found found, long key) {
    double now = chance;
    // Without a key there is no telling its samples from those of others.
    if (now <= 0 || key == KeyHash.NONE || ThreadLocalRandom.current().nextDouble() >= now) {
      return;
    }
    try {
      sample(statement, found, key);
    } catch (RuntimeException e) {
      // The application's read goes on whatever becomes of its shadow.
    }
  }

  private void sample(Statement<?> statement, Found found, long key) {
    int asked = asked();
    OptionalDouble predicted = table.main().predicted(asked);
    Optional<ShadowQuery> query = query(found);
    if (query.isEmpty() || predicted.isEmpty()) {
      return;
    }
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return;
    }
    cost.run(() -> sample(statement, query.get(), key, asked, predicted.getAsDouble()));
  }

  /** Made for each sample, which is rare: the table may have been changed. */
  private Optional<ShadowQuery> query(Found found) {
    return session
        .getMetadata()
        .getKeyspace(CqlIdentifier.fromInternal(table.name().keyspace()))
        .flatMap(each -> each.getTable(CqlIdentifier.fromInternal(table.name().table())))
        .flatMap(each -> ShadowQuery.of(found.parsed(), each));
  }

  private void sample(
      Statement<?> statement, ShadowQuery query, long key, int asked, double predicted) {
    TableLevels levels = table.levels();
    ConsistencyLevel level = new ReadLevels(levels.replicas(), levels.local()).level(asked);
    long now = clock.getAsLong();
    CompletionStage<? extends Statement<?>> shadow;
    try {
      shadow = shadow(statement, query);
    } catch (RuntimeException e) {
      shadow = CompletableFuture.failedFuture(e);
    }
    var unused =
        shadow
            .thenCompose(each -> compare(each, query, level, levels.safe().level()))
            .whenComplete(
                (verdict, error) -> {
                  underWay.decrementAndGet();
                  // What cannot be served, as while a node is down, is no sample.
                  if (error == null && verdict != null) {
                    tally.add(now, key, verdict, predicted);
                  }
                });
  }

  private CompletionStage<? extends Statement<?>> shadow(
      Statement<?> statement, ShadowQuery query) {
    if (statement instanceof SimpleStatement simple) {
      return CompletableFuture.completedFuture(
          withValues(SimpleStatement.newInstance(query.text()), simple)
              .setRoutingKey(simple.getRoutingKey())
              .setRoutingKeyspace(simple.getRoutingKeyspace()));
    }
    BoundStatement bound = (BoundStatement) statement;
    @Nullable CompletionStage<PreparedStatement> ready = prepared.get(query.text());
    if (ready == null) {
      if (prepared.size() >= MOST_QUERIES) {
        return CompletableFuture.failedFuture(new IllegalStateException("too many queries"));
      }
      cost.request();
      String text = query.text();
      ready = session.prepareAsync(text);
      prepared.put(text, ready);
      var unused =
          ready.whenComplete(
              (made, error) -> {
                if (error != null) {
                  prepared.remove(text);
                }
              });
    }
    return ready.thenApply(each -> copied(bound, each));
  }

  private static SimpleStatement withValues(SimpleStatement to, SimpleStatement from) {
    return from.getNamedValues().isEmpty()
        ? to.setPositionalValues(from.getPositionalValues())
        : to.setNamedValuesWithIds(from.getNamedValues());
  }

  /** Fails if the read binds values elsewhere than in its conditions. */
  private static BoundStatement copied(BoundStatement from, PreparedStatement to) {
    if (to.getVariableDefinitions().size() != from.size()) {
      throw new IllegalArgumentException("values in what is asked for");
    }
    BoundStatement copy = to.bind();
    for (int i = 0; i < from.size(); i++) {
      @Nullable ByteBuffer value = from.isSet(i) ? from.getBytesUnsafe(i) : null;
      copy = from.isSet(i) ? copy.setBytesUnsafe(i, value) : copy;
    }
    return copy;
  }

  private CompletionStage<Verdict> compare(
      Statement<?> shadow, ShadowQuery query, ConsistencyLevel weak, ConsistencyLevel safe) {
    long begun = nowMicros();
    CompletionStage<AsyncResultSet> weakly = send(shadow, weak);
    CompletionStage<AsyncResultSet> strongly = send(shadow, safe);
    return weakly.thenCombine(
        strongly,
        (p, t) ->
            judged(begun, new ShadowAnswer(p, query), new ShadowAnswer(t, query), nowMicros()));
  }

  private Verdict judged(long begun, ShadowAnswer weak, ShadowAnswer strong, long arrived) {
    long newest = Math.max(weak.newest(), strong.newest());
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
    boolean told = isTime && (isEmpty || newest - arrived < GREATEST_LEAD);
    long cut = begun + known.micros() - leastAckMicros;
    return weak.against(strong, told ? cut : Long.MIN_VALUE + 1);
  }

  private static long nowMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  private CompletionStage<AsyncResultSet> send(Statement<?> shadow, ConsistencyLevel level) {
    cost.request();
    return Requests.send(
        session,
        shadow
            .setConsistencyLevel(DriverLevels.of(level))
            .setIdempotent(false)
            .setPageSize(ROWS)
            .setTimeout(TIMEOUT));
  }
}
