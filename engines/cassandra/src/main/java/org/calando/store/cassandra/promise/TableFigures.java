package org.calando.store.cassandra.promise;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigure.Kind;
import org.calando.core.observe.Promised;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.TableName;
import org.calando.store.cassandra.promise.NodeTables.Period;

/*
 * The p99 of all requests lies between the least and the greatest p99 of the nodes and tables that have had any: where
 * each part has at least 1 % above some time so has the whole, and where each has at most 1 % so has the whole.
 * Percentiles themselves are not to be averaged.
 */
/** Figures of promises from what nodes counted of tables in a period. Immutable. */
final class TableFigures {
  private static final List<ConsistencyLevel> PLAIN =
      List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
  private static final List<ConsistencyLevel> LOCAL =
      List.of(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.LOCAL_QUORUM);

  private final ClientUse clients;
  private final Period period;
  private final Function<String, Optional<ReplicaPlacement>> placements;
  private final Function<String, StaleBound.Off> off;

  /**
   * Of a period.
   *
   * @param period of which all is known
   * @param placements replicas of a keyspace
   * @param off replicas of a keyspace's ranges that are off by order
   */
  TableFigures(
      ClientUse clients,
      Period period,
      Function<String, Optional<ReplicaPlacement>> placements,
      Function<String, StaleBound.Off> off) {
    this.off = off;
    this.clients = clients;
    this.period = period;
    this.placements = placements;
  }

  /**
   * What is known; a period without reads has no figure of them.
   *
   * @param lags measured by canaries; empty if there are none
   * @param mayLack whether a replica is away, or lately was, and may lack what was written then
   */
  Map<Promised, PromiseFigure> figures(Optional<PropagationLags> lags, boolean mayLack) {
    Map<Promised, PromiseFigure> figures = new EnumMap<>(Promised.class);
    p99(NodeTables::reads, CassandraPromises.READ_SOURCE)
        .ifPresent(figure -> figures.put(Promised.READ_P99, figure));
    if (clients.reads().isPresent() && clients.writes().isPresent()) {
      StaleBound bound = new StaleBound(clients);
      stale(bound, lags, mayLack).ifPresent(figure -> figures.put(Promised.STALE, figure));
      if (isStrong(bound)) {
        p99(NodeTables::writes, CassandraPromises.WRITE_SOURCE)
            .ifPresent(figure -> figures.put(Promised.FRESH, figure));
      }
    }
    return figures;
  }

  /** The share of stale reads had all been at one level, the weakest first; none if unknown. */
  Map<ConsistencyLevel, PromiseFigure> levels(Optional<PropagationLags> lags, boolean mayLack) {
    Map<ConsistencyLevel, PromiseFigure> levels = new EnumMap<>(ConsistencyLevel.class);
    if (clients.reads().isPresent() && clients.writes().isPresent()) {
      boolean local =
          clients.reads().get() == ConsistencyLevel.LOCAL_ONE
              || clients.reads().get() == ConsistencyLevel.LOCAL_QUORUM;
      for (ConsistencyLevel level : local ? LOCAL : PLAIN) {
        stale(new StaleBound(clients, level), lags, mayLack)
            .ifPresent(figure -> levels.put(level, figure));
      }
    }
    return levels;
  }

  private Optional<PromiseFigure> p99(NodeTables.Kind kind, String source) {
    double[] ends = {Double.POSITIVE_INFINITY, 0, 0};
    period.each(
        kind,
        (table, latency) -> {
          if (isOfClients(table)) {
            ends[0] = Math.min(ends[0], latency.p99Seconds());
            ends[1] = Math.max(ends[1], latency.p99Seconds());
            ends[2] += latency.count();
          }
        });
    return ends[2] == 0
        ? Optional.empty()
        : Optional.of(new PromiseFigure(ends[0], ends[1], ends[2], Kind.MEASURED, source));
  }

  private boolean isOfClients(TableName table) {
    return KeyspaceReplicas.isOfClients(table.keyspace(), clients)
        && !table.table().equals(CassandraPromises.CANARY_TABLE);
  }

  private Map<TableName, Long> counts(NodeTables.Kind kind) {
    Map<TableName, Long> counts = new HashMap<>();
    period.each(
        kind,
        (table, latency) -> {
          if (isOfClients(table)) {
            counts.merge(table, latency.count(), Long::sum);
          }
        });
    return counts;
  }

  private boolean isStrong(StaleBound bound) {
    return counts(NodeTables::writes).keySet().stream()
        .allMatch(table -> placements.apply(table.keyspace()).filter(bound::isStrong).isPresent());
  }

  /** The mean over tables, weighted by their reads. */
  private Optional<PromiseFigure> stale(
      StaleBound bound, Optional<PropagationLags> lags, boolean mayLack) {
    Map<TableName, Long> applied = counts(NodeTables::applied);
    double low = 0;
    double high = 0;
    double reads = 0;
    for (Map.Entry<TableName, Long> each : counts(NodeTables::reads).entrySet()) {
      long writes = applied.getOrDefault(each.getKey(), 0L);
      StaleBound.Share share =
          placements
              .apply(each.getKey().keyspace())
              .map(
                  placement ->
                      share(
                          bound,
                          placement,
                          off.apply(each.getKey().keyspace()),
                          lags,
                          mayLack,
                          writes))
              .orElse(StaleBound.Share.ANY);
      low += share.low() * each.getValue();
      high += share.high() * each.getValue();
      reads += each.getValue();
    }
    return reads == 0
        ? Optional.empty()
        : Optional.of(
            new PromiseFigure(
                low / reads,
                high / reads,
                reads,
                Kind.PREDICTED,
                CassandraPromises.staleSource(clients)));
  }

  private StaleBound.Share share(
      StaleBound bound,
      ReplicaPlacement placement,
      StaleBound.Off isOff,
      Optional<PropagationLags> lags,
      boolean mayLack,
      long applied) {
    if (mayLack && !bound.isStrong(placement)) {
      return StaleBound.Share.ANY;
    }
    return bound.of(placement, isOff, lags, applied / (placement.total() * period.seconds()));
  }
}
