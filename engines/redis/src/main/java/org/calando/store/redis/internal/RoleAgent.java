package org.calando.store.redis.internal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleWatch;
import org.calando.core.time.DaemonThread;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.jspecify.annotations.Nullable;

/**
 * The thread that polls nodes and listens to Sentinels. All polls fall on the same ticks, so that
 * offsets of a master and its replicas are told at about the same time. Thread safe.
 */
public final class RoleAgent implements AutoCloseable {
  private static final long CLOSE_MILLIS = 5_000;

  private final RoleMonitorConfig config;
  private final LongSupplier clock;
  private final Consumer<RoleEvent> listener;
  private final Selector selector;
  private final Object lock = new Object();
  private final RoleWatch watch;
  private final Map<String, String> names = new HashMap<>();
  private final List<RoleEvent> events = new ArrayList<>();
  private final List<NodePoll> nodes = new ArrayList<>();
  private final List<SentinelPoll> sentinels = new ArrayList<>();
  private final Thread thread;
  private volatile boolean atOnce;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  private RoleAgent(
      RoleMonitorConfig config,
      LongSupplier clock,
      Consumer<RoleEvent> listener,
      Optional<TlsKeys> tls,
      Selector selector) {
    this.config = config;
    this.clock = clock;
    this.listener = listener;
    this.selector = selector;
    List<String> known = config.nodes().stream().map(RedisNode::name).toList();
    watch = new RoleWatch(known, clock.getAsLong(), RoleWatch.PROMISE_NANOS);
    for (RedisNode node : config.nodes()) {
      addName(node);
      nodes.add(new NodePoll(node, config, tls, names, watch, events));
    }
    for (RedisNode sentinel : config.sentinels()) {
      sentinels.add(new SentinelPoll(sentinel, config, tls, this::heard));
    }
    thread = DaemonThread.of("calando-redis-roles", this::run);
  }

  /** As {@link org.calando.store.redis.RoleMonitor#start}. */
  public static RoleAgent start(
      RoleMonitorConfig config, LongSupplier clock, Consumer<RoleEvent> listener) {
    Optional<TlsKeys> tls = config.tls().map(TlsKeys::read);
    try {
      RoleAgent agent = new RoleAgent(config, clock, listener, tls, Selector.open());
      agent.thread.start();
      return agent;
    } catch (IOException e) {
      throw new FailedWorkException(
          "no selector can be opened: " + e.getMessage(), "roles", "free file descriptors", e);
    }
  }

  /** Nodes are known by the name in the inventory and by the address that it stands for. */
  private void addName(RedisNode node) {
    names.put(node.address(), node.name());
    try {
      String address = InetAddress.getByName(node.host()).getHostAddress();
      names.put(address + ":" + node.port(), node.name());
    } catch (UnknownHostException e) {
      // the poll will say so
    }
  }

  private void run() {
    try {
      serve();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      // Nobody looks any more: every node may be the master.
      synchronized (lock) {
        config.nodes().forEach(node -> events.addAll(watch.silent(node.name(), clock.getAsLong())));
      }
      tell();
    } finally {
      synchronized (lock) {
        polled().forEach(Polled::close);
      }
    }
  }

  private void serve() throws IOException {
    long nextTick = clock.getAsLong();
    while (!closed) {
      long now = clock.getAsLong();
      if (atOnce || now - nextTick >= 0) {
        atOnce = false;
        nextTick = now + config.pollNanos();
        synchronized (lock) {
          polled().forEach(each -> each.tick(selector, now));
        }
        tell();
      }
      await(nextTick - now);
    }
  }

  private void await(long nanos) throws IOException {
    selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999)));
    long now = clock.getAsLong();
    synchronized (lock) {
      selector.selectedKeys().forEach(key -> ((Polled) key.attachment()).ready(now));
      selector.selectedKeys().clear();
    }
    tell();
  }

  private Stream<Polled> polled() {
    return Stream.concat(sentinels.stream(), nodes.stream());
  }

  /** On the thread, and under the lock. */
  private void heard(SentinelNotice notice) {
    notice
        .chosen()
        .map(address -> names.getOrDefault(address, address))
        .ifPresent(name -> events.addAll(watch.chosen(name, clock.getAsLong())));
    atOnce = true;
  }

  /** Outside the lock, so that a listener may ask for the view. */
  private void tell() {
    List<RoleEvent> told;
    synchronized (lock) {
      if (events.isEmpty()) {
        return;
      }
      told = List.copyOf(events);
      events.clear();
    }
    for (RoleEvent event : told) {
      try {
        listener.accept(event);
      } catch (RuntimeException e) {
        // The others are told all the same, and the nodes watched on.
        failure = e;
      }
    }
  }

  /** What is known of each node, by name. */
  public List<NodeView> view() {
    synchronized (lock) {
      return watch.view();
    }
  }

  /** What is wrong with nodes, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    Throwable failed = failure;
    if (failed != null) {
      problems.add("the watch of roles failed: " + failed);
    }
    synchronized (lock) {
      for (int i = 0; i < nodes.size(); i++) {
        String problem = nodes.get(i).problem();
        if (problem != null) {
          problems.add(config.nodes().get(i) + " " + problem);
        }
      }
    }
    return problems;
  }

  /** Asks all nodes now. */
  public void pollNow() {
    atOnce = true;
    selector.wakeup();
  }

  /** CPU time of the thread so far. */
  public long cpuNanos() {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // nothing more is asked of it
    }
  }
}
