package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;
import org.calando.session.internal.governed.GovernedTable;
import org.calando.session.internal.governed.KeySample;
import org.calando.session.internal.governed.TableLevel;
import org.calando.session.internal.governed.TableReport;
import org.calando.session.internal.governed.TableUse;
import org.calando.session.internal.governed.TargetLevel;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.LeadershipSettings;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.SharedSignals;
import org.calando.session.internal.shared.SignalSetup;
import org.jspecify.annotations.Nullable;

/*
 * It is an instance among the others of its keyspace, without an application: what it knows of keys, of reads and of what
 * shadow reads found is what sessions report. So it shares what is measured with sessions that nobody governs, and those
 * that it governed find what it measured last where they look for it when it is gone.
 */
/**
 * Decides the levels of a keyspace's tables for the sessions of others, which report what they do.
 * Thread safe.
 */
public final class GoverningLoops implements AutoCloseable {
  /** A decision that ends sooner is not passed on: what is passed on holds for seconds again. */
  private static final long REST_NANOS = 2_000_000_000L;

  /** Of a popularity that is handed over. */
  private static final int BINS = 64;

  private final Map<TableName, WatchedTable> tables;
  private final Map<WatchedTable, ShadowReads> shadows = new HashMap<>();
  private final SessionControl control;
  private final Map<String, SharedSignals> signals;
  private final Map<Target, SavedState.Table> known = new ConcurrentHashMap<>();
  private final Map<Target, Chosen> chosen = new ConcurrentHashMap<>();
  private final Host host;
  private final LongSupplier clock;

  /**
   * What a target reads, from which decision on.
   *
   * @param fallback whether figures are unknown, so that sessions are not told it
   */
  record Chosen(ReadChoice choice, boolean fallback, long number, long atNanos) {}

  /**
   * Whose loops these are.
   *
   * @param numbers gives each change of a level a number above those before, 1 or more
   * @param changed is told when a level has changed; must not block
   * @param clock in nanoseconds, of all times
   */
  public record Host(LongSupplier numbers, Runnable changed, LongSupplier clock) {}

  /**
   * Whose levels are decided together.
   *
   * @param local whether the sessions have LOCAL levels
   * @param place their data centre; empty unless they have
   * @param freshFirst whether their fallback is as safe as can be
   */
  public record Group(String keyspace, boolean local, String place, boolean freshFirst) {}

  private GoverningLoops(
      CqlSession session,
      Group group,
      Map<TableName, GovernedTable> asked,
      List<SavedState.Table> earlier,
      Host host) {
    this.host = host;
    this.clock = host.clock();
    Adaptation.Settings settings = settings(group, asked);
    SessionFacts facts = SessionFacts.of(session, group.local());
    requirePlace(group, facts);
    this.tables = Adaptation.watch(facts, settings);
    tables
        .values()
        .forEach(
            table -> {
              ShadowReads found = new ShadowReads(session, table, clock);
              found.missedBy(() -> missed(asked, table));
              shadows.put(table, found);
            });
    ScheduledExecutorService timer = TimerScheduler.timer("calando-governing");
    CostMeter cost = new CostMeter();
    long most = SessionControl.deadlineNanos(settings);
    this.control =
        new SessionControl(
            settings,
            facts::placement,
            Map.copyOf(shadows),
            new TimerScheduler(timer, clock::getAsLong, most, cost),
            timer);
    control.beginFrom(
        (table, target) ->
            Optional.ofNullable(asked.get(table.name()))
                .flatMap(its -> its.reading(target.tolerated())));
    try {
      long rest = settings.pace().restAfter().toNanos();
      this.signals =
          new SignalSetup(session, facts, settings, LeadershipSettings.ofGovernor(rest), timer)
              .open(tables.values(), (keyspace, why) -> {});
      // Handed over again before anything new is decided.
      earlier.forEach(this::remember);
      control.start(signals, earlier);
    } catch (RuntimeException e) {
      control.close();
      throw e;
    }
  }

  /**
   * Begins; blocks while the nodes are asked.
   *
   * @param session of a governor; stays open
   * @param tables of the keyspace, which sessions named
   * @param earlier where others left tables
   * @throws org.calando.core.CalandoException if a table is not there, the role may not do what is
   *     needed, or the cluster fails to
   */
  public static GoverningLoops open(
      CqlSession session,
      Group group,
      Map<TableName, GovernedTable> tables,
      List<SavedState.Table> earlier,
      Host host) {
    return new GoverningLoops(session, group, tables, earlier, host);
  }

  /** Lags are those of the data centre whose nodes a session prefers. */
  private static void requirePlace(Group group, SessionFacts facts) {
    String own = facts.localDataCentre().orElse("");
    if (group.local() && !own.equals(group.place())) {
      throw new BadRequestException(
          "sessions have LOCAL levels in data centre %s, and the governor prefers %s"
              .formatted(group.place(), own.isEmpty() ? "none" : own),
          "governed sessions",
          "set local-datacenter in the governor's file, or let a governor of their own decide");
    }
  }

  /** Of some tables those that levels can be decided for: they are there, and hold no counters. */
  public static Map<TableName, GovernedTable> usable(
      CqlSession session, Group group, Map<TableName, GovernedTable> tables) {
    SessionFacts facts = SessionFacts.of(session, group.local());
    Map<TableName, GovernedTable> usable = new HashMap<>();
    tables.forEach(
        (name, table) -> {
          try {
            facts.require(name);
            usable.put(name, table);
          } catch (BadRequestException e) {
            // Its sessions look after it themselves; it may be made later.
          }
        });
    return Map.copyOf(usable);
  }

  private Adaptation.Settings settings(Group group, Map<TableName, GovernedTable> asked) {
    Map<TableName, Double> tolerated = new HashMap<>();
    Map<TableName, ConsistencyLevel> writes = new HashMap<>();
    asked.forEach(
        (name, table) -> {
          tolerated.put(name, table.share());
          writes.put(name, table.write());
        });
    return new Adaptation.Settings(
        tolerated,
        writes,
        group.freshFirst(),
        Adaptation.usualPolicies(group.freshFirst()),
        name -> new SketchKeys(ThreadLocalRandom.current().nextLong()),
        this::decided,
        new Adaptation.Pace(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            5,
            Duration.ofMinutes(1),
            Duration.ZERO,
            clock),
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<Missed> missed(Map<TableName, GovernedTable> asked, WatchedTable table) {
    return Optional.ofNullable(asked.get(table.name())).flatMap(GovernedTable::missed);
  }

  private void remember(SavedState.Table earlier) {
    @Nullable WatchedTable table = tables.get(TableName.parse(earlier.name()));
    if (table != null && table.main().tolerated() == earlier.tolerated()) {
      known.put(table.main(), earlier);
    }
  }

  /** On the loops' thread. */
  private void decided(TableName name, double share, Decision<?> decision) {
    WatchedTable table = tables.get(name);
    if (table == null) {
      return;
    }
    Target target = table.target(share);
    note(target, control.known(target), known);
    if (number(target, chosen, host)) {
      host.changed().run();
    }
  }

  /**
   * Gives what a target reads a number if it is new.
   *
   * @return whether it is
   */
  static boolean number(Target target, Map<Target, Chosen> chosen, Host host) {
    LevelInUse now = target.inUse(0);
    Chosen before = chosen.get(target);
    if (before != null
        && before.choice().equals(now.choice())
        && before.fallback() == now.fallback()) {
      return false;
    }
    long number = host.numbers().getAsLong();
    chosen.put(target, new Chosen(now.choice(), now.fallback(), number, host.clock().getAsLong()));
    return true;
  }

  /**
   * Notes where a target is. Without its figures that is nowhere: loops that begin where these end
   * would have its level again.
   */
  static void note(
      Target target, Optional<SavedState.Table> now, Map<Target, SavedState.Table> known) {
    if (target.lostFigures()) {
      known.remove(target);
    }
    now.ifPresent(each -> known.put(target, each));
  }

  /**
   * Takes what a session did since its last report.
   *
   * @param more empty if this is its first one
   */
  public void take(TableReport report, Optional<TableUse> more) {
    WatchedTable table = tables.get(report.table());
    if (table == null) {
      return;
    }
    table.wrote(report.write());
    report.shares().forEach(table::target);
    KeySample.replay(report.keys(), table.keys());
    ShadowReads found = shadows.get(table);
    long now = clock.getAsLong();
    if (found != null) {
      report.shadows().forEach(each -> found.add(each.plus(now)));
    }
    more.ifPresentOrElse(table::counted, () -> joined(table));
  }

  private void joined(WatchedTable table) {
    control.tables().stream()
        .filter(each -> each.table() == table)
        .forEach(each -> control.soon(() -> each.spread().joined(control.now())));
  }

  /**
   * The level of a table; empty if it is not decided here.
   *
   * @param keyShare share of the operations whose keys are to be reported
   * @param handsOver whether it says where a session begins that has to decide for itself
   */
  public Optional<TableLevel> level(TableName name, double keyShare, boolean handsOver) {
    return Optional.ofNullable(tables.get(name)).map(table -> level(table, keyShare, handsOver));
  }

  private TableLevel level(WatchedTable table, double keyShare, boolean handsOver) {
    List<TargetLevel> levels = new ArrayList<>();
    List<SavedState.Table> handover = new ArrayList<>();
    for (Target target : table.targets()) {
      // First: the number of a decision never stands for an earlier level.
      Optional<Numbered> decided = numbered(target);
      LevelInUse used = target.inUse(0);
      if (!used.fallback() && target.holdsFor(REST_NANOS)) {
        levels.add(
            new TargetLevel(
                target.tolerated(), used.choice(), target.predicted(), used.reasons(), decided));
        SavedState.Table its = known.get(target);
        if (handsOver && its != null) {
          handover.add(inFewBins(its));
        }
      }
    }
    double ack =
        Optional.ofNullable(signals.get(table.name().keyspace()))
            .flatMap(SharedSignals::lags)
            .map(lags -> lags.sample().leastAckSeconds())
            .orElse(0.0);
    return new TableLevel(
        table.name(),
        table.levels().replication(),
        table.levels().write(),
        keyShare,
        ack,
        control.sinceReturnNanos(table.main()),
        levels,
        lost(table),
        handover);
  }

  private Optional<Numbered> numbered(Target target) {
    return Optional.ofNullable(chosen.get(target))
        .map(last -> new Numbered(last.number(), Math.max(0, clock.getAsLong() - last.atNanos())));
  }

  /**
   * The shares whose reads are at the fallback for want of figures, and why. Not while there never
   * were any: a governor that has just begun knows less than the one before it, whose levels
   * sessions hold meanwhile.
   */
  static Map<Double, String> lost(WatchedTable table) {
    Map<Double, String> lost = new HashMap<>();
    for (Target target : table.targets()) {
      if (target.lostFigures()) {
        lost.put(target.tolerated(), String.join("; ", target.inUse(0).reasons()));
      }
    }
    return lost;
  }

  private static SavedState.Table inFewBins(SavedState.Table table) {
    return new SavedState.Table(
        table.savedMillis(),
        table.name(),
        table.tolerated(),
        table.replication(),
        table.write(),
        table.choice(),
        table.policy(),
        table
            .popularity()
            .map(
                each ->
                    new Popularity(
                        each.atNanos(), each.byKey().inBins(BINS), each.unseenWrites())));
  }

  /** Where it left the tables, for the next one to begin with. */
  public List<SavedState.Table> known() {
    return List.copyOf(known.values());
  }

  @Override
  public void close() {
    control.close();
  }
}
