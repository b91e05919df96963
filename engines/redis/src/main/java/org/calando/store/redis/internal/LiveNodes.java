package org.calando.store.redis.internal;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleEvent;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RoleMonitor;
import org.calando.store.redis.RoleMonitorConfig;

/** The nodes of a store, a connection to each, and who is the master now. Thread safe. */
public final class LiveNodes implements AutoCloseable {
  private static final long LOOK_NANOS = 20_000_000L;
  private static final long CLOSE_SECONDS = 2;

  /** Looks between two questions for slots. */
  private static final int LOOKS_AN_ASK = 10;

  private final Links links;
  private final List<RedisNode> nodes;
  private final List<StatefulRedisConnection<byte[], byte[]>> connections = new ArrayList<>();
  private final RoleMonitor roles;
  private volatile Optional<String> newestMaster = Optional.empty();
  private final boolean cluster;
  private final Map<String, Integer> indices = new HashMap<>();
  private volatile Topology topology = Topology.NOBODY;
  private volatile Map<Integer, Topology> groups = Map.of();
  private volatile SlotMap slots = SlotMap.EMPTY;
  private volatile int replicas;

  private LiveNodes(RedisStoreConfig config, Links links) {
    this.links = links;
    cluster = config.cluster();
    Map<String, RedisNode> told = cluster ? links.discoverCluster() : Map.of();
    nodes = cluster ? told.values().stream().distinct().toList() : found(config, links);
    // By all that it may be called: names have been looked up once, and are not in each answer.
    told.forEach((address, node) -> indices.put(address, nodes.indexOf(node)));
    for (int i = 0; i < nodes.size(); i++) {
      indices.put(nodes.get(i).address(), i);
      indices.put(Links.numeric(nodes.get(i)), i);
    }
    if (!config.nodes().isEmpty() && !config.sentinels().isEmpty()) {
      links.requireKnown(nodes);
    }
    nodes.forEach(node -> connections.add(links.connect(node)));
    roles = RoleMonitor.start(monitor(config, nodes), System::nanoTime, this::changed);
  }

  private static List<RedisNode> found(RedisStoreConfig config, Links links) {
    return config.nodes().isEmpty() ? links.discover() : config.nodes();
  }

  /**
   * Connects to all nodes and waits until one says that it is the master and all others are linked.
   *
   * @throws FailedWorkException if a node does not answer, or there is no master in time
   * @throws BadRequestException if Sentinels know other nodes than those listed, or a Redis
   *     Cluster's masters have unequal numbers of replicas
   */
  public static LiveNodes connect(RedisStoreConfig config) {
    Links links = new Links(config);
    LiveNodes live;
    try {
      live = new LiveNodes(config, links);
    } catch (RuntimeException | Error e) {
      links.close();
      throw e;
    }
    try {
      live.awaitAllLinked(config.requestTimeout());
      return live;
    } catch (RuntimeException | Error e) {
      live.close();
      throw e;
    }
  }

  private static RoleMonitorConfig monitor(RedisStoreConfig config, List<RedisNode> nodes) {
    RoleMonitorConfig usual = RoleMonitorConfig.of(nodes);
    return new RoleMonitorConfig(
        nodes,
        config.sentinels(),
        config.masterName(),
        config.credentials(),
        config.sentinelCredentials(),
        config.tls(),
        usual.pollNanos(),
        usual.slowPollNanos(),
        usual.silenceNanos());
  }

  private void changed(RoleEvent event) {
    if (event.now().role() == Role.MASTER && event.was().role() != Role.MASTER) {
      newestMaster = Optional.of(event.node());
    }
    look();
    askForSlots(0);
  }

  /**
   * The answer comes later; a node that has been replaced may tell what was.
   *
   * @param turn 0: whom became master last, if it is connected; else another one each time
   */
  private void askForSlots(int turn) {
    RoleMonitor asked = roles;
    if (!cluster || asked == null) {
      return;
    }
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < connections.size(); i++) {
      if (connections.get(i).isOpen()) {
        open.add(newestMaster.equals(Optional.of(nodes.get(i).name())) ? 0 : open.size(), i);
      }
    }
    if (!open.isEmpty()) {
      int from = open.get(turn % open.size());
      var unused =
          connections
              .get(from)
              .async()
              .clusterSlots()
              .thenAccept(
                  answer -> {
                    slots = SlotMap.of(answer, nodes.get(from).host(), indices);
                    look();
                  });
    }
  }

  private int index(String name) {
    return nodes.stream().map(RedisNode::name).toList().indexOf(name);
  }

  private void look() {
    // The first event may come before the constructor is done with this field.
    RoleMonitor asked = roles;
    if (asked != null) {
      List<NodeView> views = asked.view();
      if (cluster) {
        Map<Integer, Topology> found = new TreeMap<>();
        slots.owners().forEach(master -> found.put(master, Topology.of(nodes, views, master)));
        groups = Collections.unmodifiableMap(found);
      } else {
        topology = Topology.of(nodes, views, newestMaster);
      }
    }
  }

  /** All nodes; their places are the indices of {@link Topology}. */
  public List<RedisNode> nodes() {
    return nodes;
  }

  /** Who is the master of a key, and which of its replicas are linked. */
  Topology topology(Supplier<byte[]> key) {
    return cluster ? groups.getOrDefault(slots.master(key.get()), Topology.NOBODY) : topology;
  }

  /** Whether there are several masters, each of a part of the keys. */
  boolean isCluster() {
    return cluster;
  }

  /** On how many nodes a key is, its master included; the same for all keys. */
  public int replicas() {
    return cluster ? replicas : nodes.size();
  }

  /** What is known of each node. */
  public List<NodeView> view() {
    return roles.view();
  }

  /** The connection to a node; it may be broken for the moment. */
  StatefulRedisConnection<byte[], byte[]> connection(int node) {
    return connections.get(node);
  }

  Links links() {
    return links;
  }

  /** Asks all nodes for their roles now. */
  void lookAgain() {
    roles.pollNow();
    askForSlots(0);
  }

  /**
   * The connection to the master of a key.
   *
   * @throws FailedWorkException if there is none now
   */
  StatefulRedisConnection<byte[], byte[]> master(byte[] key) {
    return master(topology(() -> key));
  }

  /**
   * The connections to all masters.
   *
   * @throws FailedWorkException if there is none now
   */
  List<StatefulRedisConnection<byte[], byte[]>> masters() {
    return cluster
        ? groups.values().stream().map(this::master).toList()
        : List.of(master(topology));
  }

  /** What a node says that it has written of its replication stream. */
  long offset(String name) {
    try {
      String info = connections.get(index(name)).sync().info("replication");
      return Numbers.longOr(RoleReply.info(info).get("master_repl_offset"), 0);
    } catch (RedisException e) {
      throw new FailedWorkException(
          name + " did not answer: " + Links.reason(e), "INFO replication", "let the user ask", e);
    }
  }

  private StatefulRedisConnection<byte[], byte[]> master(Topology of) {
    int master = of.master();
    if (master < 0) {
      throw new FailedWorkException(
          "no node says that it is the master: " + roles.problems(),
          nodes.toString(),
          "start one, or wait for the end of the fail-over");
    }
    return connections.get(master);
  }

  /**
   * Waits until there is a master, and all other nodes are linked replicas.
   *
   * @throws FailedWorkException if it does not happen in time
   * @throws BadRequestException if a Redis Cluster's masters have unequal numbers of replicas
   */
  public void awaitAllLinked(Duration deadline) {
    if (cluster) {
      awaitCluster(deadline);
      return;
    }
    BooleanSupplier linked =
        () -> {
          look();
          return topology.master() >= 0 && topology.replicas().size() == nodes.size() - 1;
        };
    if (!poll(linked, deadline)) {
      throw new FailedWorkException(
          "there is no master with " + (nodes.size() - 1) + " linked replicas: " + describe(),
          nodes.toString(),
          "start the nodes, and give a master and its replicas, all of them");
    }
  }

  private void awaitCluster(Duration deadline) {
    AtomicInteger looks = new AtomicInteger();
    List<Topology> seen = new ArrayList<>();
    BooleanSupplier linked =
        () -> {
          // The first answer may be lost, or that of a node that has not heard of all others yet.
          int look = looks.getAndIncrement();
          if (look % LOOKS_AN_ASK == 0) {
            askForSlots(look / LOOKS_AN_ASK);
          }
          look();
          Collection<Topology> now = groups.values();
          seen.clear();
          seen.addAll(now);
          return slots.isComplete()
              && now.stream().allMatch(group -> group.master() >= 0)
              && now.stream().mapToInt(group -> 1 + group.followers()).sum() == nodes.size();
        };
    if (!poll(linked, deadline)) {
      throw new FailedWorkException(
          "not all slots have a master, or not all replicas are linked: " + describe(),
          nodes.toString(),
          "start the nodes, and look at CLUSTER INFO; the user needs +cluster|slots and +readonly");
    }
    replicas = equalSize(seen, nodes);
  }

  /**
   * How many nodes each group has. Levels are the same for all keys, and so must this be.
   *
   * @throws BadRequestException naming the groups if they are not equal
   */
  static int equalSize(Collection<Topology> groups, List<RedisNode> nodes) {
    if (groups.stream().map(Topology::size).distinct().count() > 1) {
      List<String> words = new ArrayList<>();
      for (Topology group : groups) {
        List<String> followers =
            group.replicas().stream().map(replica -> nodes.get(replica).name()).toList();
        words.add(nodes.get(group.master()).name() + " has " + followers);
      }
      throw new BadRequestException(
          "the masters of the Redis Cluster have unequal numbers of replicas: "
              + String.join(", ", words),
          "nodes",
          "give each as many: move one by CLUSTER REPLICATE, or add one and set"
              + " cluster-allow-replica-migration no");
    }
    return groups.stream().mapToInt(Topology::size).findFirst().orElse(1);
  }

  /** Looks until it is so, or the time is up. */
  static boolean poll(BooleanSupplier check, Duration deadline) {
    long begun = System.nanoTime();
    while (!check.getAsBoolean()) {
      if (System.nanoTime() - begun >= deadline.toNanos()
          || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  private String describe() {
    List<String> words = new ArrayList<>();
    for (NodeView view : roles.view()) {
      words.add(view.node() + " " + view.role() + (view.word().linkUp() ? "" : " without a link"));
    }
    words.addAll(roles.problems());
    slots.strangers().forEach(stranger -> words.add("slots are with the unknown " + stranger));
    return String.join(", ", words);
  }

  @Override
  public void close() {
    roles.close();
    CompletableFuture<?>[] closing =
        connections.stream()
            .map(StatefulRedisConnection::closeAsync)
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(closing).get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // the client's end closes what is left
    }
    links.close();
  }
}
