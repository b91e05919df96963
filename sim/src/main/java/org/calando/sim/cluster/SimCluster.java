package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/**
 * A simulated cluster that replicates as Cassandra does. A write goes to all replicas and is
 * acknowledged after as many as its level needs; a read goes to as many as its level needs. Every
 * node serves requests, reads, writes and replies in order of arrival on its cores. Nodes fail,
 * return, and are switched off and on.
 *
 * <p>Belongs to the thread of its simulation. Nothing is allocated per operation once its arrays
 * have grown to what is under way at once, except for hints.
 */
public final class SimCluster {
  private static final int ARRIVE = 0;
  private static final int CPU_DONE = 1;
  private static final int DISK_DONE = 2;
  private static final int ANSWER = 3;
  private static final int DEADLINE = 4;
  private static final int NOTICED = 5;
  private static final int HINT = 6;
  private static final int BOOTED = 7;
  private static final int REFUSE = 8;
  private static final long RETRY_HINTS_NANOS = 1_000_000_000L;
  private static final int ANY = -1;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Simulation simulation;
  private final ClusterConfig config;
  private final Placement placement;
  private final Operations operations;
  private final Messages messages = new Messages();
  private final Versions versions;
  private final Network network;
  private final Nodes nodes;
  private final WorkTimes times;
  private final Coordination coordination;
  private final ReplicaPicker picker;
  private final HostPlan hosts;
  private final Housekeeping housekeeping;
  private final Hints hints;
  private final Deadlines[] deadlines;
  private final ClusterEnergy energy;
  private final boolean[] seenUp;
  private final boolean[] hinting;
  private final List<Requester> requesters = new ArrayList<>();
  private final List<long[]> coordinated = new ArrayList<>();
  private final List<Boolean> unrepaired = new ArrayList<>();
  private final int handler;
  private final long[] begun = new long[2];
  private long ok;
  private long notFound;
  private long refused;
  private long indeterminate;

  /** A cluster whose nodes are all up, without data. */
  public SimCluster(Simulation simulation, ClusterConfig config) {
    this.simulation = simulation;
    this.config = config;
    this.placement = config.placement();
    int size = config.topology().size();
    int factor = placement.replicationFactor();
    handler = simulation.register(this::handle);
    operations = new Operations(config.mostUnderWay(), factor);
    versions = new Versions(factor, config.mostKeys());
    network = new Network(config.topology(), config.links(), new RandomStreams(config.seed()));
    seenUp = new boolean[size];
    Arrays.fill(seenUp, true);
    hinting = new boolean[size];
    picker = new ReplicaPicker(config, seenUp);
    hints = new Hints(size, config.mostHints());
    coordination =
        new Coordination(
            this, simulation, config, operations, messages, versions, picker, network, hints);
    hosts = HostPlan.of(config);
    times = new WorkTimes(config, messages, operations);
    nodes =
        new Nodes(
            config, hosts, simulation, messages, times, coordination, handler, CPU_DONE, DISK_DONE);
    housekeeping = new Housekeeping(config, simulation, messages, nodes);
    deadlines =
        new Deadlines[] {
          new Deadlines(simulation, operations, config.readTimeoutNanos(), handler, DEADLINE, 0),
          new Deadlines(simulation, operations, config.writeTimeoutNanos(), handler, DEADLINE, 1)
        };
    energy = new ClusterEnergy(config.profiles(), hosts, nodes, simulation.nowNanos());
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
    return register(requester, false);
  }

  /**
   * Takes in somebody whose reads never repair what they read, nor ask more replicas than they
   * need, whatever the cluster does for others: as of a table of its own.
   *
   * @return the number to begin operations with
   */
  public int registerWithoutRepair(Requester requester) {
    return register(requester, true);
  }

  private int register(Requester requester, boolean withoutRepair) {
    requesters.add(requester);
    unrepaired.add(withoutRepair);
    coordinated.add(new long[2 * seenUp.length]);
    return requesters.size() - 1;
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
    begin(Operations.READ, requester, tag, key, level, 0, 0, ANY, ANY);
  }

  /**
   * Begins a read at the present time of the copy that one of the key's replicas has, through that
   * replica.
   *
   * @param node one of {@link #replicas}
   */
  public void readCopy(int requester, int tag, long key, int node) {
    begin(Operations.READ, requester, tag, key, ConsistencyLevel.ONE, 0, 0, node, node);
  }

  /**
   * Begins a read at the present time through a node as its coordinator.
   *
   * @param node any
   */
  public void readThrough(int requester, int tag, long key, ConsistencyLevel level, int node) {
    begin(Operations.READ, requester, tag, key, level, 0, 0, node, ANY);
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
    begin(Operations.READ, requester, tag, key, level, 0, count - 1L, ANY, ANY);
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
    begin(Operations.WRITE, requester, tag, key, level, version, 0, ANY, ANY);
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
    int[] replicas = placement.replicas(token(key));
    for (int place = 0; place < replicas.length; place++) {
      if (replicas[place] == node) {
        return versions.get(key, place);
      }
    }
    return Versions.ABSENT;
  }

  /** A node fails: its work is lost, it answers nothing, and others notice later. */
  public void fail(int node) {
    if (nodes.serving[node]) {
      nodes.stop(node);
      simulation.schedule(simulation.nowNanos() + config.detectionNanos(), handler, NOTICED, node);
    }
  }

  /**
   * A node stops serving in good order: its work is lost, but others know at once. It stays on, and
   * returns as one that failed does.
   */
  public void stop(int node) {
    if (nodes.serving[node]) {
      nodes.stop(node);
    }
    seenUp[node] = false;
  }

  /** A node that failed returns with the data it had; others notice later, and send its hints. */
  public void recover(int node) {
    if (!nodes.serving[node] && energy.isOn(node)) {
      nodes.resume(node);
      simulation.schedule(simulation.nowNanos() + config.detectionNanos(), handler, NOTICED, node);
    }
  }

  /** Switches a node off in good order: others know at once. */
  public void switchOff(int node) {
    if (nodes.serving[node]) {
      nodes.stop(node);
    }
    seenUp[node] = false;
    energy.off(node, simulation.nowNanos());
  }

  /** Switches a node on; it serves, and others know, once it has booted. */
  public void switchOn(int node) {
    long readyNanos = energy.boot(node, simulation.nowNanos());
    if (readyNanos >= 0) {
      simulation.schedule(readyNanos, handler, BOOTED, node);
    }
  }

  /** Makes the work that a node starts from now on take a multiple of its time, above 0. */
  public void slow(int node, double factor) {
    if (!(factor > 0 && factor < 1e6)) {
      throw new IllegalArgumentException("a node cannot be " + factor + " times as slow");
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

  /** Whether the other nodes, and clients, take a node for up. */
  public boolean isSeenUp(int node) {
    return seenUp[node];
  }

  /** How many requesters there are; their numbers are below this. */
  public int requesters() {
    return requesters.size();
  }

  /** Reads (or writes) of a requester that a node, serving when they began, has coordinated. */
  public long coordinated(int requester, int node, boolean reads) {
    int type = reads ? Operations.READ : Operations.WRITE;
    return coordinated.get(requester)[type * seenUp.length + node];
  }

  /** Whether a node serves. */
  public boolean isServing(int node) {
    return nodes.serving[node];
  }

  /** Jobs that wait for the cores of a node's machine or are on them. */
  public int jobsAt(int node) {
    return nodes.cpu(node).busy() + nodes.cpu(node).waiting();
  }

  /** Core time of all work that has been started. */
  public long startedNanos() {
    return nodes.startedNanos();
  }

  /** Whether nothing is under way, and no hint waits for a node that serves. */
  public boolean isSettled() {
    if (operations.inUse() > 0 || messages.inUse() > housekeeping.underWay()) {
      return false;
    }
    for (int node = 0; node < seenUp.length; node++) {
      if (nodes.serving[node] && !hints.isEmpty(node)) {
        return false;
      }
    }
    return true;
  }

  /** What has happened so far. */
  public ClusterCounts counts() {
    return new ClusterCounts(
        begun[Operations.READ],
        begun[Operations.WRITE],
        ok,
        notFound,
        refused,
        indeterminate,
        begun[0] + begun[1] - ok - notFound - refused - indeterminate,
        messages.taken() - housekeeping.begun(),
        messages.inUse() - housekeeping.underWay(),
        coordination.lost,
        coordination.read,
        coordination.written,
        coordination.mismatches(),
        coordination.repaired(),
        hints.stored(),
        coordination.hinted,
        hints.lost(),
        hints.waiting());
  }

  private void begin(
      int type,
      int requester,
      int tag,
      long key,
      ConsistencyLevel level,
      long version,
      long scanned,
      int through,
      int copyOf) {
    begun[type]++;
    int[] replicas = placement.replicas(token(key));
    int coordinator = through == ANY ? picker.coordinator(replicas) : through;
    int operation = coordination.begin(type, Math.max(0, coordinator), key, level, replicas);
    if (unrepaired.get(requester)) {
      coordination.neverRepair(operation);
    }
    if (copyOf != ANY) {
      operations.set(operation, Operations.COUNTING, place(copyOf, replicas));
      operations.set(operation, Operations.NEED, 1);
    }
    if (coordinator >= 0 && nodes.serving[coordinator]) {
      coordinated.get(requester)[type * seenUp.length + coordinator]++;
    }
    operations.set(operation, Operations.REQUESTER, requester);
    operations.set(operation, Operations.TAG, tag);
    operations.setLong(operation, Operations.VERSION, version);
    operations.setLong(operation, Operations.SCANNED, scanned);
    operations.set(operation, Operations.OUTSTANDING, 1);
    deadlines[type].add(operation);
    if (coordinator < 0) {
      simulation.schedule(simulation.nowNanos(), handler, REFUSE, operation);
      return;
    }
    if (config.clientWork() != null) {
      int client = hosts.clients();
      nodes.arrive(messages.take(Messages.CLIENT_REQUEST, operation, client, client, 0, 0, 0));
    } else {
      sendRequest(
          messages.take(Messages.REQUEST, operation, coordinator, coordinator, 0, 0, version));
    }
  }

  /** A request leaves its client's machine. */
  void sendRequest(int message) {
    int operation = messages.operation(message);
    messages.pass(message, Messages.REQUEST, operations.get(operation, Operations.COORDINATOR));
    long way = network.clientNanos();
    simulation.schedule(simulation.nowNanos() + way, handler, ARRIVE, message);
  }

  /** An answer has reached its client's machine, which has to work on it. */
  void workForClient(int operation) {
    int client = hosts.clients();
    nodes.arrive(messages.take(Messages.CLIENT_ANSWER, operation, client, client, 0, 0, 0));
  }

  Housekeeping housekeeping() {
    return housekeeping;
  }

  private static int place(int node, int[] replicas) {
    for (int place = 0; place < replicas.length; place++) {
      if (replicas[place] == node) {
        return 1 << place;
      }
    }
    throw new IllegalArgumentException("node " + node + " does not hold the key");
  }

  private void handle(int kind, int number) {
    switch (kind) {
      case ARRIVE -> nodes.arrive(number);
      case CPU_DONE -> nodes.cpuDone(number);
      case DISK_DONE -> nodes.diskDone(number);
      case ANSWER -> coordination.answerArrived(number);
      case DEADLINE -> expire(deadlines[number]);
      case NOTICED -> noticed(number);
      case HINT -> sendHint(number);
      case BOOTED -> booted(number);
      case REFUSE -> {
        operations.add(number, Operations.OUTSTANDING, -1);
        coordination.answer(number, Operations.REFUSED);
      }
      default -> throw new IllegalStateException("an event of no kind");
    }
  }

  private void expire(Deadlines list) {
    list.disarm();
    for (int operation = list.due(); operation >= 0; operation = list.due()) {
      coordination.expire(operation);
    }
  }

  private void noticed(int node) {
    seenUp[node] = nodes.serving[node];
    hintKept(node);
  }

  private void booted(int node) {
    if (energy.booted(node, simulation.nowNanos())) {
      nodes.resume(node);
      noticed(node);
    }
  }

  private void sendHint(int node) {
    hinting[node] = false;
    if (!nodes.serving[node]) {
      return;
    }
    Hints.Hint hint = hints.next(node, nodes.serving);
    if (hint != null) {
      coordination.send(hint, node);
    }
    if (!hints.isEmpty(node)) {
      hinting[node] = true;
      long gapNanos = hint == null ? RETRY_HINTS_NANOS : config.hintGapNanos();
      simulation.schedule(simulation.nowNanos() + gapNanos, handler, HINT, node);
    }
  }

  /** A node may have hints to be sent. */
  void hintKept(int node) {
    if (seenUp[node] && !hinting[node] && !hints.isEmpty(node)) {
      hinting[node] = true;
      simulation.schedule(simulation.nowNanos() + config.hintGapNanos(), handler, HINT, node);
    }
  }

  /** A message reaches its node after a time; at once if that is none. */
  void arriveAfter(long nanos, int message) {
    if (nanos == 0) {
      nodes.arrive(message);
    } else {
      simulation.schedule(simulation.nowNanos() + nanos, handler, ARRIVE, message);
    }
  }

  /** An answer reaches its client after a time. */
  void answerAfter(long nanos, int operation) {
    simulation.schedule(simulation.nowNanos() + nanos, handler, ANSWER, operation);
  }

  /** Tells the client of an operation that has ended. */
  void answered(int operation) {
    Outcome outcome = operations.outcome(operation);
    boolean found =
        outcome == Outcome.OK && operations.get(operation, Operations.TYPE) == Operations.READ;
    long version = found ? operations.getLong(operation, Operations.VERSION) : Session.NO_VERSION;
    switch (outcome) {
      case OK -> ok++;
      case NOT_FOUND -> notFound++;
      case REFUSED -> refused++;
      case INDETERMINATE, FAILED -> indeterminate++;
    }
    requesters
        .get(operations.get(operation, Operations.REQUESTER))
        .answered(operations.get(operation, Operations.TAG), outcome, version);
  }

  boolean isOver(int operation) {
    return deadlines[operations.get(operation, Operations.TYPE)].isOver(operation);
  }

  void needsNoDeadline(int operation) {
    deadlines[operations.get(operation, Operations.TYPE)].remove(operation);
  }

  /** Nothing of an operation that has ended is outstanding. */
  void free(int operation) {
    needsNoDeadline(operation);
    operations.free(operation);
  }
}
