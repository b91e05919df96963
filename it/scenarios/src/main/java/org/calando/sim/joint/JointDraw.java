package org.calando.sim.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.CoreClocks;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.core.policy.joint.HourlySettings.Hour;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.load.RateProfile;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.scenario.Scenario;

/**
 * Draws a scenario of the joint controller from a seed: cluster, promise, load, what happens, how
 * sensors fail. What is promised of reads is kept by all nodes at their fastest clocks and strong
 * reads, as far as the closed form can tell, while nothing happens. Ranges of amounts are even on a
 * logarithmic scale. Not thread safe; used once.
 */
public final class JointDraw {
  private static final long SECOND = 1_000_000_000L;
  private static final double MILLI = 1e6;
  private static final int WARM_UP = 60;
  private static final int MEASURED = 240;
  private static final int EVENT = 100;
  private static final double BUSY_WATTS = 150;
  private static final int PARTS = 6;

  private final long seed;
  private final RandomStream random;
  private final StringJoiner words = new StringJoiner(", ");

  private JointDraw(long seed) {
    this.seed = seed;
    this.random = new RandomStreams(seed).of("joint scenario");
  }

  /** The scenario of a seed. */
  public static JointScenario of(long seed) {
    return new JointDraw(seed).draw();
  }

  /**
   * Everything on at the fastest clock, and strong reads; at a quorum at most if some may be stale.
   */
  static Hour strong(JointCluster cluster, boolean mayBeStale) {
    int quorum = cluster.replicas() / 2 + 1;
    int strong = cluster.strong(cluster.highest());
    return new Hour(
        cluster.highest(), 0, ReadChoice.of(mayBeStale ? Math.min(quorum, strong) : strong));
  }

  private JointScenario draw() {
    double linkMillis = between(0.05, 2);
    JointCluster cluster = cluster(linkMillis);
    double reads = 0.3 + 0.65 * random.nextDouble();
    boolean mayBeStale = random.nextDouble() < 0.8;
    double full = full(cluster, reads, mayBeStale);
    double peak = full * between(0.15, 0.75);
    String shape = pick("steady", "ramps", "steps tenfold", "rises and falls", "a day");
    RateProfile load = load(shape, peak);
    Promise promise = promise(cluster, peak, reads, mayBeStale);
    Workload workload = workload(reads);
    double lagMillis = between(0.5, 60);
    JointWorld.Delays delays =
        new JointWorld.Delays(
            random.nextDouble() < 0.5
                ? Distribution.constant(linkMillis * MILLI)
                : Distribution.gamma(linkMillis * MILLI, 4),
            Distribution.exponential(lagMillis * MILLI));
    String event =
        pick(
            "nothing happens",
            "nothing happens",
            "a slow link",
            "a dead node",
            "a dead rack",
            "a slow node",
            "sensors fail");
    Misled misled =
        event.equals("sensors fail")
            ? Misled.FAILURES.get(random.nextInt(Misled.FAILURES.size()))
            : Misled.NOTHING;
    long from = (WARM_UP + EVENT) * SECOND;
    long to = from + (10 + random.nextInt(50)) * SECOND;
    List<Scenario.Event> events = events(event, cluster, delays, from, to);
    words.add(
        text("%.0f/s, %.0f %% reads, %s, lags of %.1f ms", peak, 100 * reads, shape, lagMillis));
    words.add(misled == Misled.NOTHING ? event : event + " " + misled);
    int residency = 5 + random.nextInt(20);
    return new JointScenario(
        new JointWorld(
            cluster,
            promise,
            delays,
            workload,
            load,
            360,
            WARM_UP * SECOND,
            MEASURED * SECOND,
            events,
            seed),
        misled,
        from,
        to,
        0.75 * full / cluster.nodes(cluster.highest()),
        residency * SECOND,
        shape,
        misled == Misled.NOTHING ? event : event + " " + misled,
        words.toString());
  }

  private JointCluster cluster(double linkMillis) {
    int replicas = List.of(2, 3, 3, 3, 5).get(random.nextInt(5));
    int nodes = replicas * (1 + random.nextInt(replicas == 5 ? 2 : 4));
    boolean quorum = replicas < 3 || random.nextDouble() < 0.7;
    boolean hasGears = random.nextDouble() < 0.85;
    boolean hasClocks = random.nextDouble() < 0.7;
    double idle = BUSY_WATTS * between(0.2, 0.9);
    List<Integer> on = new ArrayList<>();
    List<Integer> copies = new ArrayList<>();
    for (int rack = hasGears ? 1 : replicas; rack <= replicas; rack++) {
      on.add(rack * nodes / replicas);
      copies.add(rack);
    }
    PStates states = PStates.xeonSilver4114();
    WorkCosts li = WorkCosts.LI_2013;
    int cores = 1 + random.nextInt(4);
    int write = quorum ? replicas / 2 + 1 : 1;
    words.add(
        "%d nodes of %d cores, RF %d, %d written%s%s"
            .formatted(
                nodes,
                cores,
                replicas,
                write,
                hasGears ? ", gears" : "",
                hasClocks ? ", clocks" : ""));
    return new JointCluster(
        replicas,
        write,
        on,
        copies,
        new NodeProfile(
            "drawn",
            8,
            idle,
            BUSY_WATTS,
            cores,
            1,
            PowerCurve.linear(),
            between(1, 15),
            (idle + BUSY_WATTS) / 2,
            "drawn"),
        CoreClocks.of(
            Optional.of(states).filter(each -> hasClocks), Math.min(0.2, idle / BUSY_WATTS)),
        1,
        // What is known of the cluster's costs is not exact.
        new WorkCosts(
            li.operation() * between(0.7, 1.4),
            li.message(),
            li.read() * between(0.7, 1.4),
            li.write() * between(0.7, 1.4),
            4 * linkMillis / 1000));
  }

  /** Operations a second at which strong reads have all nodes busy. */
  private static double full(JointCluster cluster, double reads, boolean mayBeStale) {
    Hour strong = strong(cluster, mayBeStale);
    JointCluster exact = exact(cluster);
    double busy =
        new HeldSettings(exact)
            .of(reads, 1 - reads, strong.gear(), 0, strong.reads().replicas())
            .busyShare();
    return 1 / busy;
  }

  private static JointCluster exact(JointCluster cluster) {
    WorkCosts li = WorkCosts.LI_2013;
    return new JointCluster(
        cluster.replicas(),
        cluster.writeReplicas(),
        cluster.nodesOn(),
        cluster.copies(),
        cluster.profile(),
        cluster.clocks(),
        cluster.offSeconds(),
        new WorkCosts(li.operation(), li.message(), li.read(), li.write(), cluster.costs().way()));
  }

  private RateProfile load(String shape, double peak) {
    long all = (WARM_UP + MEASURED) * SECOND;
    RateProfile.Builder load = RateProfile.builder();
    double low = peak * between(0.1, 0.6);
    switch (shape) {
      case "steady" -> load.step(peak, all);
      case "ramps" ->
          load.step(low, WARM_UP * SECOND)
              .ramp(low, peak, MEASURED * SECOND / 2)
              .ramp(peak, low, MEASURED * SECOND / 2);
      case "steps tenfold" -> load.step(peak / 10, (WARM_UP + EVENT) * SECOND).step(peak, all);
      case "rises and falls" -> {
        // As if it went on rising, and then it does not.
        long part = all / PARTS;
        for (int i = 0; i < PARTS; i++) {
          load.ramp(low, low + (peak - low) * random.nextDouble(), part / 2).step(low, part / 2);
        }
      }
      default -> {
        load.step(low, WARM_UP * SECOND);
        double last = low;
        for (int hour = 1; hour <= 24; hour++) {
          double turn = (1 - StrictMath.cos(2 * StrictMath.PI * hour / 24)) / 2;
          double next = (low + (peak - low) * turn) * (0.95 + 0.1 * random.nextDouble());
          load.ramp(last, next, MEASURED * SECOND / 24);
          last = next;
        }
      }
    }
    return load.build();
  }

  private Promise promise(JointCluster cluster, double peak, double reads, boolean mayBeStale) {
    Promise promise = Promise.NONE;
    if (mayBeStale) {
      promise = promise.with(Promised.STALE, between(0.001, 0.1));
    }
    if (random.nextDouble() < 0.9) {
      Hour strong = strong(cluster, mayBeStale);
      HeldSettings.Cost cost =
          new HeldSettings(exact(cluster))
              .of(reads * peak, (1 - reads) * peak, strong.gear(), 0, strong.reads().replicas());
      promise = promise.with(Promised.READ_P99, cost.p99Seconds() * between(1.3, 4));
    }
    if (random.nextDouble() < 0.5) {
      promise = promise.with(Promised.COPIES, 1 + random.nextInt(cluster.replicas()));
    }
    int spare = cluster.replicas() - cluster.writeReplicas();
    if (spare > 0 && mayBeStale && random.nextDouble() < 0.3) {
      promise = promise.with(Promised.SURVIVE, 1 + random.nextInt(spare));
    }
    StringJoiner parts = new StringJoiner(" ");
    promise
        .limits()
        .forEach(
            (part, limit) ->
                parts.add(part.word() + " " + String.format(Locale.ROOT, "%.3g", limit)));
    words.add(parts.toString());
    return promise;
  }

  private Workload workload(double reads) {
    int records = (int) between(300, 10_000);
    double constant = 0.3 + 0.5 * random.nextDouble();
    return Workload.builder()
        .records(records)
        .mix(Mix.readUpdate(reads, 1 - reads))
        .requests(
            random.nextDouble() < 0.3
                ? new RequestDistribution.Uniform()
                : new RequestDistribution.Zipfian(constant))
        .build();
  }

  private List<Scenario.Event> events(
      String event, JointCluster cluster, JointWorld.Delays delays, long from, long to) {
    int nodes = cluster.nodes(cluster.highest());
    int node = random.nextInt(nodes);
    List<Scenario.Event> events = new ArrayList<>();
    switch (event) {
      case "a slow link" -> {
        events.add(new Scenario.Relinks(from, delays.times(between(2, 20))));
        events.add(new Scenario.Relinks(to, delays.times(1)));
      }
      case "a dead node" -> {
        events.add(new Scenario.Fails(from, node));
        events.add(new Scenario.Returns(to, node));
      }
      case "a dead rack" -> {
        // The first, which is on in the lowest gear; nodes are dealt to racks by turns.
        for (int each = 0; each < nodes; each += cluster.replicas()) {
          events.add(new Scenario.Fails(from, each));
          events.add(new Scenario.Returns(to, each));
        }
      }
      case "a slow node" -> {
        events.add(new Scenario.Slows(from, node, between(1.5, 5)));
        events.add(new Scenario.Slows(to, node, 1));
      }
      default -> {}
    }
    return events;
  }

  private double between(double low, double high) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
