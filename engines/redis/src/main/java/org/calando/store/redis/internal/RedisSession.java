package org.calando.store.redis.internal;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.calando.core.replication.NodeView;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.FirstErrors;
import org.calando.core.store.Outcome;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.calando.core.time.DaemonThread;
import org.calando.store.redis.internal.Slot.Kind;

/*
 * A level's number of replicas k means, of N nodes in all:
 *
 *   write   the master has it, and k - 1 replicas have acknowledged it (WAIT k - 1)
 *   read    k = 1: one node, of those that ReadFrom allows; k > 1: the newest of k nodes
 *
 * so that k(read) + k(write) > N makes the two meet, as long as no master is replaced. In a Redis
 * Cluster N is that of each key's group; a group that gets another node is not asked any more.
 */
/** Requests on one table by way of Lettuce's connections. Thread safe, a slot at a time. */
public final class RedisSession implements Session, ReadRoute {
  private static final long LONGEST_SWEEP_MILLIS = 100;

  private final LiveNodes nodes;
  private final Records records;
  private final String table;
  private final Slot[] slots;
  private final long timeoutNanos;
  private final long waitMillis;
  private final FirstErrors errors = new FirstErrors();
  private final Request.Refusals refusals = this::refused;
  private final ScheduledExecutorService sweeper;
  private final KeyOrder order;
  private final Object poolLock = new Object();
  private final Map<Integer, WaitPool> pools = new ConcurrentHashMap<>();
  private volatile Route route;
  private volatile boolean closed;

  /** Opens a session; its connections are the nodes', and some of its own for WAIT. */
  public RedisSession(
      LiveNodes nodes,
      String keyPrefix,
      TableSpec table,
      int slots,
      ReadFrom readFrom,
      Duration timeout) {
    this.nodes = nodes;
    this.records = new Records(keyPrefix, table);
    this.table = keyPrefix.substring(0, keyPrefix.length() - 1);
    this.route = new Route(readFrom, 0);
    this.slots = new Slot[slots];
    for (int i = 0; i < slots; i++) {
      this.slots[i] = new Slot(i);
    }
    timeoutNanos = timeout.toNanos();
    waitMillis = Math.max(1, timeout.toMillis() * 9 / 10);
    sweeper = DaemonThread.scheduler("calando-redis-timeouts");
    order = new KeyOrder(this::later);
    long period = Math.max(1, Math.min(LONGEST_SWEEP_MILLIS, timeout.toMillis() / 10));
    var unused =
        sweeper.scheduleAtFixedRate(
            () -> sweep(timeoutNanos), period, period, TimeUnit.MILLISECONDS);
  }

  @Override
  public int slots() {
    return slots.length;
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public ReadFrom readFrom() {
    return route.from();
  }

  @Override
  public double masterShare() {
    return route.masterShare();
  }

  @Override
  public void readFrom(ReadFrom from, double masterShare) {
    route = new Route(from, masterShare);
  }

  @Override
  public List<NodeView> roles() {
    return nodes.view();
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    readAll(Kind.READ, slot, key, 1, field, level, completion);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The order of keys is that of their ids. Each record is a request of its own, all on their
   * way at once; ids that have no record are passed over and count.
   */
  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    readAll(Kind.SCAN, slot, key, count, field, level, completion);
  }

  private void readAll(
      Kind kind,
      int slot,
      long key,
      int count,
      int field,
      ConsistencyLevel level,
      Completion completion) {
    Slot target = slots[slot];
    int asked = level.replicas(nodes.replicas());
    long operation = target.begin(kind, completion, count * asked, System.nanoTime());
    for (long id = key; id < key + count; id++) {
      Topology now = topology(id);
      List<Integer> from = readers(now, asked);
      if (closed || from.size() < asked) {
        refused(target, operation, Outcome.REFUSED, asked + " nodes are not available");
        return;
      }
      if (now.size() > nodes.replicas()) {
        refused(target, operation, Outcome.REFUSED, grown(now));
        return;
      }
      for (int node : from) {
        send(node, records.read(id, field, target, operation, refusals), target, operation);
      }
    }
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    Slot target = slots[slot];
    int replicas = level.replicas(nodes.replicas()) - 1;
    KeyOrder.Turn turn = order.turn(key, version, completion);
    long operation = target.begin(Kind.WRITE, turn, replicas > 0 ? 2 : 1, System.nanoTime());
    order.take(
        turn, carried -> write(target, operation, key, field, valueBytes, carried, replicas));
  }

  private void write(
      Slot target, long operation, long key, int field, int bytes, long version, int replicas) {
    Topology now = topology(key);
    if (closed || now.master() < 0 || replicas > now.followers()) {
      refused(
          target,
          operation,
          Outcome.REFUSED,
          now.master() < 0
              ? "there is no master"
              : replicas + " replicas are not linked to the master");
      return;
    }
    if (now.size() > nodes.replicas()) {
      refused(target, operation, Outcome.REFUSED, grown(now));
      return;
    }
    Request<Long> write;
    try {
      write = records.write(key, field, bytes, version, target, operation, refusals);
    } catch (RuntimeException e) {
      refused(target, operation, Outcome.FAILED, String.valueOf(e.getMessage()));
      return;
    }
    if (replicas == 0) {
      send(now.master(), write, target, operation);
    } else {
      WaitRequest wait = new WaitRequest(replicas, waitMillis, target, operation, refusals);
      sendAndWait(now.master(), key, List.of(write, wait), target, operation);
    }
  }

  private void sendAndWait(
      int master, long key, List<Request<Long>> requests, Slot slot, long operation) {
    var connection = pool(master).connection(key);
    var unused =
        connection.whenComplete(
            (open, error) -> {
              if (error != null) {
                refused(slot, operation, Outcome.REFUSED, Links.reason(error));
              } else {
                dispatch(open, requests, slot, operation);
              }
            });
  }

  private String grown(Topology now) {
    return "the key's group has "
        + now.size()
        + " nodes now, and had "
        + nodes.replicas()
        + ": levels are of that many";
  }

  private Topology topology(long key) {
    return nodes.topology(() -> records.key(key));
  }

  /** Where there is one master only, connections to the one before are closed. */
  private WaitPool pool(int master) {
    WaitPool there = pools.get(master);
    if (there != null) {
      return there;
    }
    synchronized (poolLock) {
      if (!nodes.isCluster()) {
        pools.values().forEach(WaitPool::close);
        pools.clear();
      }
      return pools.computeIfAbsent(master, one -> new WaitPool(nodes, one, slots.length));
    }
  }

  private void send(int node, Request<Long> request, Slot slot, long operation) {
    dispatch(nodes.connection(node), List.of(request), slot, operation);
  }

  private void dispatch(
      StatefulRedisConnection<byte[], byte[]> connection,
      List<Request<Long>> requests,
      Slot slot,
      long operation) {
    if (!connection.isOpen()) {
      refused(slot, operation, Outcome.REFUSED, "the node is not connected");
      return;
    }
    try {
      if (requests.size() == 1) {
        var unused = connection.dispatch(requests.get(0));
      } else {
        List<RedisCommand<byte[], byte[], ?>> together = new ArrayList<>(requests);
        var unused = connection.dispatch(together);
      }
    } catch (RedisException e) {
      // Thrown before anything is written.
      refused(slot, operation, Outcome.REFUSED, String.valueOf(e.getMessage()));
    }
  }

  /** The nodes to ask, as many as wanted or fewer if there are not. */
  private List<Integer> readers(Topology now, int wanted) {
    if (wanted > 1) {
      return some(now.all(), wanted);
    }
    List<Integer> master = now.master() < 0 ? List.of() : List.of(now.master());
    return switch (route.next()) {
      case MASTER -> master;
      case REPLICA -> now.replicas().isEmpty() ? master : some(now.replicas(), 1);
      case ANY -> some(now.all(), 1);
    };
  }

  /** Where reads of one node go; immutable. */
  private record Route(ReadFrom from, double masterShare) {
    ReadFrom next() {
      boolean isMasters = masterShare > 0 && ThreadLocalRandom.current().nextDouble() < masterShare;
      return isMasters ? ReadFrom.MASTER : from;
    }
  }

  private static List<Integer> some(List<Integer> nodes, int wanted) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (wanted == 1 && !nodes.isEmpty()) {
      return List.of(nodes.get(random.nextInt(nodes.size())));
    }
    List<Integer> chosen = new ArrayList<>(nodes);
    while (chosen.size() > wanted) {
      chosen.remove(random.nextInt(chosen.size()));
    }
    return chosen;
  }

  private void refused(Slot slot, long operation, Outcome outcome, String why) {
    errors.note(slot.kind(), outcome, why);
    if (why.startsWith("READONLY") || why.startsWith("MOVED")) {
      nodes.lookAgain();
    }
    slot.failed(operation, outcome);
  }

  private void later(Runnable work) {
    try {
      sweeper.execute(work);
    } catch (RejectedExecutionException e) {
      // The session is closed, and the close ends what has not been sent.
    }
  }

  private void sweep(long limitNanos) {
    long now = System.nanoTime();
    for (Slot slot : slots) {
      if (slot.expire(now, limitNanos)) {
        errors.note(slot.kind(), Outcome.INDETERMINATE, "no answer in time");
      }
    }
  }

  @Override
  public List<String> errors() {
    return errors.texts();
  }

  /** Refuses further operations; those under way end without an answer. */
  @Override
  public void close() {
    closed = true;
    sweeper.shutdownNow();
    synchronized (poolLock) {
      pools.values().forEach(WaitPool::close);
    }
    sweep(0);
  }
}
