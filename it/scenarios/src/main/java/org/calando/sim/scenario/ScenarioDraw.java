package org.calando.sim.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.load.RateProfile;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.LinkKind;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.Placement;
import org.calando.sim.cluster.ReadRepair;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.scenario.Scenario.Event;

/**
 * Draws a scenario from a seed. Ranges of amounts are even on a logarithmic scale. Not thread safe;
 * used once.
 */
public final class ScenarioDraw {
  private static final double MILLI = 1e6;
  private static final int CORES = 4;
  private static final int CANARY_KEYS = 2048;

  /** Milliseconds of work of a read or write by one replica, and of an operation's coordinator. */
  private static final double REPLICA_MILLIS = 2.42;

  private static final double COORDINATOR_MILLIS = 0.7;

  private final long seed;
  private final RandomStream random;
  private final StringJoiner words = new StringJoiner(", ");
  private Distribution near = Distribution.NONE;
  private Distribution far = Distribution.NONE;
  private Distribution late = Distribution.NONE;
  private boolean slowWrites;

  private ScenarioDraw(long seed) {
    this.seed = seed;
    this.random = new RandomStreams(seed).of("scenario");
  }

  /** The scenario of a seed. */
  public static Scenario of(long seed) {
    return new ScenarioDraw(seed).draw();
  }

  private Scenario draw() {
    int nodes = (int) between(3, 60.99);
    boolean twoCentres = nodes >= 6 && random.nextDouble() < 0.15;
    Topology topology = twoCentres ? centres(nodes) : Topology.racks(nodes, 1 + random.nextInt(5));
    int wanted = one(2, 3, 3, 3, 3, 5, 5, 7);
    int replicas = Math.min(wanted, twoCentres ? nodes / 2 : nodes);
    words.add("%d nodes in %d racks".formatted(nodes, topology.racks().size()));
    ReplicaPlacement placement =
        twoCentres
            ? new ReplicaPlacement(Map.of("dc1", replicas, "dc2", Math.min(2, replicas)), "dc1")
            : ReplicaPlacement.single(replicas);
    ConsistencyLevel write = write(twoCentres, replicas);
    words.add("RF %s, writes at %s".formatted(placement.byDataCentre().values(), write));
    double perSecond = between(60, 600);
    double readShare = 0.3 + 0.65 * random.nextDouble();
    Workload workload = workload(readShare);
    words.add(text("%.0f/s, %.0f %% reads", perSecond, 100 * readShare));
    double writesOfKey = perSecond * (1 - readShare) / workload.records();
    ClusterConfig cluster =
        cluster(topology, placement, twoCentres, workload, perSecond, writesOfKey);
    double tolerated = between(0.01, 0.2);
    words.add(text("%.1f %% tolerated", 100 * tolerated));
    List<Event> events = new ArrayList<>();
    ArrivalProcess arrivals = arrivals(perSecond, nodes, events);
    Optional<Scenario.Foreign> foreign = foreign();
    return new Scenario(
        seed,
        cluster,
        placement,
        write,
        workload,
        arrivals,
        perSecond,
        tolerated,
        foreign,
        events,
        words.toString());
  }

  private static Topology centres(int nodes) {
    List<Topology.Node> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(new Topology.Node("n" + (i + 1), "r" + (i / 2 % 3), i % 2 == 0 ? "dc1" : "dc2"));
    }
    return Topology.of(all);
  }

  private ConsistencyLevel write(boolean local, int replicas) {
    boolean weak = random.nextDouble() < 0.75;
    if (local) {
      return weak ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.LOCAL_QUORUM;
    }
    if (weak || replicas < 3) {
      return ConsistencyLevel.ONE;
    }
    return random.nextDouble() < 0.5 ? ConsistencyLevel.TWO : ConsistencyLevel.QUORUM;
  }

  private Workload workload(double readShare) {
    int records = (int) between(5, 2000);
    RequestDistribution requests =
        switch (random.nextInt(4)) {
          case 0 -> new RequestDistribution.Uniform();
          case 1 -> new RequestDistribution.Hotspot(0.2, 0.8);
          case 2 -> new RequestDistribution.ScrambledZipfian(0.99);
          default -> new RequestDistribution.Zipfian(0.3 + 0.69 * random.nextDouble());
        };
    words.add("%d records %s".formatted(records, requests.name()));
    return Workload.builder()
        .records(records)
        .mix(Mix.readUpdate(readShare, 1 - readShare))
        .requests(requests)
        .build();
  }

  /** Of a mean in milliseconds. */
  private Distribution latency(double millis) {
    return switch (random.nextInt(4)) {
      case 0 -> Distribution.constant(millis * MILLI);
      case 1 -> Distribution.exponential(millis * MILLI);
      case 2 -> Distribution.lognormal(millis * MILLI, 0.2 + 1.3 * random.nextDouble());
      default -> Distribution.gamma(millis * MILLI / 2, 2).plus(millis * MILLI / 2);
    };
  }

  private ClusterConfig cluster(
      Topology topology,
      ReplicaPlacement placement,
      boolean twoCentres,
      Workload workload,
      double perSecond,
      double writesOfKey) {
    near = latency(between(0.1, 5));
    far = latency(between(0.3, 20));
    words.add(text("links of %s and %s", millis(near), millis(far)));
    // So late that a key of mean popularity has so many writes under way.
    double lateMillis = Math.min(500, Math.max(1, between(0.01, 1.5) / writesOfKey * 1000));
    late = latency(lateMillis);
    boolean lagging = random.nextDouble() < 0.4;
    words.add((lagging ? "writes lag " : "writes take ") + millis(late));
    slowWrites = !lagging;
    long[][] tokens = TokenRing.evenTokens(topology.size());
    Placement ring =
        twoCentres
            ? TokenRing.networkTopology(tokens, topology, placement.byDataCentre())
            : TokenRing.simple(tokens, placement.total());
    double work = perSecond * (COORDINATOR_MILLIS + placement.total() * REPLICA_MILLIS) / 1000;
    // Work of a write or of the strongest read: what all nodes are asked for at most.
    double scale = Math.min(1, between(0.02, 0.5) * topology.size() * CORES / work);
    CoordinatorChoice coordinators = one(CoordinatorChoice.values());
    ReplicaChoice replicas = one(ReplicaChoice.values());
    ReadRepair repair = random.nextDouble() < 0.7 ? ReadRepair.NONE : ReadRepair.BLOCKING;
    boolean background = random.nextDouble() < 0.15;
    boolean asksAll = random.nextDouble() < 0.1;
    words.add("%s, %s, %s".formatted(coordinators, replicas, repair));
    ClusterConfig.Builder builder =
        ClusterConfig.builder(topology, ring)
            .links(links(1))
            .services(services(scale))
            .coordinators(coordinators)
            .replicas(replicas)
            .readRepair(repair)
            .backgroundRepair(background ? 0.1 : 0)
            .asksAll(asksAll)
            .mostKeys(workload.records() + CANARY_KEYS)
            .seed(seed);
    if (background || asksAll) {
      words.add((background ? "10 % repaired" : "") + (asksAll ? " all asked" : ""));
    }
    if (lagging) {
      builder.lag(late);
    }
    if (twoCentres) {
      builder.clients("dc1");
    }
    return builder.build();
  }

  private static String millis(Distribution latency) {
    return text("%.1f ms", latency.meanNanos() / MILLI);
  }

  private Links links(double factor) {
    Links.Builder builder =
        Links.builder()
            .client(Distribution.constant(0.1 * MILLI))
            .withinRack(near.times(factor))
            .betweenRacks(far.times(factor))
            .betweenDataCentres(far.times(factor));
    if (slowWrites) {
      builder.kind(LinkKind.WRITE, late.times(factor));
    }
    return builder.build();
  }

  private static ServiceTimes services(double scale) {
    ServiceTimes full = ServiceTimes.li2013();
    return new ServiceTimes(
        full.client().times(scale),
        full.coordinator().times(scale),
        full.message().times(scale),
        full.reply(),
        full.read().times(scale),
        full.digest().times(scale),
        full.write().times(scale),
        full.scannedRecord().times(scale),
        full.disk(),
        full.diskShare(),
        full.disks());
  }

  private ArrivalProcess arrivals(double perSecond, int nodes, List<Event> events) {
    long from = Scenario.WARM_UP_NANOS + second(5 + 15 * random.nextDouble());
    long to = from + second(5 + 20 * random.nextDouble());
    int node = random.nextInt(nodes);
    switch (random.nextInt(8)) {
      case 0 -> {
        events.add(new Scenario.Fails(from, node));
        events.add(new Scenario.Returns(to, node));
        words.add("a node fails and returns");
      }
      case 1 -> {
        double factor = between(2, 20);
        events.add(new Scenario.Slows(from, node, factor));
        events.add(new Scenario.Slows(to, node, 1));
        words.add(text("a node is %.1f times as slow for a while", factor));
      }
      case 2 -> {
        double factor = between(0.2, 4);
        events.add(new Scenario.Relinks(from, links(factor)));
        words.add(text("links take %.2f times as long", factor));
      }
      case 3 -> {
        double low = perSecond * between(0.15, 0.8);
        boolean falls = random.nextDouble() < 0.5;
        words.add(text(falls ? "falls to %.0f/s" : "rises from %.0f/s", low));
        return ArrivalProcess.even(
            RateProfile.builder()
                .step(falls ? perSecond : low, from)
                .step(falls ? low : perSecond, Scenario.MEASURED_NANOS)
                .build());
      }
      default -> words.add("nothing happens");
    }
    return ArrivalProcess.poisson(perSecond);
  }

  // Drawn last, so that seeds keep the scenarios that they had.
  private Optional<Scenario.Foreign> foreign() {
    if (random.nextDouble() < 0.6) {
      return Optional.empty();
    }
    double share = random.nextDouble() < 0.3 ? 1 : between(0.05, 1);
    boolean byKey = random.nextDouble() < 0.5;
    words.add(text("another writes %.0f %% of the %s", 100 * share, byKey ? "keys" : "writes"));
    return Optional.of(new Scenario.Foreign(share, byKey));
  }

  private static long second(double seconds) {
    return (long) (seconds * 1e9);
  }

  private double between(double low, double high) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  private int one(int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> T one(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
