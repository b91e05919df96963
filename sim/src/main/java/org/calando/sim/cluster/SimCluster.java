package org.calando.sim.cluster;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * A simulated cluster that replicates as Cassandra does: a write goes to all replicas and is
 * acknowledged after as many as its level needs; a read goes to as many as its level needs. Or as
 * {@link MasterReplica} says. Every node serves requests, reads, writes and replies on its cores,
 * in order of arrival unless its {@link Host} says in any. Nodes fail, return, are switched off and
 * on, and change their clocks.
 *
 * <p>Belongs to the thread of its simulation. Nothing is allocated per operation once its arrays
 * have grown to what is under way at once, except for hints.
 */
public final class SimCluster {
  private static final String WHERE = "simulated cluster";
  private static final int ANY = -1;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Simulation simulation;
  private final ClusterConfig config;
  private final Placement placement;
  private final Operations operations;
  private final Messages messages = new Messages();
  private final Network network;
  private final Versions versions;
  private final Nodes nodes;
  private final WorkTimes times;
  private final Housekeeping housekeeping;
  private final Coordinators coordinators;
  private final Hints hints;
  private final ClusterEnergy energy;
  private final Lives lives;
  private final ClientSide clients;
  private final Membership membership;
  private final Reads reads;
  private final Writes writes;
  private final Coordination coordination;
  private final WriteBuffers buffers;
  private final @Nullable Replication replication;
  private final long[] begun = new long[2];

  /** A cluster whose nodes are all up, without data. */
  public SimCluster(Simulation simulation, ClusterConfig config) {
    this.simulation = simulation;
    this.config = config;
    this.placement = config.placement();
    int size = config.topology().size();
    int factor = placement.replicationFactor();
    boolean[] seenUp = new boolean[size];
    Arrays.fill(seenUp, true);
    HostPlan hosts = HostPlan.of(config);
    operations = new Operations(config.mostUnderWay(), factor);
    versions = new Versions(factor, config.mostKeys());
    network = new Network(config.topology(), config.links(), new RandomStreams(config.seed()));
    ReplicaPicker picker = new ReplicaPicker(config, seenUp);
    coordinators = new Coordinators(config, seenUp);
    hints = new Hints(size, config.absences().mostHints());
    Server[] servers = Server.of(config, hosts);
    times = new WorkTimes(config, servers);
    nodes = new Nodes(config, servers, hosts, simulation, messages, network, times);
    housekeeping = new Housekeeping(config, simulation, messages, nodes);
    energy = new ClusterEnergy(config, hosts, nodes, simulation.nowNanos());
    Mail mail = new Mail(simulation, config, messages, network, nodes);
    lives = new Lives(simulation, config, operations, picker);
    clients =
        new ClientSide(
            simulation, config, hosts.clients(), operations, messages, network, nodes, lives);
    membership =
        new Membership(
            simulation, config, nodes, energy, hints, mail, housekeeping, coordinators, seenUp);
    reads = new Reads(simulation, config, messages, picker, lives, mail, clients);
    ReplicaWork work = Replication.isOf(config) ? new ReplicaWork(size) : null;
    writes =
        new Writes(simulation, config, messages, picker, lives, mail, clients, membership, work);
    coordination =
        new Coordination(
            messages,
            versions,
            picker,
            lives,
            mail,
            clients,
            membership,
            housekeeping,
            reads,
            writes,
            work);
    nodes.tell(coordination);
    replication = replication(work);
    lives.tell(coordination::expire);
    buffers =
        new WriteBuffers(
            config.writeBuffer(), simulation, clients, this::writeFromBuffer, times::batchShare);
  }

  private @Nullable Replication replication(@Nullable ReplicaWork work) {
    if (work == null || !(placement instanceof ReplicaGroups groups)) {
      return null;
    }
    nodes.count(work);
    return new Replication(groups, coordinators, membership, work);
  }

  /**
   * Masters and replicas.
   *
   * @throws BadRequestException if its nodes have no roles of their own: no masters, no groups, or
   *     no clocks
   */
  public Replication replication() {
    if (replication == null) {
      throw Replication.none();
    }
    return replication;
  }

  /** What the cluster was made of. */
  public ClusterConfig config() {
    return config;
  }

  /** The time that it lives in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The energy and core time of its nodes. */
  public ClusterEnergy energy() {
    return energy;
  }

  /**
   * Takes in somebody who will begin operations.
   *
   * @return the number to begin them with
   */
  public int register(Requester requester) {
    return clients.register(requester, false);
  }

  /**
   * Takes in somebody whose reads never repair what they read, nor ask more replicas than they
   * need, and whose writes are never deferred, whatever the cluster does for others: as of a table
   * and a client of its own.
   *
   * @return the number to begin operations with
   */
  public int registerWithoutRepair(Requester requester) {
    return clients.register(requester, true);
  }

  /** The place of a key on the ring. */
  public static long token(long key) {
    long z = (key + 1) * MIX;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Begins a read at the present time.
   *
   * @param requester told of its end, by number
   * @param tag told to the requester
   * @param key 0 or more, below the bound of keys
   */
  public void read(int requester, int tag, long key, ConsistencyLevel level) {
    begin(OperationRecord.READ, requester, tag, key, level, 0, 0, ANY);
  }

  /**
   * Begins a read at the present time of the copy that one of the key's replicas has, through that
   * replica.
   *
   * @param node one of {@link #replicas}
   */
  public void readCopy(int requester, int tag, long key, int node) {
    int place = place(node, placement.replicas(token(key)));
    if (place < 0) {
      throw new IllegalArgumentException("node " + node + " does not hold key " + key);
    }
    OperationRecord operation =
        begin(OperationRecord.READ, requester, tag, key, ConsistencyLevel.ONE, 0, 0, node);
    operation.counting = 1 << place;
    operation.need = 1;
  }

  /**
   * Begins a read at the present time through a node as its coordinator.
   *
   * @param node any
   */
  public void readThrough(int requester, int tag, long key, ConsistencyLevel level, int node) {
    begin(OperationRecord.READ, requester, tag, key, level, 0, 0, node);
  }

  /** The nodes that hold a key; not to be changed. */
  public int[] replicas(long key) {
    return placement.replicas(token(key));
  }

  /**
   * Begins a scan at the present time: a read whose replicas read so many records.
   *
   * @param count 1 or more
   */
  public void scan(int requester, int tag, long key, int count, ConsistencyLevel level) {
    begin(OperationRecord.READ, requester, tag, key, level, 0, count - 1L, ANY);
  }

  /**
   * Begins a write at the present time.
   *
   * @param version above 0; the higher of two versions stays, whenever they come
   */
  public void write(int requester, int tag, long key, long version, ConsistencyLevel level) {
    if (version <= 0) {
      throw new IllegalArgumentException("version " + version + " is not above 0");
    }
    if (buffers.isStrong() || clients.isUnrepaired(requester)) {
      begin(OperationRecord.WRITE, requester, tag, key, level, version, 0, ANY);
    } else {
      buffers.write(requester, tag, key, version, level);
    }
  }

  private void writeFromBuffer(
      int requester, int tag, long key, long version, ConsistencyLevel level) {
    OperationRecord operation =
        begin(OperationRecord.WRITE, requester, tag, key, level, version, 0, ANY);
    operation.batched = true;
  }

  /** How clients' writes are deferred, and what becomes of them. */
  public WriteBuffers writeBuffers() {
    return buffers;
  }

  /** Sends what is in clients' buffers. */
  public void flush() {
    buffers.flush();
  }

  /** What has become of deferred writes; all 0 without buffers. */
  public DeferredCounts deferred() {
    return buffers.counts();
  }

  /** Nanoseconds at risk of deferred writes up to now, summed over writes; 0 without buffers. */
  public double atRiskNanos() {
    return buffers.atRiskNanos();
  }

  /** Gives keys a version on all their replicas, at once and at no cost. */
  public void load(long firstKey, long count, long version) {
    versions.load(firstKey, count, version);
  }

  /**
   * Forgets all data and hints, at once and at no cost; operations under way may bring some back.
   */
  public void truncate() {
    versions.clear();
    hints.clear();
  }

  /** The version of a key that one of its replicas holds, 0 if none. */
  public long versionAt(long key, int node) {
    int place = place(node, placement.replicas(token(key)));
    return place < 0 ? Versions.ABSENT : versions.get(key, place);
  }

  /** The place of a node among replicas, -1 if it is none of them. */
  private static int place(int node, int[] replicas) {
    int place = replicas.length - 1;
    while (place >= 0 && replicas[place] != node) {
      place--;
    }
    return place;
  }

  /** A node fails: its work is lost, it answers nothing, and others notice later. */
  public void fail(int node) {
    requireNode(node);
    membership.fail(node);
  }

  /**
   * A node stops serving in good order: its work is lost, but others know at once. It stays on, and
   * returns as one that failed does.
   */
  public void stop(int node) {
    requireNode(node);
    membership.stop(node);
  }

  /** A node that failed returns with the data it had; others notice later, and send its hints. */
  public void recover(int node) {
    requireNode(node);
    membership.recover(node);
  }

  /** Lets observers know that a node is about to be drained; it serves on. */
  public void announceOff(int node) {
    requireNode(node);
    membership.announceOff(node);
  }

  /** Takes a node out of service: it ends what it has. It returns by being switched off and on. */
  public void drain(int node) {
    requireNode(node);
    membership.drain(node);
  }

  /** Switches a node off in good order: others know at once. */
  public void switchOff(int node) {
    requireNode(node);
    membership.switchOff(node);
  }

  /** Has a node off from the start on: it was not shifted, and others pay nothing for it. */
  public void beginOff(int node) {
    requireNode(node);
    membership.beginOff(node);
  }

  /** Switches a node on; it serves, and others know, once it has booted. */
  public void switchOn(int node) {
    requireNode(node);
    membership.switchOn(node);
  }

  /**
   * Makes a node's cores run at another clock: for the work that it starts from now on, and for its
   * power at once, so energy is off by what is left of the work that is on its cores.
   *
   * @param ghz one of the P-states of the cluster's {@link Clocks}
   * @throws BadRequestException if there is no such P-state
   */
  public void clock(int node, double ghz) {
    requireNode(node);
    Clocks clocks = config.clocks();
    if (clocks == null) {
      throw new BadRequestException(
          "a clock of " + ghz + " GHz for nodes without P-states", "clock", "name their P-states");
    }
    energy.clock(node, clocks.states().relativePower(ghz), simulation.nowNanos());
    times.stretch(node, clocks.stretch(ghz));
  }

  /** Makes the work that a node starts from now on take a multiple of its time, above 0. */
  public void slow(int node, double factor) {
    requireNode(node);
    if (!(factor > 0 && factor < 1e6)) {
      throw new BadRequestException(
          "a node cannot be " + factor + " times as slow", WHERE, "give a factor above 0");
    }
    times.slow(node, factor);
  }

  /** Delays messages that nodes send from now on, in place of what delayed them before. */
  public void delayLinks(LinkDelays delays) {
    network.delay(delays);
  }

  /** Makes messages that are sent from now on take other times, of the same racks. */
  public void links(Links links) {
    links.requireNamesOf(config.topology());
    network.change(config.topology(), links);
  }

  /** Whether a node is off by order, or about to be; one that boots since is on its way back. */
  public boolean isOffByOrder(int node) {
    return membership.isOffByOrder(node);
  }

  /** Writes that are kept for a node, or on their way to it since: it has not got them. */
  public long owed(int node) {
    return membership.owed(node);
  }

  /** Whether the other nodes, and clients, take a node for up. */
  public boolean isSeenUp(int node) {
    return membership.isSeenUp(node);
  }

  /**
   * Whether clients take a node for up: others do, and it is not kept from them until it is back.
   */
  public boolean isSeenByClients(int node) {
    return membership.isSeenUp(node) && !coordinators.isHeld(node);
  }

  /** Has writes' times from their first replica to their last told, in nanoseconds. */
  public void watchSpread(LongConsumer told) {
    writes.watchSpread(told);
  }

  /** How many requesters there are; their numbers are below this. */
  public int requesters() {
    return clients.requesters();
  }

  /**
   * Reads (or writes) of a requester that a node, serving when they began, has coordinated.
   * Deferred writes count as those of one more requester, which sends what is in all buffers.
   */
  public long coordinated(int requester, int node, boolean reads) {
    return clients.coordinated(requester, node, reads);
  }

  /** Whether a node serves clients. */
  public boolean isServing(int node) {
    return membership.isOpen(node);
  }

  /** Jobs that wait for the cores of a node's machine or are on them. */
  public int jobsAt(int node) {
    return nodes.jobs(node);
  }

  /** Core time of all work that has been started. */
  public long startedNanos() {
    return nodes.startedNanos();
  }

  /** Whether nothing is under way, and no hint waits for a node that serves at one that does. */
  public boolean isSettled() {
    return operations.inUse() == 0
        && messages.inUse() == housekeeping.underWay()
        && deferred().atRisk() == 0
        && !membership.hintWaits();
  }

  /** What has happened so far. Takes a look at each record: not for every event. */
  public ClusterCounts counts() {
    return new ClusterCounts(
        begun[OperationRecord.READ],
        begun[OperationRecord.WRITE],
        clients.ok,
        clients.notFound,
        clients.refused,
        clients.indeterminate,
        operations.untold(),
        messages.taken() - housekeeping.begun(),
        messages.freed() - (housekeeping.begun() - housekeeping.underWay()),
        messages.count() - housekeeping.underWay(),
        coordination.lost,
        coordination.read,
        coordination.written,
        reads.mismatches,
        reads.repairs,
        hints.stored(),
        coordination.hinted,
        hints.lost(),
        hints.waiting());
  }

  private void requireNode(int node) {
    if (node < 0 || node >= config.topology().size()) {
      throw new BadRequestException(
          "there is no node " + node, WHERE, "nodes are 0 to " + (config.topology().size() - 1));
    }
  }

  // Nothing becomes of it before the simulation goes on: its caller may set more of its record.
  private OperationRecord begin(
      int type,
      int requester,
      int tag,
      long key,
      ConsistencyLevel level,
      long version,
      long scanned,
      int through) {
    versions.approach(key);
    begun[type]++;
    int[] replicas = placement.replicas(token(key));
    int coordinator =
        through == ANY ? coordinators.of(type == OperationRecord.READ, replicas) : through;
    OperationRecord operation = lives.begin(type, Math.max(0, coordinator), key, level, replicas);
    operation.requester = requester;
    operation.tag = tag;
    operation.version = version;
    operation.scanned = scanned;
    operation.batched = false;
    if (clients.isUnrepaired(requester)) {
      lives.neverRepair(operation);
    }
    if (coordinator < 0) {
      clients.refuse(operation);
    } else {
      clients.request(operation);
    }
    return operation;
  }
}
