package org.calando.session.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.time.Scheduler;
import org.calando.session.LevelInUse;
import org.calando.session.internal.SessionControl.Watched;
import org.calando.session.internal.TargetControl.Earlier;
import org.calando.session.internal.governed.Answer;
import org.calando.session.internal.governed.GovernorLink;
import org.calando.session.internal.governed.GovernorTransport;
import org.calando.session.internal.governed.KeySample;
import org.calando.session.internal.governed.Reading;
import org.calando.session.internal.governed.ReportText;
import org.calando.session.internal.governed.SessionReport;
import org.calando.session.internal.governed.ShadowSample;
import org.calando.session.internal.governed.TableLevel;
import org.calando.session.internal.governed.TableReport;
import org.calando.session.internal.governed.TargetLevel;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.SavedState;

/**
 * A session whose levels a governor decides: reports of its tables, holds its reads to the answers,
 * and goes on by itself while there are none. Of the loops' thread, but for {@link #readTimes} and
 * {@link #close}.
 */
final class GovernedLoops implements GovernorLink.Host, AutoCloseable {
  private static final long SECOND = 1_000_000_000L;

  /** A leader is elected and has measured by then. */
  private static final long HOLD_NANOS = 30 * SECOND;

  /** For how long what a governor knew of the keys of all sessions is taken to be so. */
  private static final long KEYS_NANOS = 300 * SECOND;

  private static final int KEPT_SHADOWS = 64;

  /** A table is not read while nothing was read of it for so long. */
  private static final long UNREAD_NANOS = 15 * SECOND;

  /** A governor knows enough of a table by then whose first reads it was told of. */
  private static final long LEARNS_NANOS = 15 * SECOND;

  private final SessionControl control;
  private final GovernorLink link;
  private final UUID instance = UUID.randomUUID();
  private final LatencyCounts.Recorder times = new LatencyCounts.Recorder();
  private final Map<WatchedTable, BlockingQueue<ShadowSample>> shadows = new HashMap<>();
  private final Map<Target, SavedState.Table> handovers = new HashMap<>();
  private final Map<Target, Long> numbers = new HashMap<>();
  private final Map<WatchedTable, Need> readings = new HashMap<>();
  private Map<WatchedTable, TableLevel> told = Map.of();
  private int instances = 1;
  private String lost = "";
  private long sequence;
  private volatile boolean started;

  /**
   * How a table is read here.
   *
   * @param reads so far
   * @param neededNanos from when on a level is missing that is not there; without effect while
   *     nothing is read
   * @param lastNanos when reads were seen last
   */
  private record Need(long reads, long neededNanos, long lastNanos) {}

  GovernedLoops(SessionControl control, Scheduler scheduler, GovernorTransport transport) {
    this.control = control;
    this.link =
        new GovernorLink(
            scheduler,
            transport,
            this::report,
            this,
            () -> ThreadLocalRandom.current().nextDouble());
  }

  /** Begins to report: nothing is measured here until the governor has had its time. */
  void start() {
    started = true;
    for (Watched each : control.tables()) {
      each.signals().rest(true, 1);
      BlockingQueue<ShadowSample> found = new ArrayBlockingQueue<>(KEPT_SHADOWS);
      shadows.put(each.table(), found);
      each.shadows()
          .tell(
              sample -> {
                var unused = found.offer(sample);
              });
    }
    control.soon(link::start);
  }

  /** What counts how long reads take. */
  LatencyCounts.Recorder readTimes() {
    return times;
  }

  /** Whether the governor decides. */
  boolean isGoverned() {
    return link.isGoverned();
  }

  /** What the governor says of a table; empty unless it decides. */
  Optional<TableLevel> told(WatchedTable table) {
    return Optional.ofNullable(told.get(table)).filter(known -> isGoverned());
  }

  /** Why the governor does not decide; empty if it does. */
  String trouble() {
    if (!started || isGoverned()) {
      return "";
    }
    return link.trouble().isEmpty() ? lost : link.trouble();
  }

  private String report(long toldVersion) {
    long now = control.now();
    List<TableReport> tables = new ArrayList<>();
    control.tables().forEach(each -> tables.add(report(each, now)));
    WatchedTable first = control.tables().get(0).table();
    return ReportText.write(
        new SessionReport(
            instance,
            ++sequence,
            toldVersion,
            first.levels().local(),
            first.levels().local() ? first.levels().placement().local() : "",
            control.isFreshFirst(),
            tables,
            times.counts()));
  }

  private TableReport report(Watched watched, long now) {
    WatchedTable table = watched.table();
    List<ShadowSample> found = new ArrayList<>();
    BlockingQueue<ShadowSample> kept = shadows.get(table);
    if (kept != null) {
      kept.drainTo(found);
    }
    List<Double> shares = new ArrayList<>(List.of(table.main().tolerated()));
    table.targets().stream()
        .map(Target::tolerated)
        .filter(share -> share != table.main().tolerated())
        .forEach(shares::add);
    return new TableReport(
        table.name(),
        table.levels().write(),
        shares,
        table.use(),
        table.keys() instanceof KeySample sample ? sample.drain() : List.of(),
        found.stream()
            .map(
                each ->
                    new ShadowSample(
                        Math.min(0, each.atNanos() - now),
                        each.key(),
                        each.verdict(),
                        each.predicted()))
            .toList(),
        watched
            .shadows()
            .missed()
            .map(
                each -> new Missed(Math.min(0, each.atNanos() - now), each.reads(), each.missed())),
        reading(table));
  }

  /** Without the state of its own policy where a governor decides: that is as it was before. */
  private Map<Double, Reading> reading(WatchedTable table) {
    Map<Double, Reading> reading = new HashMap<>();
    for (Target target : table.targets()) {
      LevelInUse used = target.inUse(0);
      if (!used.fallback()) {
        String policy =
            isGoverned() ? "" : control.known(target).map(SavedState.Table::policy).orElse("");
        reading.put(target.tolerated(), new Reading(used.choice(), policy));
      }
    }
    return reading;
  }

  @Override
  public boolean take(Answer answer, long sentNanos) {
    if (isOlder(answer)) {
      lost = "a governor answers that began before the one that decided last";
      return false;
    }
    long now = control.now();
    long validNanos = sentNanos + answer.validNanos() - now;
    instances = answer.instances();
    boolean isWhole = validNanos > 0;
    Map<WatchedTable, TableLevel> levels = new HashMap<>();
    for (Watched each : control.tables()) {
      Optional<TableLevel> its =
          answer.tables().stream()
              .filter(level -> level.table().equals(each.table().name()))
              .filter(level -> level.replication().equals(each.table().levels().replication()))
              .findFirst();
      its.ifPresent(level -> levels.put(each.table(), level));
      boolean isNeeded = isNeeded(each.table(), now);
      isWhole &= its.filter(level -> isEnough(level, each.table(), isNeeded)).isPresent();
    }
    boolean whole = isWhole;
    lost = "";
    levels.forEach(
        (table, level) -> {
          if (table.keys() instanceof KeySample sample) {
            sample.share(level.keyShare());
          }
          // What weakens a promise counts at once, whatever else the answer lacks.
          table.wrote(level.write());
          if (validNanos > 0 && (whole || isGoverned())) {
            set(table, level, now, validNanos);
          }
          if (validNanos > 0) {
            fallBack(table, level.lost());
          }
        });
    if (whole) {
      told = Map.copyOf(levels);
      control.tables().forEach(each -> each.signals().rest(true, instances));
    }
    return whole;
  }

  /** Whether it is of an earlier governor. Numbers count no more after a silence. */
  private boolean isOlder(Answer answer) {
    return control.tables().stream()
        .map(Watched::table)
        .anyMatch(
            table ->
                answer.tables().stream()
                    .filter(level -> level.table().equals(table.name()))
                    .flatMap(level -> level.levels().stream())
                    .anyMatch(level -> isOlder(table, level)));
  }

  private boolean isOlder(WatchedTable table, TargetLevel level) {
    return table.targets().stream()
        .filter(target -> target.tolerated() == level.share())
        .anyMatch(
            target ->
                level.decided().map(Numbered::number).orElse(Long.MAX_VALUE)
                    < numbers.getOrDefault(target, 0L));
  }

  /*
   * Of a table that nobody reads no governor knows how its keys are asked for, and so has no level. That is no reason for
   * the session to look after its other tables; its reads, when they begin, are at the fallback until there is one.
   */
  private static boolean isEnough(TableLevel level, WatchedTable table, boolean isNeeded) {
    double share = table.main().tolerated();
    boolean isDecided = level.levels().stream().anyMatch(each -> each.share() == share);
    return isDecided || (!isNeeded && !level.lost().containsKey(share));
  }

  /**
   * Whether a table is read, and a governor ought to have a level for it. One that decided before
   * the reads began is given some time.
   */
  private boolean isNeeded(WatchedTable table, long now) {
    Need known = readings.get(table);
    Need lately = known != null && now - known.lastNanos() <= UNREAD_NANOS ? known : null;
    long reads = table.reads();
    if (reads == (known == null ? 0 : known.reads())) {
      return lately != null && now - lately.neededNanos() >= 0;
    }
    long fresh = isGoverned() ? now + LEARNS_NANOS : now;
    long needed = lately == null ? fresh : lately.neededNanos();
    readings.put(table, new Need(reads, needed, now));
    return now - needed >= 0;
  }

  /** A level that was decided for stronger writes than were seen since is none. */
  private void set(WatchedTable table, TableLevel level, long now, long validNanos) {
    if (level.write() != table.levels().write()) {
      return;
    }
    for (Target target : table.targets()) {
      level.levels().stream()
          .filter(each -> each.share() == target.tolerated())
          .forEach(each -> set(table, target, each, now, validNanos));
      level.handover().stream()
          .filter(each -> each.tolerated() == target.tolerated())
          .forEach(each -> handovers.put(target, each));
    }
  }

  private void set(
      WatchedTable table, Target target, TargetLevel level, long now, long validNanos) {
    List<String> reasons = new ArrayList<>(level.reasons());
    reasons.add("decided by the governor");
    target.predict(level.predicted().stream().mapToDouble(Double::doubleValue).toArray());
    table.set(target, table.levels(), level.choice(), false, now, validNanos, reasons);
    level
        .decided()
        .filter(each -> !Long.valueOf(each.number()).equals(numbers.put(target, each.number())))
        .ifPresent(
            each ->
                control.tell(
                    listener ->
                        listener.governed(
                            table.name(),
                            level.share(),
                            level.choice(),
                            each.number(),
                            Duration.ofNanos(each.ageNanos()))));
  }

  /**
   * What the governor knew before counts no more, here as there; what this session has found by
   * itself does.
   */
  private void fallBack(WatchedTable table, Map<Double, String> why) {
    for (Target target : table.targets()) {
      String reason = why.get(target.tolerated());
      if (reason != null) {
        lost = "the governor is at the fallback: " + reason;
        handovers.remove(target);
        boolean asLeft = control.release(target);
        if (asLeft || isGoverned()) {
          table.fallBack(target, lost);
        }
      }
    }
  }

  @Override
  public void silent(boolean first) {
    numbers.clear();
    double chance = ThreadLocalRandom.current().nextDouble();
    for (Watched each : control.tables()) {
      each.signals().rest(false, instances);
      for (Target target : each.table().targets()) {
        SavedState.Table handover = handovers.remove(target);
        if (handover != null && !first) {
          control.takeOver(
              each,
              target,
              new Earlier(
                  now(handover, target),
                  "the governor",
                  (long) (HOLD_NANOS * (1 + chance)),
                  (long) (KEYS_NANOS * (1 + chance))));
        }
      }
    }
  }

  /**
   * With the level in use, which may be newer than what is handed over now and then, unless it has
   * run out.
   */
  private static SavedState.Table now(SavedState.Table handover, Target target) {
    return new SavedState.Table(
        System.currentTimeMillis(),
        handover.name(),
        handover.tolerated(),
        handover.replication(),
        handover.write(),
        target.inUse(0).fallback() ? handover.choice() : target.choice(),
        handover.policy(),
        handover.popularity());
  }

  @Override
  public void close() {
    link.close();
  }
}
