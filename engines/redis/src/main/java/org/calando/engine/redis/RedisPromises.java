package org.calando.engine.redis;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigure.Kind;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.time.DaemonThread;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RoleMonitor;
import org.calando.store.redis.RoleMonitorConfig;

/**
 * What Redis or Valkey servers report of promises to their clients: roles, lags of replicas ten
 * times a second, and counts of commands; writes nothing. Thread safe.
 */
final class RedisPromises implements PromiseFigures {
  private static final String LAGS = "lags of replicas by replication offsets";
  private static final String ROLES = "roles of the servers";
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** So many looks show one in a hundred. */
  private static final int LOOKS = 100;

  /** More than a figure stands for: those since the last question are of it. */
  private static final int MOST_LOOKS = 600;

  /** Of replicas that are later it is known that they are so late at least. */
  private static final double BOUND_SECONDS = 20;

  private final ClientUse clients;
  private final RoleMonitor roles;
  private final RedisRequests requests;
  private final Deque<OptionalLong> lags = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private Map<String, Count> before = Map.of();
  private int looksSince;

  private RedisPromises(RedisStoreConfig config, ClientUse clients) {
    this.clients = clients;
    RoleMonitorConfig usual = RoleMonitorConfig.of(config);
    roles =
        RoleMonitor.start(
            usual.withTimes(POLL_NANOS, usual.slowPollNanos(), SILENCE_NANOS),
            System::nanoTime,
            event -> {});
    try {
      requests = RedisRequests.start(config);
    } catch (RuntimeException | Error e) {
      roles.close();
      throw e;
    }
  }

  /** Begins to ask; returns at once. */
  static RedisPromises start(RedisStoreConfig config, ClientUse clients) {
    RedisPromises started = new RedisPromises(config, clients);
    var unused = DaemonThread.start("calando-redis-lags", started::look);
    return started;
  }

  /** Whether a promise can be measured. */
  static Means means(Promised promise) {
    return switch (promise) {
      case STALE, FRESH -> Means.by(LAGS);
      case COPIES, SURVIVE -> Means.by(ROLES);
      case READ_P99 ->
          Means.none(
              "servers know neither the network nor their own queue: remove it from the promise");
    };
  }

  private void look() {
    try {
      while (!closed.await(POLL_NANOS, TimeUnit.NANOSECONDS)) {
        OptionalLong lag = lag(roles.view());
        synchronized (this) {
          lags.addLast(lag);
          looksSince++;
          while (lags.size() > Math.min(MOST_LOOKS, Math.max(LOOKS, looksSince))) {
            lags.removeFirst();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The greatest lag of a replica; empty if one is not known, or there is none. A node that does
   * not answer may still answer clients, with what it had.
   */
  static OptionalLong lag(List<NodeView> views) {
    List<NodeView> replicas = views.stream().filter(view -> view.role() != Role.MASTER).toList();
    boolean known = replicas.stream().allMatch(view -> view.lagNanos().isPresent());
    return known
        ? replicas.stream().mapToLong(view -> view.lagNanos().orElseThrow()).max()
        : OptionalLong.empty();
  }

  @Override
  public CompletionStage<Map<Promised, PromiseFigure>> ask() {
    return requests.ask().thenApply(counts -> figures(counts.nodes()));
  }

  private synchronized Map<Promised, PromiseFigure> figures(Map<String, Count> now) {
    Map<String, Count> from = before;
    before = now;
    List<NodeView> views = roles.view();
    Map<Promised, PromiseFigure> figures = new EnumMap<>(Promised.class);
    Optional<RedisCopies> copies = RedisCopies.of(views.stream().map(NodeView::word).toList());
    copies.ifPresent(
        found -> {
          figures.put(Promised.COPIES, nodes(found.low(), found.high()));
          figures.put(Promised.SURVIVE, nodes(found.low() - 1, found.high() - 1));
        });
    looksSince = 0;
    if (lags.size() >= LOOKS && lags.stream().allMatch(OptionalLong::isPresent)) {
      double[] seconds = lags.stream().mapToDouble(lag -> lag.orElseThrow() / 1e9).toArray();
      figures.put(Promised.FRESH, fresh(seconds));
      RedisReads.of(views, from, now)
          .map(reads -> reads.stale(clients, seconds))
          .ifPresent(figure -> figures.put(Promised.STALE, figure));
    }
    return figures;
  }

  private static PromiseFigure nodes(int low, int high) {
    return new PromiseFigure(low, high, Double.NaN, Kind.MEASURED, ROLES);
  }

  /** By nearest rank. */
  static PromiseFigure fresh(double[] seconds) {
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    double p99 = sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
    double high = isBound(p99) ? Double.POSITIVE_INFINITY : p99;
    return new PromiseFigure(p99, high, Double.NaN, Kind.MEASURED, LAGS);
  }

  /** Whether a replica is late by so much at least, and nobody knows by how much. */
  static boolean isBound(double lagSeconds) {
    return lagSeconds >= BOUND_SECONDS;
  }

  @Override
  public List<String> problems() {
    return roles.problems().stream()
        .filter(problem -> !problem.contains("its CPU time is not known"))
        .toList();
  }

  @Override
  public void close() {
    closed.countDown();
    requests.close();
    roles.close();
  }
}
