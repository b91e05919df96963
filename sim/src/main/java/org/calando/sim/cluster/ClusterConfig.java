package org.calando.sim.cluster;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.sim.away.Absences;
import org.calando.sim.away.Stalls;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.stage.NodeStages;
import org.jspecify.annotations.Nullable;

/**
 * A cluster to simulate. Immutable and thread safe; made by {@link #builder}.
 *
 * @param topology its nodes
 * @param placement which of them hold a key
 * @param links how long messages take
 * @param services what work costs
 * @param profiles cores and power of each node, in the order of nodes
 * @param hosts machines that nodes share; nodes on none of them have one of their own, with the
 *     cores of their profile
 * @param clientWork what an operation costs its client's machine, or null if clients take no cores
 * @param background what each node does beside its operations
 * @param clients name of the data centre that coordinates every request, or null for all
 * @param coordinators whom clients ask
 * @param replicas whom coordinators ask
 * @param asksAll whether reads go to all replicas, of which the first replies are used
 * @param digests whether all replicas that are asked but one send a digest, so that replies that
 *     differ cost a second round
 * @param readRepair what is done about replies that differ
 * @param backgroundRepair share of reads that go to all replicas and repair those behind after the
 *     answer, 0 .. 1
 * @param lag how long after the others a write is sent to the replicas that its level does not wait
 *     for, or null if it is sent to all at once
 * @param masterReplica replication from masters, or null for writes to all replicas at once
 * @param writeBuffer deferred writes, no more in a buffer than may be under way, or null if each is
 *     sent when it begins
 * @param clocks of the nodes' cores, or null if they have one
 * @param stages thread pools of each node, whose threads share its cores, or null for one queue
 *     that waits for them
 * @param absences what is kept for nodes that are away, and what it costs them to go and come
 * @param readTimeoutNanos after which a read is given up, 1 or more; this and all other times a
 *     quarter of Long.MAX_VALUE at most
 * @param writeTimeoutNanos after which a write is given up, 1 or more
 * @param detectionNanos how long a node's failure and return go unnoticed, 0 or more
 * @param mostKeys ids of keys are below this, 1 or more
 * @param mostUnderWay operations under way at most, 1 .. 2^26
 * @param mostWaiting jobs that wait for a node's cores at most, 1 or more; later ones are lost
 * @param seed of all randomness
 */
public record ClusterConfig(
    Topology topology,
    Placement placement,
    Links links,
    ServiceTimes services,
    List<NodeProfile> profiles,
    List<Host> hosts,
    @Nullable ClientWork clientWork,
    Background background,
    @Nullable String clients,
    CoordinatorChoice coordinators,
    ReplicaChoice replicas,
    boolean asksAll,
    boolean digests,
    ReadRepair readRepair,
    double backgroundRepair,
    @Nullable Distribution lag,
    @Nullable MasterReplica masterReplica,
    @Nullable WriteBuffer writeBuffer,
    @Nullable Clocks clocks,
    @Nullable NodeStages stages,
    Absences absences,
    long readTimeoutNanos,
    long writeTimeoutNanos,
    long detectionNanos,
    long mostKeys,
    int mostUnderWay,
    int mostWaiting,
    long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long MOST_KEYS = 1L << 32;
  private static final double MOST_CORES = 1e4;
  private static final long MOST_NANOS = Long.MAX_VALUE / 4;
  private static final int MOST_UNDER_WAY = 1 << 26;

  /**
   * Checks the values.
   *
   * @throws BadRequestException naming all that cannot be
   */
  public ClusterConfig {
    profiles = List.copyOf(profiles);
    hosts = List.copyOf(hosts);
    List<String> problems = HostPlan.problems(hosts, clientWork, topology);
    if (profiles.size() != topology.size()) {
      problems.add("%d node profiles for %d nodes".formatted(profiles.size(), topology.size()));
    }
    if (clients != null && !topology.dataCentres().contains(clients)) {
      problems.add("there is no data centre " + clients + " for clients");
    }
    if (!(backgroundRepair >= 0 && backgroundRepair <= 1)) {
      problems.add("background repair of a share of " + backgroundRepair);
    }
    if (!(background.cores() >= 0 && background.cores() < MOST_CORES)) {
      problems.add("background work of %s cores a node".formatted(background.cores()));
    }
    if (background.burst().isNone()) {
      problems.add("bursts of background work without a length");
    }
    double stalls = background.stalls().perBusySecond();
    if (!(stalls >= 0 && stalls <= Stalls.MOST_PER_BUSY_SECOND)) {
      problems.add("%s stalls in a second of core time".formatted(stalls));
    }
    if (stalls > 0 && background.stalls().length().isNone()) {
      problems.add("stalls without a length");
    }
    if (masterReplica != null && lag != null) {
      problems.add("lag: a lag of its own beside that of master and replica");
    }
    if (clocks != null) {
      problems.addAll(clocks.problems(profiles));
    }
    if (stages != null && masterReplica != null) {
      problems.add("stages: nodes that replicate from masters have none");
    }
    requireAtLeast(problems, "hints of a node", absences.mostHints(), 0);
    requireAtLeast(problems, "gap between hints in ns", absences.hintGapNanos(), 1);
    requireAtLeast(problems, "read timeout in ns", readTimeoutNanos, 1);
    requireAtLeast(problems, "write timeout in ns", writeTimeoutNanos, 1);
    requireAtLeast(problems, "failure detection in ns", detectionNanos, 0);
    requireAtLeast(problems, "keys", mostKeys, 1);
    requireAtLeast(problems, "operations under way", mostUnderWay, 1);
    requireAtLeast(problems, "jobs waiting", mostWaiting, 1);
    long others = Math.max(absences.hintGapNanos(), detectionNanos);
    long longest = Math.max(others, Math.max(readTimeoutNanos, writeTimeoutNanos));
    if (longest > MOST_NANOS) {
      problems.add("a gap between hints, timeout or detection of %d ns".formatted(longest));
    }
    if (writeBuffer != null && writeBuffer.mostWrites() > mostUnderWay) {
      problems.add(
          "a buffer of %d writes, which are sent at once, where %d operations may be under way"
              .formatted(writeBuffer.mostWrites(), mostUnderWay));
    }
    if (mostKeys > MOST_KEYS || mostUnderWay > MOST_UNDER_WAY) {
      problems.add("more than 2^32 keys, or 2^26 operations under way");
    }
    if (!problems.isEmpty()) {
      throw new BadRequestException(String.join("; ", problems), "simulated cluster", "");
    }
    profiles.forEach(profile -> profile.requireValid("simulated cluster"));
    links.requireNamesOf(topology);
  }

  /** Whether writes for replicas that are down are kept and sent when they return. */
  public boolean hints() {
    return absences.mostHints() > 0;
  }

  private static void requireAtLeast(List<String> problems, String what, long value, long least) {
    if (value < least) {
      problems.add("%s: %d is below %d".formatted(what, value, least));
    }
  }

  /** Begins a description of a cluster with the fitted service times of Li 2013. */
  public static Builder builder(Topology topology, Placement placement) {
    return new Builder(topology, placement);
  }

  /** Collects the values; not thread safe. */
  public static final class Builder {
    private final Topology topology;
    private final Placement placement;
    private Links links = Links.uniform(Distribution.constant(130_000));
    private ServiceTimes services = ServiceTimes.li2013();
    private List<NodeProfile> profiles;
    private List<Host> hosts = List.of();
    private @Nullable ClientWork clientWork;
    private Background background = Background.NONE;
    private @Nullable String clients;
    private CoordinatorChoice coordinators = CoordinatorChoice.ROUND_ROBIN;
    private ReplicaChoice replicas = ReplicaChoice.RANDOM;
    private boolean asksAll;
    private boolean digests = true;
    private ReadRepair readRepair = ReadRepair.NONE;
    private double backgroundRepair;
    private @Nullable Distribution lag;
    private @Nullable MasterReplica masterReplica;
    private @Nullable WriteBuffer writeBuffer;
    private @Nullable Clocks clocks;
    private @Nullable NodeStages stages;
    private Absences absences = Absences.DEFAULT;
    private long readTimeoutNanos = 5 * SECOND;
    private long writeTimeoutNanos = 2 * SECOND;
    private long detectionNanos = 10 * SECOND;
    private long mostKeys = 1 << 26;
    private int mostUnderWay = 1 << 22;
    private int mostWaiting = 1 << 22;
    private long seed;

    private Builder(Topology topology, Placement placement) {
      this.topology = topology;
      this.placement = placement;
      NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow();
      this.profiles = topology.nodes().stream().map(node -> profile).toList();
    }

    /** Latencies; default 0.13 ms each way everywhere. */
    public Builder links(Links value) {
      links = value;
      return this;
    }

    /** Service times; default {@link ServiceTimes#li2013}. */
    public Builder services(ServiceTimes value) {
      services = value;
      return this;
    }

    /** The profile of every node; default {@link Profiles#DEFAULT}. */
    public Builder profile(NodeProfile value) {
      profiles = topology.nodes().stream().map(node -> value).toList();
      return this;
    }

    /** Machines that nodes share; default one for each. */
    public Builder hosts(List<Host> value) {
      hosts = value;
      return this;
    }

    /** Work of the clients' machine; default none. */
    public Builder clientWork(ClientWork value) {
      clientWork = value;
      return this;
    }

    /** Each node's own work; default none. */
    public Builder background(Background value) {
      background = value;
      return this;
    }

    /** The data centre that coordinates all requests; default all by turns. */
    public Builder clients(String dataCentre) {
      clients = dataCentre;
      return this;
    }

    /** Whom clients ask; default all nodes by turns. */
    public Builder coordinators(CoordinatorChoice value) {
      coordinators = value;
      return this;
    }

    /** Whom coordinators ask; default any replicas. */
    public Builder replicas(ReplicaChoice value) {
      replicas = value;
      return this;
    }

    /** Sends reads to all replicas and uses the first replies; default: only to those needed. */
    public Builder asksAll(boolean value) {
      asksAll = value;
      return this;
    }

    /** Whether only one replica sends data; default yes. */
    public Builder digests(boolean value) {
      digests = value;
      return this;
    }

    /** Repair before the answer; default none. */
    public Builder readRepair(ReadRepair value) {
      readRepair = value;
      return this;
    }

    /** Share of reads with repair after the answer; default 0. */
    public Builder backgroundRepair(double share) {
      backgroundRepair = share;
      return this;
    }

    /** Sends writes later to replicas that the level does not wait for; default at once. */
    public Builder lag(Distribution value) {
      lag = value;
      return this;
    }

    /** Replication from masters; default to all replicas at once. */
    public Builder masterReplica(MasterReplica value) {
      masterReplica = value;
      return this;
    }

    /** Deferred writes; default none. */
    public Builder writeBuffer(WriteBuffer value) {
      writeBuffer = value;
      return this;
    }

    /** Clocks of cores; default one. */
    public Builder clocks(Clocks value) {
      clocks = value;
      return this;
    }

    /** Thread pools of each node; default none. */
    public Builder stages(NodeStages value) {
      stages = value;
      return this;
    }

    /** What is kept for nodes that are away; default {@link Absences#DEFAULT}. */
    public Builder absences(Absences value) {
      absences = value;
      return this;
    }

    /** Timeouts; default 5 s for reads and 2 s for writes. */
    public Builder timeoutNanos(long read, long write) {
      readTimeoutNanos = read;
      writeTimeoutNanos = write;
      return this;
    }

    /** How long failures go unnoticed; default 10 s. */
    public Builder detectionNanos(long value) {
      detectionNanos = value;
      return this;
    }

    /** Bound of the ids of keys; default 2^26. */
    public Builder mostKeys(long value) {
      mostKeys = value;
      return this;
    }

    /** Bounds of operations under way and of jobs waiting at a node; default 2^22 each. */
    public Builder most(int underWay, int waiting) {
      mostUnderWay = underWay;
      mostWaiting = waiting;
      return this;
    }

    /** The seed; default 0. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /**
     * The description.
     *
     * @throws BadRequestException naming all that cannot be
     */
    public ClusterConfig build() {
      return new ClusterConfig(
          topology,
          placement,
          links,
          services,
          profiles,
          hosts,
          clientWork,
          background,
          clients,
          coordinators,
          replicas,
          asksAll,
          digests,
          readRepair,
          backgroundRepair,
          lag,
          masterReplica,
          writeBuffer,
          clocks,
          stages,
          absences,
          readTimeoutNanos,
          writeTimeoutNanos,
          detectionNanos,
          mostKeys,
          mostUnderWay,
          mostWaiting,
          seed);
    }
  }
}
