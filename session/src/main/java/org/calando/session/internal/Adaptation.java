package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Canary;
import org.calando.session.CanaryBuilder;
import org.calando.session.Cost;
import org.calando.session.DecisionListener;
import org.calando.session.KeyObserver;
import org.calando.session.LevelInUse;
import org.calando.session.Monitor;
import org.calando.session.PolicyFactory;
import org.calando.session.TableName;

/** All that stands behind an adaptive session. Thread safe. */
public final class Adaptation implements AutoCloseable {
  private final Map<TableName, WatchedTable> tables;
  private final Router router;
  private final Monitor monitor;
  private final Map<String, Canary> canaries;
  private final AdaptiveLoop loop;

  /** Settings, as {@link org.calando.session.AdaptiveSessionBuilder} explains them. */
  public record Settings(
      Map<TableName, Double> tolerated,
      Map<TableName, ConsistencyLevel> writeLevels,
      PolicyFactory policies,
      Function<TableName, KeyObserver> keys,
      DecisionListener listener,
      Duration period,
      Duration popularityWindow,
      Duration monitorDeadline,
      double canariesPerSecond,
      LongSupplier clock) {}

  private Adaptation(
      Map<TableName, WatchedTable> tables,
      Router router,
      Monitor monitor,
      Map<String, Canary> canaries,
      AdaptiveLoop loop) {
    this.tables = tables;
    this.router = router;
    this.monitor = monitor;
    this.canaries = canaries;
    this.loop = loop;
  }

  /** Checks everything, then begins to observe; blocks until then. */
  public static Adaptation start(CqlSession session, Settings settings) {
    SessionFacts facts = new SessionFacts(session);
    Map<TableName, WatchedTable> tables = watch(facts, settings);
    Monitor.Builder watching =
        Monitor.builder(session)
            .deadline(settings.monitorDeadline())
            .clock(settings.clock())
            .ownWriteBytes(name -> Objects.requireNonNull(tables.get(name)).meanWriteBytes());
    tables.keySet().forEach(watching::watch);
    Monitor monitor = watching.build();
    monitor.check();
    Map<String, Canary> canaries = canaries(session, facts, tables, settings);
    AdaptiveLoop loop =
        new AdaptiveLoop(
            facts,
            tables.values(),
            monitor,
            canaries,
            timer(),
            new AdaptiveLoop.Settings(
                settings.period(),
                settings.popularityWindow(),
                settings.policies(),
                settings.listener(),
                settings.clock()));
    loop.start();
    Router router =
        new Router(
            new StatementTables(tables, session::getKeyspace), facts.level(), facts::profileLevel);
    return new Adaptation(tables, router, monitor, canaries, loop);
  }

  private static Map<TableName, WatchedTable> watch(SessionFacts facts, Settings settings) {
    Map<TableName, WatchedTable> tables = new LinkedHashMap<>();
    settings
        .tolerated()
        .forEach(
            (name, tolerated) -> {
              ReplicaPlacement placement = facts.require(name);
              ConsistencyLevel write = settings.writeLevels().getOrDefault(name, facts.level());
              tables.put(
                  name,
                  new WatchedTable(
                      name,
                      tolerated,
                      TableLevels.of(placement, write, facts.isLocal()),
                      settings.keys().apply(name),
                      settings.clock()));
            });
    return Map.copyOf(tables);
  }

  private static Map<String, Canary> canaries(
      CqlSession session,
      SessionFacts facts,
      Map<TableName, WatchedTable> tables,
      Settings settings) {
    Map<String, List<WatchedTable>> byKeyspace = new HashMap<>();
    tables
        .values()
        .forEach(
            table ->
                byKeyspace
                    .computeIfAbsent(table.name().keyspace(), name -> new ArrayList<>())
                    .add(table));
    Map<String, Canary> canaries = new HashMap<>();
    try {
      byKeyspace.forEach(
          (keyspace, itsTables) -> {
            CanaryBuilder builder =
                Canary.builder(session, keyspace)
                    .perSecond(settings.canariesPerSecond())
                    .clock(settings.clock())
                    .writeLevel(() -> weakest(itsTables))
                    .readChoice(() -> choice(itsTables));
            if (facts.isLocal()) {
              builder.dataCentre(
                  facts
                      .localDataCentre()
                      .orElseThrow(
                          () ->
                              new BadRequestException(
                                  "the session has LOCAL levels and no local data centre",
                                  "session",
                                  "give it one")));
            }
            canaries.put(keyspace, builder.start());
          });
    } catch (RuntimeException e) {
      canaries.values().forEach(Canary::close);
      throw e;
    }
    return Map.copyOf(canaries);
  }

  private static ConsistencyLevel weakest(List<WatchedTable> tables) {
    return tables.stream()
        .map(WatchedTable::levels)
        .min(
            (a, b) ->
                Integer.compare(
                    a.placement().involved(a.write()), b.placement().involved(b.write())))
        .orElseThrow()
        .write();
  }

  // One of the choices in use: each is predicted for itself.
  private static ReadChoice choice(List<WatchedTable> tables) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    List<Target> targets = List.copyOf(tables.get(random.nextInt(tables.size())).targets());
    return targets.get(random.nextInt(targets.size())).choice();
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "calando-session");
              thread.setDaemon(true);
              return thread;
            });
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  /** The statement to send instead of a statement. */
  public Statement<?> route(Statement<?> statement) {
    return router.route(statement);
  }

  /** What reads of a table use; empty if it is not watched. */
  public Optional<LevelInUse> inUse(TableName table) {
    return Optional.ofNullable(tables.get(table)).map(each -> each.main().inUse());
  }

  /** What reads of a table that tolerate a share use; empty if the table is not watched. */
  public Optional<LevelInUse> inUse(TableName table, double tolerated) {
    return Optional.ofNullable(tables.get(table)).map(each -> each.target(tolerated).inUse());
  }

  /** What observing and deciding have cost. */
  public Cost cost() {
    long requests = monitor.cost().requests();
    long cpuNanos = monitor.cost().cpuNanos() + loop.cpuNanos();
    for (Canary canary : canaries.values()) {
      requests += canary.cost().requests();
      cpuNanos += canary.cost().cpuNanos();
    }
    return new Cost(requests, cpuNanos);
  }

  /** Stops observing; reads turn to the safe level. Idempotent. */
  @Override
  public void close() {
    loop.close();
  }
}
