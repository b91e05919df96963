package org.calando.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Words;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.store.ConsistencyLevel;
import org.calando.knob.Point;
import org.calando.plan.Setting.Kind;
import org.calando.schema.Units;
import org.calando.studyfile.workload.RateSpec;

/*
 * Of each gear, clock and number of replicas that reads ask, none more than make reads fresh, the
 * closed form says how busy nodes are, what reads take and what nodes draw. Left out is
 *
 *   what refuses writes or reads, or has nodes fall behind at the peak of the load,
 *   what is dearer, by a sixth and more, than something that surely keeps all that it may keep: has
 *   strong reads within half of the promised time and nodes that are busy for 70 % at most;
 *   unless it is among the dozen cheapest that may keep the promise: the next best is to be told.
 *
 * The second is asked of the promise, and of it without each of its parts, as a plan tells what
 * each part costs. Queues are taken to be longer than they are, and how late replicas are is not
 * known before something has run; so nothing is taken for broken that is not three times too slow.
 */
/** What a plan simulates, and what it leaves out. Not thread safe. */
final class Candidates {
  private static final double DEARER = 7.0 / 6;
  private static final int LEAST = 12;
  private static final double SURELY_WITHIN = 0.5;
  private static final double SURELY_BUSY = 0.7;
  private static final double HOPELESS = 3;
  private static final long LEAST_RESIDENCY_NANOS = 5_000_000_000L;
  private static final double RESIDENCY_NANOS = 600e9;

  /** Names that stand for numbers of replicas, where several do the first. */
  private static final List<ConsistencyLevel> LEVELS =
      List.of(
          ConsistencyLevel.ONE,
          ConsistencyLevel.QUORUM,
          ConsistencyLevel.TWO,
          ConsistencyLevel.THREE,
          ConsistencyLevel.ALL);

  private final PlanFile file;
  private final HeldSettings held;
  private final JointCluster cluster;
  private final Offered load;
  private final Map<String, Integer> skipped = new LinkedHashMap<>();

  /** A setting with what the closed form says of it; watts at the own idle share come first. */
  private record Priced(
      Setting setting, HeldSettings.Cost atPeak, List<Double> watts, Map<Promised, Boolean> keeps) {
    /** Whether it may keep a promise without one of its parts. */
    boolean mayKeepBut(Optional<Promised> dropped) {
      return keeps.entrySet().stream()
          .allMatch(part -> part.getValue() || dropped.equals(Optional.of(part.getKey())));
    }
  }

  Candidates(PlanFile file, Offered load) {
    this.file = file;
    this.held = file.held();
    this.cluster = held.cluster();
    this.load = load;
  }

  /**
   * The settings and policies to simulate: everything on, strong reads and the fastest clock first.
   *
   * @param most settings that are held, at most, beside that one
   */
  List<Setting> settings(int most) {
    List<Priced> all = priced();
    Setting usual = usual();
    Set<Priced> cheapest = new HashSet<>();
    for (int i = 0; i <= Planner.IDLE_SHARES.size(); i++) {
      int at = i;
      all.stream()
          .filter(one -> one.mayKeepBut(Optional.empty()))
          .sorted(Comparator.comparingDouble(one -> one.watts().get(at)))
          .limit(LEAST)
          .forEach(cheapest::add);
    }
    List<Priced> near =
        all.stream().filter(one -> cheapest.contains(one) || isNear(one, all)).toList();
    List<Setting> cheap =
        near.stream()
            .sorted(
                Comparator.comparing((Priced one) -> !one.mayKeepBut(Optional.empty()))
                    .thenComparingDouble(one -> one.watts().get(0)))
            .map(Priced::setting)
            .filter(setting -> !setting.equals(usual))
            .toList();
    count(
        "dearer than what surely does",
        (int)
            all.stream()
                .filter(one -> !near.contains(one) && !one.setting().equals(usual))
                .count());
    count(
        "beyond the " + most + " that may keep the promise with the fewest watts",
        cheap.size() - most);
    List<Setting> settings = new ArrayList<>(List.of(usual));
    settings.addAll(cheap.subList(0, Math.min(most, cheap.size())));
    settings.addAll(policies());
    settings.addAll(named(settings));
    return settings;
  }

  /** What the file names itself, but for what is among the settings anyway. */
  private List<Setting> named(List<Setting> settings) {
    List<Setting> named = new Named(file.controls(), cluster).settings();
    if (named.isEmpty()) {
      return named;
    }
    Set<Point> ours =
        new HashSet<>(points(settings.stream().filter(one -> one.clock() == 0).toList()));
    List<Point> points = points(named);
    return IntStream.range(0, named.size())
        .filter(i -> ours.add(points.get(i)))
        .mapToObj(named::get)
        .toList();
  }

  private List<Point> points(List<Setting> settings) {
    return file.study("named", settings, List.of()).matrix().get(0).control();
  }

  /** How many settings were left out, by why. */
  Map<String, Integer> skipped() {
    return skipped;
  }

  private void count(String why, int settings) {
    if (settings > 0) {
      skipped.merge(why, settings, Integer::sum);
    }
  }

  /** Everything on, strong reads, the fastest clock. */
  Setting usual() {
    int gear = cluster.highest();
    return held(gear, 0, cluster.strong(gear)).orElseThrow();
  }

  private List<Priced> priced() {
    List<Priced> all = new ArrayList<>();
    boolean mayBeStale = file.limit(Promised.STALE).orElse(0) > 0;
    for (int gear = 1; gear <= cluster.highest(); gear++) {
      for (int clock = 0; clock < cluster.clocksKHz().size(); clock++) {
        int strong = cluster.strong(gear);
        for (int replicas = 1; replicas <= strong; replicas++) {
          add(all, held(gear, clock, replicas));
        }
        if (mayBeStale && strong > 1) {
          add(all, Optional.of(mixed(gear, clock)));
        }
      }
    }
    return all;
  }

  private void add(List<Priced> all, Optional<Setting> found) {
    if (found.isEmpty()) {
      count("of a number of replicas that no level asks", 1);
      return;
    }
    Setting setting = found.get();
    if (cluster.copies(setting.gear()) < cluster.writeReplicas()) {
      count("would refuse writes", 1);
    } else if (cost(held, setting, load.peak()).busyShare() >= 1) {
      count("would be overloaded at " + Units.formatRate(load.peak()), 1);
    } else {
      HeldSettings.Cost cost = cost(held, setting, load.mean());
      List<Double> watts = new ArrayList<>(List.of(cost.watts()));
      Planner.IDLE_SHARES.forEach(
          share -> watts.add(cost(held.withIdleShare(share), setting, load.mean()).watts()));
      all.add(new Priced(setting, cost(held, setting, load.peak()), watts, keeps(setting, cost)));
    }
  }

  /** Of reads whose level is chosen, as if all of them asked the fewest. */
  private HeldSettings.Cost cost(HeldSettings nodes, Setting setting, double perSecond) {
    return nodes.of(
        perSecond * load.reads(),
        perSecond * load.writes(),
        setting.gear(),
        setting.clock(),
        setting.kind() == Kind.HELD ? setting.replicas() : 1);
  }

  /** Whether each part may be kept. */
  private Map<Promised, Boolean> keeps(Setting setting, HeldSettings.Cost cost) {
    Map<Promised, Boolean> keeps = new EnumMap<>(Promised.class);
    GearParts parts = new GearParts(file.promise(), cluster);
    for (Promised part : file.promise().limits().keySet()) {
      keeps.put(part, parts.ofGear(setting, part).orElse(true));
    }
    OptionalDouble limit = file.limit(Promised.READ_P99);
    limit.ifPresent(most -> keeps.put(Promised.READ_P99, cost.p99Seconds() <= HOPELESS * most));
    if (file.limit(Promised.STALE).isEmpty()) {
      keeps.put(Promised.STALE, setting.replicas() >= cluster.strong(setting.gear()));
    }
    return keeps;
  }

  private boolean isNear(Priced one, List<Priced> all) {
    List<Optional<Promised>> dropped = new ArrayList<>(List.of(Optional.empty()));
    one.keeps().keySet().forEach(part -> dropped.add(Optional.of(part)));
    return dropped.stream()
        .filter(one::mayKeepBut)
        .anyMatch(
            part ->
                file.hasOwnWork()
                    || IntStream.range(0, one.watts().size())
                        .anyMatch(at -> one.watts().get(at) <= DEARER * surely(all, part, at)));
  }

  /** The fewest watts, at an idle share, of what surely keeps the promise without a part. */
  private double surely(List<Priced> all, Optional<Promised> dropped, int at) {
    double p99 =
        dropped.equals(Optional.of(Promised.READ_P99))
            ? Double.POSITIVE_INFINITY
            : file.limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    return all.stream()
        .filter(one -> one.mayKeepBut(dropped))
        .filter(one -> one.setting().kind() == Kind.HELD)
        .filter(
            one ->
                dropped.equals(Optional.of(Promised.STALE))
                    || one.setting().replicas() >= cluster.strong(one.setting().gear()))
        .filter(one -> one.atPeak().p99Seconds() <= SURELY_WITHIN * p99)
        .filter(one -> one.atPeak().busyShare() <= SURELY_BUSY)
        .mapToDouble(one -> one.watts().get(at))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private Optional<Setting> held(int gear, int clock, int replicas) {
    return level(replicas)
        .map(
            read ->
                new Setting(
                    words(read.name(), gear, clock),
                    beside(pair(read.name()), gear),
                    Kind.HELD,
                    gear,
                    clock,
                    replicas));
  }

  /** Reads as weak as what is promised of stale ones allows, by measured lags. */
  private Setting mixed(int gear, int clock) {
    String policy =
        "{pbs: {tolerate: %s}}"
            .formatted(Units.formatNumber(file.limit(Promised.STALE).orElseThrow()));
    return new Setting(
        words("pbs", gear, clock),
        beside(pair(policy), gear),
        Kind.READS,
        gear,
        clock,
        cluster.strong(gear));
  }

  private Optional<ConsistencyLevel> level(int replicas) {
    return LEVELS.stream()
        .filter(level -> level.replicas(cluster.replicas()) == replicas)
        .findFirst();
  }

  private String pair(String read) {
    String write = ConsistencyLevel.QUORUM.name();
    return read.equals(write) ? write : "{read: %s, write: %s}".formatted(read, write);
  }

  private String beside(String pair, int gear) {
    return cluster.highest() > 1
        ? "{beside: [%s, {gear: %d}]}".formatted(pair, gear)
        : "{beside: [%s]}".formatted(pair);
  }

  private String words(String reads, int gear, int clock) {
    return reads
        + (cluster.highest() > 1 ? ", gear " + gear : "")
        + (cluster.clocksKHz().size() > 1 ? ", " + ghz(clock) + " GHz" : "");
  }

  private String ghz(int clock) {
    return Words.number(cluster.clocksKHz().get(clock) / 1e6);
  }

  /** Those that shift gears or set everything, where the file names none. */
  private List<Setting> policies() {
    List<Setting> policies = new ArrayList<>();
    if (file.controls().isEmpty()) {
      String residency = Units.formatNanos(residencyNanos());
      policies.add(
          new Setting(
              "joint",
              "{joint: {residency: %s}}".formatted(residency),
              Kind.JOINT,
              0,
              0,
              cluster.replicas()));
      if (cluster.highest() > 1 && !(file.rate() instanceof RateSpec.Constant)) {
        policies.addAll(gears(residency));
      }
    }
    return policies;
  }

  private List<Setting> gears(String residency) {
    int strong = cluster.strong(cluster.highest());
    if (cluster.copies(1) < Math.max(cluster.writeReplicas(), strong)) {
      count("policies of gears that would come to one which refuses writes", 1);
      return List.of();
    }
    List<String> policies =
        file.rate() instanceof RateSpec.Traced ? List.of("load", "forecast") : List.of("load");
    String level = level(strong).orElseThrow().name();
    return policies.stream()
        .map(
            policy ->
                new Setting(
                    level + ", gears by " + policy,
                    "{beside: [%s, {gear: {%s: {residency: %s}}}]}"
                        .formatted(pair(level), policy, residency),
                    Kind.POLICY,
                    1,
                    0,
                    strong))
        .toList();
  }

  /**
   * Ten minutes of days, which may be compressed; as long as it takes at least where they have
   * none.
   */
  private long residencyNanos() {
    return file.rate() instanceof RateSpec.Traced days
        ? Math.max(LEAST_RESIDENCY_NANOS, Math.round(RESIDENCY_NANOS / days.speed()))
        : LEAST_RESIDENCY_NANOS;
  }

  /** Clocks that settings have, the fastest first. */
  static List<Integer> clocks(List<Setting> settings) {
    return settings.stream().map(Setting::clock).distinct().sorted().toList();
  }

  /** Promised parts that only say which gears are allowed. */
  static final Set<Promised> OF_GEARS = Set.of(Promised.COPIES, Promised.SURVIVE);
}
