package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;
import org.calando.session.internal.SessionControl.Watched;
import org.calando.session.internal.governed.GovernedTable;
import org.calando.session.internal.governed.KeySample;
import org.calando.session.internal.governed.Reading;
import org.calando.session.internal.governed.TableLevel;
import org.calando.session.internal.governed.TableReport;
import org.calando.session.internal.governed.TableUse;
import org.calando.session.internal.governed.TargetLevel;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.LeadershipSettings;
import org.calando.session.internal.shared.SavedState.Table;
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

  /** How long sessions are held to what they read when it began, while there are no figures. */
  private static final long HELD_NANOS = 10_000_000_000L;

  private final Map<TableName, WatchedTable> tables;
  private final Map<WatchedTable, ShadowReads> shadows = new HashMap<>();
  private final SessionControl control;
  private final Map<String, SharedSignals> signals;
  private final Map<Target, Table> known = new ConcurrentHashMap<>();
  private final Map<Target, Chosen> chosen = new ConcurrentHashMap<>();
  private final Map<TableName, GovernedTable> asked;
  private final List<Table> former;
  private final Set<Target> unread = ConcurrentHashMap.newKeySet();
  private final Host host;
  private final long begunNanos;

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
   * Where others left tables.
   *
   * @param own loops of this governor, whose levels hold meanwhile
   * @param former governors that have ended
   */
  public record Earlier(List<Table> own, List<Table> former) {
    public static final Earlier NONE = new Earlier(List.of(), List.of());

    /** With loops that ended since; while none did, none have taken over from those before. */
    public Earlier and(List<Table> ended) {
      return ended.isEmpty() ? this : new Earlier(ended, former);
    }
  }

  /**
   * Whose levels are decided together.
   *
   * @param local whether the sessions have LOCAL levels
   * @param place their data centre; empty unless they have
   * @param freshFirst whether their fallback is as safe as can be
   */
  public record Group(String keyspace, boolean local, String place, boolean freshFirst) {
    /** Lags are those of the data centre whose nodes a session prefers. */
    private void requirePlace(SessionFacts facts) {
      String own = facts.localDataCentre().orElse("");
      if (local && !own.equals(place)) {
        throw new BadRequestException(
            "sessions have LOCAL levels in data centre %s, and the governor prefers %s"
                .formatted(place, own.isEmpty() ? "none" : own),
            "governed sessions",
            "set local-datacenter in the governor's file, or let a governor of their own decide");
      }
    }
  }

  /**
   * Begins; blocks while the nodes are asked.
   *
   * @param session of a governor; stays open
   * @param asked tables of the keyspace, which sessions named
   * @throws org.calando.core.CalandoException if a table is not there, the role may not do what is
   *     needed, or the cluster fails to
   */
  public GoverningLoops(
      CqlSession session,
      Group group,
      Map<TableName, GovernedTable> asked,
      Earlier earlier,
      Host host) {
    this.host = host;
    this.begunNanos = host.clock().getAsLong();
    this.asked = asked;
    this.former = earlier.former();
    Adaptation.Settings settings = settings(group);
    SessionFacts facts = SessionFacts.of(session, group.local());
    group.requirePlace(facts);
    this.tables = Adaptation.watch(facts, settings);
    tables
        .values()
        .forEach(
            table -> {
              ShadowReads found = new ShadowReads(session, table, host.clock());
              found.missedBy(() -> asked(table).flatMap(GovernedTable::missed));
              shadows.put(table, found);
              unread.add(table.main());
            });
    ScheduledExecutorService timer = TimerScheduler.timer("calando-governing");
    CostMeter cost = new CostMeter();
    long most = SessionControl.deadlineNanos(settings);
    this.control =
        new SessionControl(
            settings,
            facts::placement,
            Map.copyOf(shadows),
            new TimerScheduler(timer, host.clock()::getAsLong, most, cost),
            timer);
    control.beginFrom(this::reading, table -> left(table, table.main()).flatMap(Table::popularity));
    try {
      long rest = settings.pace().restAfter().toNanos();
      this.signals =
          new SignalSetup(session, facts, settings, LeadershipSettings.ofGovernor(rest), timer)
              .open(tables.values(), (keyspace, why) -> {});
      // Handed over again before anything new is decided.
      earlier.own().forEach(this::remember);
      control.start(signals, earlier.own());
    } catch (RuntimeException e) {
      control.close();
      throw e;
    }
  }

  private Adaptation.Settings settings(Group group) {
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
            host.clock()),
        Optional.empty(),
        Optional.empty());
  }

  private Optional<GovernedTable> asked(WatchedTable table) {
    return Optional.ofNullable(asked.get(table.name()));
  }

  /** The least that sessions read; before one has said it, where a former governor was. */
  private Optional<Reading> reading(WatchedTable table, Target target) {
    Optional<Reading> said = asked(table).flatMap(its -> its.reading(target.tolerated()));
    if (said.isPresent()) {
      unread.remove(target);
    }
    return said.or(
        () -> left(table, target).map(each -> new Reading(each.choice(), each.policy())));
  }

  private Optional<Table> left(WatchedTable table, Target target) {
    boolean isOver = chosen.containsKey(target);
    return former.stream().filter(each -> !isOver && table.isAsIn(each, target)).findFirst();
  }

  private void remember(Table earlier) {
    @Nullable WatchedTable table = tables.get(TableName.parse(earlier.name()));
    if (table != null && table.isAsIn(earlier, table.main())) {
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
  static void note(Target target, Optional<Table> now, Map<Target, Table> known) {
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
    long now = host.clock().getAsLong();
    if (found != null) {
      report.shadows().forEach(each -> found.add(each.plus(now)));
    }
    more.ifPresentOrElse(table::counted, () -> joined(table));
  }

  private void joined(WatchedTable table) {
    control.tables().stream()
        .filter(each -> each.table() == table)
        .forEach(each -> control.soon(() -> joined(each)));
  }

  private void joined(Watched watched) {
    watched.spread().joined(control.now());
    Target main = watched.table().main();
    if (unread.contains(main)
        && asked(watched.table()).flatMap(its -> its.reading(main.tolerated())).isPresent()) {
      control.beginAnew(watched, main);
    }
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
    List<Table> handover = new ArrayList<>();
    for (Target target : table.targets()) {
      // First: the number of a decision never stands for an earlier level.
      Optional<Numbered> decided = numbered(target);
      LevelInUse used = target.inUse(0);
      if (!used.fallback() && target.holdsFor(REST_NANOS)) {
        levels.add(
            new TargetLevel(
                target.tolerated(), used.choice(), target.predicted(), used.reasons(), decided));
        Table its = known.get(target);
        if (handsOver && its != null) {
          handover.add(its.inBins(BINS));
        }
      } else {
        held(table, target).ifPresent(levels::add);
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

  /**
   * A level that no session is below. Only while this one leads without figures yet: what a leading
   * session publishes would end, as sessions that are governed do not lead.
   */
  private Optional<TargetLevel> held(WatchedTable table, Target target) {
    SharedSignals its = signals.get(table.name().keyspace());
    long since = host.clock().getAsLong() - begunNanos;
    if (chosen.containsKey(target) || since > HELD_NANOS || its == null || !its.leads()) {
      return Optional.empty();
    }
    return asked(table)
        .flatMap(said -> said.inForce(target.tolerated()))
        .map(choice -> TargetLevel.held(target.tolerated(), choice));
  }

  private Optional<Numbered> numbered(Target target) {
    return Optional.ofNullable(chosen.get(target))
        .map(
            last ->
                new Numbered(
                    last.number(), Math.max(0, host.clock().getAsLong() - last.atNanos())));
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

  /** Where it left the tables, for the next one to begin with. */
  public List<Table> known() {
    return List.copyOf(known.values());
  }

  @Override
  public void close() {
    control.close();
  }
}
