package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Cost;
import org.calando.session.DecisionListener;
import org.calando.session.KeyObserver;
import org.calando.session.LevelInUse;
import org.calando.session.PolicyFactory;
import org.calando.session.TableName;
import org.calando.session.internal.shared.SharedSignals;
import org.calando.session.internal.shared.SignalSetup;
import org.calando.session.internal.shared.StateKeeper;

/** All that stands behind an adaptive session. Thread safe. */
public final class Adaptation implements AutoCloseable {
  /** Before what could not be prepared is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final CqlSession session;
  private final SessionFacts facts;
  private final Settings settings;
  private final Map<TableName, WatchedTable> tables;
  private final Map<WatchedTable, ShadowReads> shadows;
  private final Optional<StateKeeper> keeper;
  private final Router router;
  private final ScheduledThreadPoolExecutor timer = timer();

  // Guarded by this.
  private Optional<Running> running = Optional.empty();
  private boolean closed;

  /** What measures and decides, once it could begin. */
  private record Running(Map<String, SharedSignals> signals, AdaptiveLoop loop) {}

  /** Settings, as {@link org.calando.session.AdaptiveSessionBuilder} explains them. */
  public record Settings(
      Map<TableName, Double> tolerated,
      Map<TableName, ConsistencyLevel> writeLevels,
      boolean freshFirst,
      PolicyFactory policies,
      Function<TableName, KeyObserver> keys,
      DecisionListener listener,
      Duration period,
      Duration popularityWindow,
      Duration monitorDeadline,
      double canariesPerSecond,
      Duration restAfter,
      Duration startWithin,
      LongSupplier clock,
      Optional<Path> state) {}

  private Adaptation(
      CqlSession session,
      SessionFacts facts,
      Settings settings,
      Map<TableName, WatchedTable> tables) {
    this.session = session;
    this.facts = facts;
    this.settings = settings;
    this.tables = tables;
    this.keeper = settings.state().map(file -> new StateKeeper(file, settings.clock().getAsLong()));
    Map<WatchedTable, ShadowReads> all = new HashMap<>();
    tables
        .values()
        .forEach(table -> all.put(table, new ShadowReads(session, table, settings.clock())));
    this.shadows = Map.copyOf(all);
    this.router =
        new Router(
            new StatementTables(tables, session::getKeyspace),
            facts.level(),
            facts::profileLevel,
            (statement, found, key) ->
                Objects.requireNonNull(all.get(found.table())).read(statement, found, key));
  }

  /**
   * Checks everything and begins to observe; what takes longer than it may is done behind it, with
   * reads at the fallback until then.
   */
  public static Adaptation start(CqlSession session, Settings settings) {
    SessionFacts facts = new SessionFacts(session);
    Adaptation made = new Adaptation(session, facts, settings, watch(facts, settings));
    try {
      new Preparation(made.timer, PAUSE, made::measure, made::fallBack)
          .begin(settings.startWithin());
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private void measure() {
    Map<String, String> alone = new HashMap<>();
    Map<String, SharedSignals> signals =
        new SignalSetup(session, facts, settings, timer).open(tables.values(), alone::put);
    AdaptiveLoop loop =
        new AdaptiveLoop(
            facts,
            shadows,
            signals,
            timer,
            new AdaptiveLoop.Settings(
                settings.period(),
                settings.popularityWindow(),
                settings.policies(),
                settings.listener(),
                settings.clock(),
                keeper));
    synchronized (this) {
      if (closed) {
        return;
      }
      // The loop first: an application's policies may fail, and nothing measures then.
      loop.start();
      running = Optional.of(new Running(signals, loop));
      signals.values().forEach(SharedSignals::start);
    }
    // Last: what fails before is tried again, and would be told again.
    alone.forEach(this::tellAlone);
  }

  /** What an application's listener throws must not have the work tried again. */
  private void tellAlone(String keyspace, String why) {
    try {
      settings.listener().measuresAlone(keyspace, why);
    } catch (RuntimeException | Error e) {
      // It is for the application to note.
    }
  }

  private synchronized void fallBack(String reason) {
    if (!closed && running.isEmpty()) {
      tables.values().forEach(table -> table.fallBack(reason));
    }
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
                      facts.partitionKey(name),
                      tolerated,
                      settings.freshFirst(),
                      TableLevels.of(placement, write, facts.isLocal()),
                      settings.keys().apply(name),
                      settings.clock()));
            });
    return Map.copyOf(tables);
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

  /** A read whose level was chosen, which may be retried as the application asked for it. */
  public OwnLevelRetry retried(Statement<?> asked, Statement<?> routed) {
    return new OwnLevelRetry(
        session,
        routed,
        () -> router.asksMore(asked, routed),
        asksMore -> router.asAsked(asked, routed, asksMore),
        OwnLevelRetry::after);
  }

  /** What reads of a table use; empty if it is not watched. */
  public Optional<LevelInUse> inUse(TableName table) {
    return Optional.ofNullable(tables.get(table)).map(each -> each.inUse(each.main()));
  }

  /** What reads of a table that tolerate a share use; empty if the table is not watched. */
  public Optional<LevelInUse> inUse(TableName table, double tolerated) {
    return Optional.ofNullable(tables.get(table)).map(each -> each.inUse(each.target(tolerated)));
  }

  /** What observing and deciding have cost. */
  public synchronized Cost cost() {
    return Stream.concat(
            running.stream()
                .flatMap(all -> all.signals().values().stream())
                .map(SharedSignals::cost),
            shadows.values().stream().map(ShadowReads::cost))
        .reduce(new Cost(0, running.map(all -> all.loop().cpuNanos()).orElse(0L)), Cost::plus);
  }

  /** Stops observing; reads turn to the fallback. Idempotent. */
  @Override
  public void close() {
    Optional<Running> ended;
    synchronized (this) {
      closed = true;
      ended = running;
    }
    if (ended.isPresent()) {
      ended.get().loop().close();
    } else {
      timer.shutdownNow();
      tables.values().forEach(table -> table.fallBack("closed"));
    }
  }
}
