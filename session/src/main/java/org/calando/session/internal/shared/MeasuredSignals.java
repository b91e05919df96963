package org.calando.session.internal.shared;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.session.Cost;
import org.calando.session.Monitor;
import org.calando.session.TableName;
import org.calando.session.TruthSince;
import org.calando.session.internal.CanaryRun;

/** Measures a keyspace by a canary and a monitor of its own. One thread at a time. */
final class MeasuredSignals implements AutoCloseable {
  private final CanaryRun canary;
  private final Function<Set<TableName>, Monitor> monitors;
  private Set<TableName> tables;
  private Monitor monitor;
  private Cost formersCost = new Cost(0, 0);
  private long truthSeen;

  /**
   * Begins to measure.
   *
   * @param canary closed with this
   * @param monitors make a monitor of tables
   * @param monitor the first one, of these tables
   */
  MeasuredSignals(
      CanaryRun canary,
      Function<Set<TableName>, Monitor> monitors,
      Set<TableName> tables,
      Monitor monitor) {
    this.canary = canary;
    this.monitors = monitors;
    this.tables = tables;
    this.monitor = monitor;
  }

  /** Asks the nodes. */
  CompletableFuture<Void> ask() {
    return monitor.ask();
  }

  /** Watches other tables; their rates are known after two answers. */
  void watch(Set<TableName> newTables) {
    if (!newTables.equals(tables)) {
      formersCost = formersCost.plus(monitor.cost());
      monitor = monitors.apply(newTables);
      tables = newTables;
    }
  }

  /** What is known now. */
  SignalFigures figures() {
    Map<TableName, Observation.Rates> rates = new HashMap<>();
    for (TableName table : tables) {
      monitor.rates(table).ifPresent(known -> rates.put(table, known));
    }
    return new SignalFigures(
        canary.lags(), canary.replicas(), canary.liveReplicas(), canary.isStrained(), rates);
  }

  /** The canary's reads since the last call. */
  TruthTotal moreTruth() {
    Map<LagModel, Double> predicted = new EnumMap<>(LagModel.class);
    TruthSince newest = new TruthSince(-1, Optional.empty());
    for (LagModel model : LagModel.values()) {
      TruthSince since = canary.truthSince(truthSeen, model);
      if (newest.seen() >= 0 && since.seen() != newest.seen()) {
        return TruthTotal.NONE; // one came just now; next time all of them
      }
      newest = since;
      predicted.put(model, since.truth().map(Observation.Truth::predicted).orElse(0.0));
    }
    truthSeen = newest.seen();
    return newest
        .truth()
        .map(truth -> new TruthTotal(truth.atNanos(), truth.reads(), truth.stale(), predicted))
        .orElse(TruthTotal.NONE);
  }

  /** Why the canary fails now; empty while it does not. */
  Optional<String> trouble() {
    return canary.trouble();
  }

  /** What it has cost. */
  Cost cost() {
    return formersCost.plus(monitor.cost()).plus(canary.cost());
  }

  @Override
  public void close() {
    canary.close();
  }
}
