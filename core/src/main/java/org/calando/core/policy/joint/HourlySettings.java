package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.calando.core.observe.Promise;
import org.calando.core.policy.Correction;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.JointModel.Forecast;
import org.calando.core.policy.joint.JointSearch.Found;
import org.calando.core.policy.joint.JointSearch.Within;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;

/*
 * Levels and clocks change at once and cost nothing, so of each hour and gear only the cheapest are
 * looked at. Gears cost joules to change. Backwards in time, h the hour and g its gear,
 *
 *   V(h, g) = watts(h, g) seconds + min over n of shift(g, n, h + 1) + V(h + 1, n)
 *
 * where a shift up has nodes boot before the hour begins and reads be strong in it, as nodes that have
 * come back lack writes, a shift down has nodes idle until they are off, and writes that nodes miss in
 * a low gear are charged when they are made with what sending them on will take. The first gear is
 * free.
 *
 * The closed form takes queues to be longer than they are. So a factor by which latencies are
 * taken to be shorter than it says gives further plans, of which the simulator is to tell which keep
 * the promise.
 */
/**
 * The cheapest settings of each hour for a load that is known from beginning to end: a bound for
 * what controllers save, which know no more than what has been. Immutable and thread safe.
 *
 * @param cluster what there is to set
 * @param promise what is to be kept
 * @param limits whose margin is left free, and by which nodes may be busy
 */
public record HourlySettings(JointCluster cluster, Promise promise, JointLimits limits) {
  /**
   * What is known of a day.
   *
   * @param hours greatest load of each that lasts, one or more
   * @param hourSeconds length of an hour, above 0: less than 3600 in a day that is compressed
   * @param lags of writes where all nodes are on
   * @param popularity of keys
   * @param skew how much busier the busiest node is than the others, 1 or more
   */
  public record Known(
      List<Load> hours,
      double hourSeconds,
      PropagationLags lags,
      KeyPopularity popularity,
      double skew) {
    /** Checks the day. */
    public Known {
      hours = List.copyOf(hours);
      if (hours.isEmpty() || !(hourSeconds > 0) || !(skew >= 1)) {
        throw new IllegalArgumentException(
            "%d hours of %s s, skew %s".formatted(hours.size(), hourSeconds, skew));
      }
    }
  }

  /** Reads and writes a second, each 0 or more. */
  public record Load(double reads, double writes) {}

  /**
   * What is set for an hour.
   *
   * @param gear 1 or more
   * @param clock index into the cluster's clocks
   * @param reads what reads ask
   */
  public record Hour(int gear, int clock, ReadChoice reads) {}

  /**
   * Settings of a day.
   *
   * @param hours one for each
   * @param joules predicted, with what shifts cost
   * @param keeps whether the closed form has all hours keep the promise; where one cannot, all
   *     nodes are on at their fastest clock in it
   */
  public record Plan(List<Hour> hours, double joules, boolean keeps) {
    /** Copies the hours. */
    public Plan {
      hours = List.copyOf(hours);
    }
  }

  /** An hour in a gear; {@code strongWatts} is infinite where strong reads break the promise. */
  private record Cell(Hour hour, double watts, double strongWatts, boolean keeps) {}

  /**
   * The cheapest plan.
   *
   * @param latency the 99th percentile of reads over what the closed form says, above 0
   */
  public Plan best(Known day, double latency) {
    int highest = cluster.highest();
    int hours = day.hours().size();
    Cell[][] cells = new Cell[hours][highest + 1];
    double[][] values = new double[hours][highest + 1];
    int[][] choices = new int[hours][highest + 1];
    for (int hour = hours - 1; hour >= 0; hour--) {
      JointSearch search = search(day, day.hours().get(hour), latency);
      for (int gear = 1; gear <= highest; gear++) {
        cells[hour][gear] = cell(search, gear);
      }
      for (int gear = 1; gear <= highest; gear++) {
        Cell cell = cells[hour][gear];
        double after = 0;
        if (hour + 1 < hours) {
          after = Double.POSITIVE_INFINITY;
          for (int next = 1; next <= highest; next++) {
            double value = shift(day, gear, next, cells[hour + 1][next]) + values[hour + 1][next];
            // Of two that cost the same, the higher serves more.
            if (value <= after) {
              after = value;
              choices[hour][gear] = next;
            }
          }
        }
        values[hour][gear] = cell.watts() * day.hourSeconds() + after;
      }
    }
    int gear = highest;
    for (int each = highest; each >= 1; each--) {
      gear = values[0][each] < values[0][gear] ? each : gear;
    }
    double joules = values[0][gear];
    List<Hour> plan = new ArrayList<>();
    boolean keeps = true;
    for (int hour = 0; hour < hours; hour++) {
      Cell cell = cells[hour][gear];
      plan.add(cell.hour());
      keeps &= cell.keeps();
      gear = choices[hour][gear];
    }
    return new Plan(plan, joules, keeps);
  }

  /**
   * The cheapest setting that is held all day.
   *
   * @param latency as above
   * @return empty if the closed form has none keep the promise in all hours
   */
  public Optional<Plan> held(Known day, double latency) {
    List<JointSearch> searches =
        day.hours().stream().map(load -> search(day, load, latency)).toList();
    Plan best = null;
    for (int gear = searches.get(0).lowestGear(); gear <= cluster.highest(); gear++) {
      for (int clock = 0; clock < cluster.clocksKHz().size(); clock++) {
        for (int read = 1; read <= cluster.copies(gear); read++) {
          Hour setting = new Hour(gear, clock, ReadChoice.of(read));
          double watts = watts(searches, setting);
          double joules = watts * day.hourSeconds();
          if (best == null ? joules < Double.POSITIVE_INFINITY : joules < best.joules()) {
            best = new Plan(Collections.nCopies(day.hours().size(), setting), joules, true);
          }
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The share of stale reads with all nodes on.
   *
   * @param replicas that reads ask
   */
  public double stale(Known day, Load load, int replicas) {
    return search(day, load, 1).rate(cluster.highest(), replicas, 1);
  }

  /** The sum over hours; infinite if the promise is not kept in one. */
  private double watts(List<JointSearch> searches, Hour setting) {
    double sum = 0;
    for (JointSearch search : searches) {
      Found found = search.found(setting.gear(), setting.clock(), setting.reads());
      boolean keeps =
          search.forbids(setting.gear()).isEmpty()
              && search.isFresh(found, limits.margin())
              && search.keeps(found.forecast(), limits.margin());
      sum += keeps ? found.watts() + hinted(search, setting.gear()) : Double.POSITIVE_INFINITY;
    }
    return sum;
  }

  private double hinted(JointSearch search, int gear) {
    return search.model().hintedWatts(cluster.replicas() - cluster.copies(gear));
  }

  private Cell cell(JointSearch search, int gear) {
    double free = limits.margin();
    Within all = search.all(gear);
    Optional<Found> cheapest = search.cheapest(gear, free, all);
    if (cheapest.isEmpty() && gear < cluster.highest()) {
      double never = Double.POSITIVE_INFINITY;
      return new Cell(new Hour(gear, 0, ReadChoice.of(1)), never, never, false);
    }
    Found found = cheapest.orElseGet(() -> search.at(gear, 0, free, all));
    ReadChoice strong = ReadChoice.of(cluster.strong(cluster.highest()));
    Forecast fastest = search.model().of(gear, 0, strong);
    boolean holds = gear == cluster.highest() || search.keeps(fastest, free);
    return new Cell(
        new Hour(gear, found.clock(), found.reads()),
        found.watts() + hinted(search, gear),
        holds ? search.model().of(gear, found.clock(), strong).watts() : Double.POSITIVE_INFINITY,
        cheapest.isPresent());
  }

  /** Joules of a shift at the begin of an hour. */
  private double shift(Known day, int from, int to, Cell next) {
    if (from == to || next.watts() == Double.POSITIVE_INFINITY) {
      return 0;
    }
    var profile = cluster.profile();
    int changing = Math.abs(cluster.nodes(from) - cluster.nodes(to));
    if (to < from) {
      return changing * (profile.idleWatts() - profile.offWatts()) * cluster.offSeconds();
    }
    double boot = changing * (profile.bootWatts() - profile.offWatts()) * profile.bootSeconds();
    return Math.max(0, boot) + Math.max(0, next.strongWatts() - next.watts()) * day.hourSeconds();
  }

  private JointSearch search(Known day, Load load, double latency) {
    Observation observed =
        new Observation(
            0,
            "day",
            cluster.replicas(),
            cluster.writeReplicas(),
            cluster.replicas(),
            0,
            Optional.of(new Observation.Rates(0, load.reads(), load.writes(), Double.NaN)),
            Optional.of(new Observation.Lags(0, day.lags())),
            Optional.of(new Observation.Popularity(0, day.popularity())),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);
    return new JointSearch(
        new JointModel(cluster, load.reads(), load.writes(), 1, latency, day.skew(), 1),
        Optional.of(new StaleForecast(cluster, observed, cluster.highest())),
        Correction.NONE,
        0,
        promise,
        limits);
  }
}
