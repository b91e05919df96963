package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Cost;
import org.calando.session.DecisionListener;
import org.calando.session.KeyObserver;
import org.calando.session.LevelInUse;
import org.calando.session.PolicyFactory;
import org.calando.session.TableName;
import org.calando.session.internal.governed.GovernorTransport;
import org.calando.session.internal.governed.KeySample;
import org.calando.session.internal.shared.LeadershipSettings;
import org.calando.session.internal.shared.SignalSetup;
import org.jspecify.annotations.Nullable;

/** All that stands behind an adaptive session. Thread safe. */
public final class Adaptation implements AutoCloseable {
  /** Before what could not be prepared is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final CqlSession session;
  private final SessionFacts facts;
  private final Settings settings;
  private final Map<TableName, WatchedTable> tables;
  private final Router router;
  private final ScheduledExecutorService timer = TimerScheduler.timer("calando-session");
  private final CostMeter cost = new CostMeter();
  private final SessionControl control;

  /** Settings, as {@link org.calando.session.AdaptiveSessionBuilder} explains them. */
  public record Settings(
      Map<TableName, Double> tolerated,
      Map<TableName, ConsistencyLevel> writeLevels,
      boolean freshFirst,
      PolicyFactory policies,
      Function<TableName, KeyObserver> keys,
      DecisionListener listener,
      Pace pace,
      Optional<Path> state,
      Optional<GovernorTransport> governor) {}

  /** Times of the settings, and their clock. */
  public record Pace(
      Duration period,
      Duration popularityWindow,
      Duration monitorDeadline,
      double canariesPerSecond,
      Duration restAfter,
      Duration startWithin,
      LongSupplier clock) {}

  /** What decides if an application does not say: PBS. */
  public static PolicyFactory usualPolicies(boolean freshFirst) {
    return (table, share, safe, local) ->
        new PbsPolicy(AdaptiveConfig.of(share).withLevels(local, safe).withFreshFirst(freshFirst));
  }

  private Adaptation(
      CqlSession session,
      SessionFacts facts,
      Settings settings,
      Map<TableName, WatchedTable> tables) {
    this.session = session;
    this.facts = facts;
    this.settings = settings;
    this.tables = tables;
    Map<WatchedTable, ShadowReads> all = new HashMap<>();
    tables
        .values()
        .forEach(table -> all.put(table, new ShadowReads(session, table, settings.pace().clock())));
    long most = SessionControl.deadlineNanos(settings);
    this.control =
        new SessionControl(
            settings,
            facts::placement,
            Map.copyOf(all),
            new TimerScheduler(timer, settings.pace().clock()::getAsLong, most, cost),
            timer);
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
      new Preparation(made.timer, PAUSE, made::measure, made.control::fallBack)
          .begin(settings.pace().startWithin());
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private void measure() {
    Map<String, String> alone = new HashMap<>();
    LeadershipSettings pace = LeadershipSettings.usual(settings.pace().restAfter().toNanos());
    SignalSetup setup = new SignalSetup(session, facts, settings, pace, timer);
    boolean begun = control.start(setup.open(tables.values(), alone::put), List.of());
    // Last: what fails before is tried again, and would be told again.
    if (begun) {
      alone.forEach(this::tellAlone);
    }
  }

  /** What an application's listener throws must not have the work tried again. */
  private void tellAlone(String keyspace, String why) {
    try {
      settings.listener().measuresAlone(keyspace, why);
    } catch (RuntimeException | Error e) {
      // It is for the application to note.
    }
  }

  static Map<TableName, WatchedTable> watch(SessionFacts facts, Settings settings) {
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
                      keys(settings, name),
                      settings.pace().clock()));
            });
    return Map.copyOf(tables);
  }

  private static KeyObserver keys(Settings settings, TableName name) {
    KeyObserver own = settings.keys().apply(name);
    return settings.governor().isPresent() ? new KeySample(own) : own;
  }

  /**
   * What is to count how long a statement takes; null unless it is a read whose level is chosen,
   * and a governor is told.
   */
  public LatencyCounts.@Nullable Recorder readTimes(Statement<?> statement) {
    return control.readTimes().filter(times -> router.isRead(statement)).orElse(null);
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
  public Cost cost() {
    return control.costs().reduce(cost.cost(), Cost::plus);
  }

  /** Stops observing; reads turn to the fallback. Idempotent. */
  @Override
  public void close() {
    control.close();
  }
}
