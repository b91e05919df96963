package org.calando.sim.joint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.CoreClocks;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.core.policy.joint.HourlySettings;
import org.calando.core.policy.joint.HourlySettings.Hour;
import org.calando.core.policy.joint.HourlySettings.Known;
import org.calando.core.policy.joint.HourlySettings.Load;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.load.LoadDays;
import org.calando.load.LoadTrace;
import org.calando.load.RateProfile;
import org.calando.sim.cluster.Placement;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;

/*
 * A day of 24 minutes: an hour is a minute. 100 % are 650 operations a second and node, at which
 * QUORUM of three replicas has nodes of four cores busy for 73 % with the service times of Li 2013,
 * and the busiest, as keys are not alike, for 87 %: about what keeps 25 ms.
 * Boots of two and a half minutes and residencies of ten are compressed with the day; decisions, a
 * second, and hints, one a millisecond and node, are not.
 *
 * So that what is promised of stale reads binds, writes lag for as long as it takes for reads at ONE
 * to be stale twice as often as that at half load, by the closed form.
 */
/**
 * A day of an office's load, from 10 to 90 %, on a cluster whose clients are promised something.
 * Immutable and thread safe.
 *
 * @param nodes all of them, a multiple of {@code replicas}
 * @param replicas of a key; as many racks, and gears
 * @param stale share of the reads that may be, above 0
 * @param survive nodes that may fail at once, 0 or more
 * @param idleShare idle power as a share of that of busy nodes, above 0 .. 1
 * @param seed of the load and of all that is random
 */
public record DayCell(
    int nodes, int replicas, double stale, int survive, double idleShare, long seed) {
  private static final int HOURS = 24;
  private static final long HOUR_NANOS = 60_000_000_000L;
  private static final double COMPRESSED = 60;
  private static final double FULL_PER_NODE = 650;
  private static final double HIGH = 0.9;

  /** What of an hour's loads is taken to last. */
  private static final double LASTS = 0.9;

  private static final double LOW = 0.1;
  private static final double READS = 0.7;
  private static final int RECORDS = 10_000;
  private static final double ZIPF = 0.8;
  private static final double P99_SECONDS = 0.025;
  private static final double BUSY_WATTS = 150;
  private static final double OFF_WATTS = 8;
  private static final double BOOT_SECONDS = 2.5;
  private static final double IDLE_ACTIVITY = 0.2;
  private static final int SAMPLED = 500;
  private static final double BINDS = 2;
  private static final int HALVINGS = 40;
  private static final double LONGEST_LAG = 2;

  /** What hindsight may have nodes busy for. */
  private static final double BUSY = 0.97;

  /** A policy stays in a gear for so long: ten minutes of the day. */
  public static final long RESIDENCY_NANOS = 10_000_000_000L;

  /** Factors by which latencies are taken to be shorter than the closed form says. */
  private static final int PLANS = 20;

  /** By how much less than is hoped for a policy of gears takes nodes to serve at least. */
  private static final double LEAST_CAPACITY = 0.7;

  private static final double LOOSEST = 0.25;
  private static final double TIGHTEST = 1.1;

  /** As it is called in files. */
  public String name() {
    return "%d/%d/%s/%d/%s".formatted(nodes, replicas, stale, survive, idleShare);
  }

  /** As people call it. */
  public String words() {
    return "%d nodes, RF %d, %s %% stale, survive %d, idle %s %%"
        .formatted(nodes, replicas, 100 * stale, survive, 100 * idleShare);
  }

  /** Another day of the same. */
  public DayCell withSeed(long newSeed) {
    return new DayCell(nodes, replicas, stale, survive, idleShare, newSeed);
  }

  /** What is promised. */
  public Promise promise() {
    Promise promise =
        Promise.NONE
            .with(Promised.STALE, stale)
            .with(Promised.READ_P99, P99_SECONDS)
            .with(Promised.COPIES, 2);
    return survive == 0 ? promise : promise.with(Promised.SURVIVE, survive);
  }

  /** What there is to set. */
  public JointCluster cluster() {
    PStates states = PStates.xeonSilver4114();
    List<Integer> on = new ArrayList<>();
    List<Integer> copies = new ArrayList<>();
    for (int rack = 1; rack <= replicas; rack++) {
      on.add(rack * nodes / replicas);
      copies.add(rack);
    }
    double idle = idleShare * BUSY_WATTS;
    return new JointCluster(
        replicas,
        replicas / 2 + 1,
        on,
        copies,
        new NodeProfile(
            "day",
            OFF_WATTS,
            idle,
            BUSY_WATTS,
            4,
            1,
            PowerCurve.linear(),
            BOOT_SECONDS,
            (idle + BUSY_WATTS) / 2,
            "assumed"),
        CoreClocks.of(Optional.of(states), IDLE_ACTIVITY),
        1,
        WorkCosts.LI_2013);
  }

  private LoadTrace trace() {
    double peak = HIGH * FULL_PER_NODE * nodes;
    return new LoadDays(LoadDays.Shape.ROUND, peak, LOW / HIGH, 1, 0.05, 0, 0, 0, 60)
        .trace(1, seed)
        .compressed(COMPRESSED);
  }

  /** The day to be run. */
  public JointWorld world() {
    return world(Distribution.exponential(lagSeconds() * 1e9));
  }

  private JointWorld world(Distribution lag) {
    LoadTrace trace = trace();
    RateProfile.Builder load = RateProfile.builder().step(trace.perSecond(0), HOUR_NANOS);
    for (int step = 0; step < trace.steps(); step++) {
      load.step(trace.perSecond(step), trace.stepNanos());
    }
    return new JointWorld(
        cluster(),
        promise(),
        new JointWorld.Delays(Distribution.constant(130_000), lag),
        Workload.builder()
            .records(RECORDS)
            .mix(Mix.readUpdate(READS, 1 - READS))
            .requests(new RequestDistribution.Zipfian(ZIPF))
            .build(),
        load.build(),
        COMPRESSED,
        HOUR_NANOS,
        HOURS * HOUR_NANOS,
        List.of(),
        seed);
  }

  private static Load load(double perSecond) {
    return new Load(READS * perSecond, (1 - READS) * perSecond);
  }

  /** What is known of the day afterwards. */
  public Known known() {
    return known(lagSeconds());
  }

  private Known known(double lagSeconds) {
    LoadTrace trace = trace();
    int steps = trace.steps() / HOURS;
    List<Load> hours = new ArrayList<>();
    for (int hour = 0; hour < HOURS; hour++) {
      double[] sorted = new double[steps];
      for (int step = 0; step < steps; step++) {
        sorted[step] = trace.perSecond(hour * steps + step);
      }
      Arrays.sort(sorted);
      hours.add(load(sorted[(int) (LASTS * (steps - 1))]));
    }
    return new Known(
        hours, HOUR_NANOS / 1e9, lags(lagSeconds), KeyPopularity.zipf(RECORDS, ZIPF), skew());
  }

  /** The busiest node over the mean, as the ring deals the keys. */
  private double skew() {
    Placement ring = world(Distribution.NONE).config().placement();
    double[] share = new double[nodes];
    double sum = 0;
    for (int key = 0; key < RECORDS; key++) {
      double popularity = StrictMath.pow(key + 1.0, -ZIPF);
      sum += popularity;
      for (int node : ring.replicas(SimCluster.token(key))) {
        share[node] += popularity / replicas;
      }
    }
    return nodes * Arrays.stream(share).max().orElseThrow() / sum;
  }

  private PropagationLags lags(double meanSeconds) {
    Distribution lag = Distribution.exponential(meanSeconds * 1e9);
    RandomStream random = new RandomStreams(1).of("lags");
    double[][] rows = new double[SAMPLED][replicas];
    for (double[] row : rows) {
      for (int replica = replicas / 2 + 1; replica < replicas; replica++) {
        row[replica] = lag.sample(random) / 1e9;
      }
    }
    return PropagationLags.of(replicas, rows);
  }

  /** Mean lag of writes at which reads at ONE break the promise. */
  double lagSeconds() {
    HourlySettings settings = new HourlySettings(cluster(), promise(), JointLimits.defaults());
    Load half = load(FULL_PER_NODE * nodes / 2);
    double low = 0;
    double high = LONGEST_LAG;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      Known day = new Known(List.of(half), 1, lags(middle), KeyPopularity.zipf(RECORDS, ZIPF), 1);
      if (settings.stale(day, half, 1) < BINDS * stale) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private int strong() {
    return replicas / 2 + 1;
  }

  /** Everything on at the fastest clock, reads at QUORUM. */
  public Rival quorum() {
    return Rival.planned("quorum", List.of(allOn()));
  }

  private Hour allOn() {
    return new Hour(replicas, 0, ReadChoice.of(strong()));
  }

  /** Levels alone, by measured lags. */
  public Rival levels() {
    return new Rival(
        "levels", Rival.By.POLICY, Rival.By.PLAN, 1, List.of(allOn()), RESIDENCY_NANOS);
  }

  /** The joint controller. */
  public Rival joint() {
    return Rival.joint(allOn(), RESIDENCY_NANOS);
  }

  /** Gears alone by the load, from the capacity that is most hoped for to the least. */
  public List<Rival> gears() {
    List<Rival> rivals = new ArrayList<>();
    double most = capacity(LOOSEST);
    for (int i = 0; i < PLANS; i++) {
      rivals.add(
          new Rival(
              "gears",
              Rival.By.PLAN,
              Rival.By.POLICY,
              most * (1 - LEAST_CAPACITY * i / (PLANS - 1)),
              List.of(allOn()),
              RESIDENCY_NANOS));
    }
    return distinct(rivals);
  }

  /** Clocks alone by the hour, in hindsight, from the slowest on. */
  public List<Rival> clocks() {
    Promise strong =
        Promise.NONE.with(Promised.READ_P99, P99_SECONDS).with(Promised.COPIES, replicas);
    return plans("clocks", cluster(), strong);
  }

  /** All of these beside each other, each as it is by itself. */
  public Rival beside(Rival gears, Rival clocks) {
    return new Rival(
        "beside",
        Rival.By.POLICY,
        Rival.By.POLICY,
        gears.nodeCapacity(),
        clocks.hours(),
        RESIDENCY_NANOS);
  }

  /** Settings that are held all day, from the cheapest on. */
  public List<Rival> held() {
    HourlySettings settings = settings(cluster(), promise());
    Known day = known();
    List<Rival> rivals = new ArrayList<>();
    for (double latency : latencies()) {
      Optional<HourlySettings.Plan> plan = settings.held(day, latency);
      plan.ifPresent(each -> rivals.add(Rival.planned("static", each.hours())));
    }
    return distinct(rivals);
  }

  /** All knobs by the hour in hindsight, from the cheapest on. */
  public List<Rival> hindsight() {
    return plans("hindsight", cluster(), promise());
  }

  private List<Rival> plans(String name, JointCluster cluster, Promise promise) {
    HourlySettings settings = settings(cluster, promise);
    Known day = known();
    List<Rival> rivals = new ArrayList<>();
    for (double latency : latencies()) {
      rivals.add(Rival.planned(name, settings.best(day, latency).hours()));
    }
    return distinct(rivals);
  }

  private static List<Rival> distinct(List<Rival> rivals) {
    return rivals.stream().distinct().toList();
  }

  private static HourlySettings settings(JointCluster cluster, Promise promise) {
    JointLimits usual = JointLimits.defaults();
    return new HourlySettings(
        cluster,
        promise,
        new JointLimits(
            0,
            0,
            BUSY,
            usual.easeNanos(),
            usual.residencyNanos(),
            usual.recoveryNanos(),
            usual.maxAgeNanos(),
            false));
  }

  private static List<Double> latencies() {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < PLANS; i++) {
      all.add(LOOSEST * StrictMath.pow(TIGHTEST / LOOSEST, i / (PLANS - 1.0)));
    }
    return all;
  }

  /** Operations a second and node at which QUORUM in a lower gear keeps its latency. */
  private double capacity(double latency) {
    HeldSettings held = new HeldSettings(cluster());
    int gear = Math.max(2, strong());
    // The busiest node is what latencies are of.
    double on = (double) gear * nodes / replicas * skew();
    double low = 0;
    double high = 2 * FULL_PER_NODE;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      Load load = load(middle * on);
      HeldSettings.Cost cost = held.of(load.reads(), load.writes(), gear, 0, strong());
      if (cost.busyShare() < BUSY && latency * cost.p99Seconds() <= P99_SECONDS) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
