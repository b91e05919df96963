package org.calando.store.redis;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.calando.core.policy.clock.LagSpread;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.ServerCounts;
import org.calando.core.replication.ServerUse;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.internal.CountsReader;

/**
 * Looks for a while at how far replicas are behind their master, and at what all of them do
 * meanwhile. Changes nothing, and sends no load but questions. Not thread safe.
 */
public final class LagProbe implements AutoCloseable {
  /** More nodes than this are not looked for. */
  private static final int MOST_NODES = 100;

  private static final long SILENCE_NANOS = 1_000_000_000L;

  private final LongSupplier clock;
  private final Map<String, CountsReader> readers = new LinkedHashMap<>();
  private final Map<String, ServerCounts> before = new HashMap<>();
  private final Map<String, Looks> looks = new HashMap<>();
  private final RoleMonitor monitor;

  /** Lags of one node. */
  private static final class Looks {
    final List<OptionalLong> bytes = new ArrayList<>();
    final List<OptionalLong> nanos = new ArrayList<>();
    long lastNanos;
  }

  /**
   * What was seen of a node.
   *
   * @param node where it is
   * @param view how it was at the end
   * @param use what it did; empty if it was started again meanwhile
   * @param lagBytes how far it was behind; without looks for a master
   * @param lagNanos likewise, as age of the oldest byte that it had yet to apply
   */
  public record NodeLag(
      RedisNode node,
      NodeView view,
      Optional<ServerUse> use,
      LagSpread lagBytes,
      LagSpread lagNanos) {}

  private LagProbe(
      List<RedisNode> given,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long pollNanos,
      LongSupplier clock) {
    this.clock = clock;
    try {
      connect(given, credentials, tls);
      RoleMonitorConfig config =
          RoleMonitorConfig.of(readers.values().stream().map(CountsReader::node).toList());
      if (credentials.isPresent()) {
        config = config.withCredentials(credentials.get());
      }
      if (tls.isPresent()) {
        config = config.withTls(tls.get());
      }
      config = config.withTimes(pollNanos, config.slowPollNanos(), SILENCE_NANOS);
      monitor = RoleMonitor.start(config, clock, event -> {});
    } catch (RuntimeException e) {
      readers.values().forEach(CountsReader::close);
      throw e;
    }
  }

  /**
   * Connects to nodes, and to those that they follow or are followed by.
   *
   * @param nodes one or more of them
   * @param credentials of all nodes, if they ask for some
   * @param tls how connections are encrypted; empty: not at all
   * @param pollNanos between two questions for offsets, 1 ms or more
   * @param clock nanoseconds, of any origin
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  public static LagProbe open(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long pollNanos,
      LongSupplier clock) {
    return new LagProbe(nodes, credentials, tls, pollNanos, clock);
  }

  private void connect(
      List<RedisNode> given, Optional<Credentials> credentials, Optional<TlsSettings> tls) {
    List<RedisNode> todo = new ArrayList<>(given);
    Set<String> known = new HashSet<>();
    for (int i = 0; i < todo.size() && readers.size() < MOST_NODES; i++) {
      RedisNode node = asPeersDo(todo.get(i));
      if (!known.add(node.address())) {
        continue;
      }
      CountsReader reader = new CountsReader(node, credentials, tls, clock);
      // A node may be reached by several addresses.
      if (readers.putIfAbsent(reader.runId(), reader) == null) {
        todo.addAll(reader.neighbours());
      } else {
        reader.close();
      }
    }
  }

  /** By its number: servers tell the addresses of others so, unless they are told names. */
  private static RedisNode asPeersDo(RedisNode node) {
    try {
      String host = InetAddress.getByName(node.host()).getHostAddress();
      return new RedisNode(node.name(), host, node.port());
    } catch (UnknownHostException e) {
      return node;
    }
  }

  /** Begins to count. */
  public void begin() {
    for (CountsReader reader : readers.values()) {
      before.put(reader.node().name(), reader.counts());
      looks.put(reader.node().name(), new Looks());
    }
  }

  /** Notes how far replicas are behind, if they have answered since the last time. */
  public void look() {
    for (NodeView view : monitor.view()) {
      Looks of = looks.get(view.node());
      if (of != null && view.word().atNanos() != of.lastNanos && !view.mayBeMaster()) {
        of.lastNanos = view.word().atNanos();
        of.bytes.add(view.lagBytes());
        of.nanos.add(view.lagNanos());
      }
    }
  }

  /** What was seen since {@link #begin}, by node. */
  public List<NodeLag> end() {
    Map<String, NodeView> views = new HashMap<>();
    monitor.view().forEach(view -> views.put(view.node(), view));
    List<NodeLag> seen = new ArrayList<>();
    for (CountsReader reader : readers.values()) {
      String name = reader.node().name();
      ServerCounts begin = before.get(name);
      Looks of = looks.get(name);
      NodeView view = views.get(name);
      if (begin == null || of == null || view == null) {
        throw new IllegalStateException("not begun");
      }
      ServerCounts end = reader.counts();
      seen.add(
          new NodeLag(
              reader.node(),
              view,
              end.follows(begin) ? Optional.of(ServerUse.between(begin, end)) : Optional.empty(),
              LagSpread.of(of.bytes),
              LagSpread.of(of.nanos)));
    }
    return seen;
  }

  @Override
  public void close() {
    monitor.close();
    readers.values().forEach(CountsReader::close);
  }
}
