package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.ReadLevels;
import org.calando.session.internal.ReturnedNodes.Return;
import org.calando.session.internal.StatementTables.Found;
import org.jspecify.annotations.Nullable;

/*
 * A node comes back without what was written while it was away, and gets it by and by, as hints. Nobody
 * tells which keys it still lacks: hints are kept by each coordinator for itself, and arrive page by page.
 * So a sample of the application's reads is made once more at that node alone, P, and at the safe level,
 * T, at once, for write times only. P misses a write if it lacks a cell of T that was written before s,
 * when the return had been noticed for some seconds and every coordinator writes to the node again.
 * What is written after s is as late as its lags say, which is no matter of the return.
 *
 * A node only catches up, so what a sample found bounds what holds later, until the node goes again.
 * Where the table retries slow reads by speculation, another replica may answer P; those are few.
 */
/** Samples reads of one table at nodes that came back lately. Thread safe. */
final class ReturnReads {
  /** How long after a return was noticed some coordinator may still keep writes as hints. */
  private static final long SETTLED_NANOS = 5_000_000_000L;

  /** Samples a second, in all instances, and the greatest share of reads. */
  private static final double PER_SECOND = 25;

  private static final double SHARE = 0.25;

  /** The newest that count; so many without a miss are enough. */
  private static final int KEPT = 256;

  private static final int MOST_UNDER_WAY = 16;

  private final CqlSession session;
  private final WatchedTable table;
  private final ShadowStatements statements;
  private final CostMeter cost;

  /** Of the greatest write time that may belong to a moment: what clocks lead is in it. */
  private final LongUnaryOperator latest;

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Plan plan = Plan.NONE;

  // Guarded by this.
  private final Deque<Boolean> missed = new ArrayDeque<>();

  /**
   * What is sampled until the next one.
   *
   * @param nodes those that came back
   * @param untilMicros the last write time that a sample may miss, by the wall clock
   */
  private record Plan(double chance, Set<Node> nodes, long untilMicros) {
    static final Plan NONE = new Plan(0, Set.of(), 0);

    boolean isOfThoseOf(Plan other) {
      return nodes.equals(other.nodes) && untilMicros == other.untilMicros;
    }
  }

  ReturnReads(
      CqlSession session,
      WatchedTable table,
      ShadowStatements statements,
      CostMeter cost,
      LongUnaryOperator latest) {
    this.session = session;
    this.table = table;
    this.statements = statements;
    this.cost = cost;
    this.latest = latest;
  }

  /**
   * Sets what is sampled, until it is set anew.
   *
   * @param readsPerSecond of this instance
   * @param instances that share the budget, 1 or more
   * @param returns nodes that came back lately
   * @param now by the clock of the returns
   */
  void plan(double readsPerSecond, int instances, Map<Node, Return> returns, long now) {
    Optional<Return> last =
        returns.values().stream().max((a, b) -> Long.compare(a.atNanos() - b.atNanos(), 0));
    if (last.isEmpty() || now - last.get().atNanos() < SETTLED_NANOS) {
      begin(Plan.NONE);
      return;
    }
    double chance =
        readsPerSecond <= 0 ? 0 : Math.min(SHARE, PER_SECOND / instances / readsPerSecond);
    long until = last.get().atMicros() + SETTLED_NANOS / 1000;
    begin(new Plan(isEnough() ? 0 : chance, returns.keySet(), until));
  }

  private synchronized boolean isEnough() {
    return missed.size() == KEPT && !missed.contains(true);
  }

  private synchronized void begin(Plan next) {
    if (!next.isOfThoseOf(plan)) {
      missed.clear();
    }
    plan = next;
  }

  private synchronized void add(Plan of, boolean lacks) {
    if (of.isOfThoseOf(plan)) {
      if (missed.size() == KEPT) {
        missed.removeFirst();
      }
      missed.addLast(lacks);
    }
  }

  /**
   * What samples found; empty without one, and while no node came back lately.
   *
   * @param now by the clock of the returns
   */
  synchronized Optional<Missed> figures(long now) {
    return missed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Missed(
                now,
                plan.nodes().size(),
                missed.size(),
                missed.stream().filter(lacks -> lacks).count()));
  }

  /** Is told of every read whose level is chosen; samples some. Does not block. */
  void read(Statement<?> statement, Found found) {
    Plan now = plan;
    if (now.chance() <= 0 || ThreadLocalRandom.current().nextDouble() >= now.chance()) {
      return;
    }
    Optional<ShadowQuery> query = statements.query(found);
    List<Node> nodes = query.isEmpty() ? List.of() : replicas(statement, now.nodes());
    if (nodes.isEmpty()) {
      return;
    }
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      return;
    }
    Node node = nodes.get(ThreadLocalRandom.current().nextInt(nodes.size()));
    cost.run(() -> sample(statement, query.get(), node, now));
  }

  /** Those nodes that are replicas of what a read asks for. */
  private List<Node> replicas(Statement<?> statement, Set<Node> nodes) {
    @Nullable ByteBuffer key = statement.getRoutingKey();
    return key == null
        ? List.of()
        : session
            .getMetadata()
            .getTokenMap()
            .map(map -> map.getReplicas(CqlIdentifier.fromInternal(table.name().keyspace()), key))
            .orElse(Set.of())
            .stream()
            .filter(nodes::contains)
            .toList();
  }

  private void sample(Statement<?> statement, ShadowQuery query, Node node, Plan of) {
    TableLevels levels = table.levels();
    ReadLevels byReplicas = new ReadLevels(levels.replicas(), levels.local());
    var unused =
        statements
            .of(statement, query)
            .thenCompose(
                shadow ->
                    statements
                        .send(shadow.setNode(node), byReplicas.level(1), query)
                        .thenCombine(
                            statements.send(shadow, levels.safe().level(), query),
                            (weak, strong) -> weak.lacks(strong, latest(of.untilMicros(), strong))))
            .whenComplete(
                (lacks, error) -> {
                  underWay.decrementAndGet();
                  if (error == null) {
                    add(of, lacks);
                  }
                });
  }

  /** Write times that are no times tell nothing: whatever is missed counts. */
  private long latest(long untilMicros, ShadowAnswer strong) {
    return ShadowReads.isTime(strong) ? latest.applyAsLong(untilMicros) : Long.MAX_VALUE;
  }
}
