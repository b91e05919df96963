package org.calando.sim.cluster;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Operation;
import org.calando.core.workload.OperationKind;
import org.calando.core.workload.OperationStream;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;

/**
 * Clients of a simulated cluster, without the machinery of a measured run: a closed loop, or an
 * open one with Poisson arrivals. Reads are judged as by {@link
 * org.calando.core.workload.StalenessOracle}: stale if older than the newest version acknowledged
 * when they began. At most 2^29 records, and keys in all.
 *
 * <p>Belongs to the thread of its simulation; allocates nothing per operation. Workloads of reads,
 * updates and inserts only.
 */
public final class Clients {
  private static final int NEXT = 0;
  private static final int ARRIVAL = 1;
  private static final int MOST_RECORDS = 1 << 29;

  private final SimCluster cluster;
  private final Simulation simulation;
  private final OperationStream stream;
  private final InsertSequence inserts;
  private final Operation operation = new Operation();
  private final ConsistencyLevel readLevel;
  private final ConsistencyLevel writeLevel;
  private final Distribution pause;
  private final boolean open;
  private final RandomStream random;
  private final int handler;
  private final int requester;

  /** The newest version issued and acknowledged of each key, side by side. */
  private final int[] ofKeys;

  private final long[] newest;
  private final long[] keys;
  private final long[] versions;
  private final long[] startNanos;
  private final int[] free;
  private int freeCount;
  private boolean stopped;
  private long reads;
  private long staleReads;
  private long writes;
  private long errors;
  private long readNanos;
  private long writeNanos;
  private LongConsumer toldOfReads = nanos -> {};
  private LongConsumer toldOfWrites = nanos -> {};

  private Clients(
      SimCluster cluster,
      Workload workload,
      ConsistencyLevel readLevel,
      ConsistencyLevel writeLevel,
      int slots,
      Distribution pause,
      boolean open,
      long seed) {
    if (workload.records() > MOST_RECORDS) {
      throw new BadRequestException(
          workload.records() + " records", "clients of a simulated cluster", "2^29 at most");
    }
    this.cluster = cluster;
    this.simulation = cluster.simulation();
    this.inserts = InsertSequence.of(workload);
    this.stream = new OperationStream(workload, inserts, seed, 0);
    this.readLevel = readLevel;
    this.writeLevel = writeLevel;
    this.pause = pause;
    this.open = open;
    this.random = new RandomStreams(seed).of("clients");
    this.handler = simulation.register(this::handle);
    this.requester = cluster.register(this::answered);
    int records = (int) Math.min(MOST_RECORDS, workload.expectedNewKeys() + workload.records());
    ofKeys = new int[2 * records];
    newest = new long[slots];
    keys = new long[slots];
    versions = new long[slots];
    startNanos = new long[slots];
    free = new int[slots];
    Arrays.fill(ofKeys, 0, 2 * (int) workload.records(), 1);
    cluster.load(0, workload.records(), 1);
  }

  /**
   * Loads the workload's records at no cost, and starts clients each of which begins an operation a
   * pause after its last one has ended.
   *
   * @param threads clients, 1 or more
   * @param pause between an answer and the next operation
   */
  public static Clients closed(
      SimCluster cluster,
      Workload workload,
      ConsistencyLevel read,
      ConsistencyLevel write,
      int threads,
      Distribution pause,
      long seed) {
    Clients clients = new Clients(cluster, workload, read, write, threads, pause, false, seed);
    for (int slot = 0; slot < threads; slot++) {
      clients.simulation.schedule(clients.simulation.nowNanos(), clients.handler, NEXT, slot);
    }
    return clients;
  }

  /**
   * Loads the workload's records at no cost, and starts Poisson arrivals of operations.
   *
   * @param perSecond rate, above 0
   * @param most operations under way at most; what arrives beyond them is shed
   */
  public static Clients open(
      SimCluster cluster,
      Workload workload,
      ConsistencyLevel read,
      ConsistencyLevel write,
      double perSecond,
      int most,
      long seed) {
    Distribution gap = Distribution.exponential(1e9 / perSecond);
    Clients clients = new Clients(cluster, workload, read, write, most, gap, true, seed);
    for (int slot = most - 1; slot >= 0; slot--) {
      clients.free[clients.freeCount++] = slot;
    }
    clients.arm();
    return clients;
  }

  /** Has times of reads, and of writes, told from now on, in nanoseconds. */
  public void watch(LongConsumer readTimes, LongConsumer writeTimes) {
    toldOfReads = readTimes;
    toldOfWrites = writeTimes;
  }

  /** No further operation begins. */
  public void stop() {
    stopped = true;
  }

  /** Forgets what was counted so far. */
  public void reset() {
    reads = 0;
    staleReads = 0;
    writes = 0;
    errors = 0;
    readNanos = 0;
    writeNanos = 0;
  }

  /** Reads that were answered. */
  public long reads() {
    return reads;
  }

  /** Of these, stale ones. */
  public long staleReads() {
    return staleReads;
  }

  /** Writes that were acknowledged. */
  public long writes() {
    return writes;
  }

  /** Operations that failed. */
  public long errors() {
    return errors;
  }

  /** Mean time of reads, in nanoseconds; NaN without reads. */
  public double meanReadNanos() {
    return (double) readNanos / reads;
  }

  /** Mean time of writes, in nanoseconds; NaN without writes. */
  public double meanWriteNanos() {
    return (double) writeNanos / writes;
  }

  private void handle(int kind, int slot) {
    if (stopped) {
      return;
    }
    if (kind == NEXT) {
      begin(slot);
      return;
    }
    // What finds too many operations under way is shed.
    if (freeCount > 0) {
      begin(free[--freeCount]);
    }
    arm();
  }

  private void arm() {
    simulation.schedule(simulation.nowNanos() + pause.sample(random), handler, ARRIVAL, 0);
  }

  private void begin(int slot) {
    stream.next(operation);
    long key = operation.key;
    keys[slot] = key;
    startNanos[slot] = simulation.nowNanos();
    if (operation.kind == OperationKind.READ) {
      versions[slot] = 0;
      newest[slot] = ofKeys[2 * (int) key + 1];
      cluster.read(requester, slot, key, readLevel);
    } else if (operation.kind == OperationKind.UPDATE || operation.kind == OperationKind.INSERT) {
      int issued = Math.incrementExact(ofKeys[2 * (int) key]);
      ofKeys[2 * (int) key] = issued;
      versions[slot] = issued;
      if (operation.kind == OperationKind.INSERT) {
        inserts.acknowledge(key);
      }
      cluster.write(requester, slot, key, versions[slot], writeLevel);
    } else {
      throw new IllegalStateException(operation.kind + " is not for these clients");
    }
  }

  private void answered(int slot, Outcome outcome, long version) {
    long took = simulation.nowNanos() - startNanos[slot];
    if (outcome.isError()) {
      errors++;
    } else if (versions[slot] == 0) {
      reads++;
      readNanos += took;
      toldOfReads.accept(took);
      long found = outcome == Outcome.NOT_FOUND ? 0 : version;
      staleReads += found < newest[slot] ? 1 : 0;
    } else {
      writes++;
      writeNanos += took;
      toldOfWrites.accept(took);
      int acknowledged = 2 * (int) keys[slot] + 1;
      ofKeys[acknowledged] = (int) Math.max(ofKeys[acknowledged], versions[slot]);
    }
    if (open) {
      free[freeCount++] = slot;
    } else if (pause.isNone()) {
      if (!stopped) {
        begin(slot);
      }
    } else {
      simulation.schedule(simulation.nowNanos() + pause.sample(random), handler, NEXT, slot);
    }
  }
}
