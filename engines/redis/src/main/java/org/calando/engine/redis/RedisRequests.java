package org.calando.engine.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.calando.core.observe.ClientRequests;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.ServerCounts;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RoleMonitor;
import org.calando.store.redis.RoleMonitorConfig;

/*
 * A replica counts the commands that it applies for its master as if clients had sent them, so its writes are nobody's.
 * Where it is not known what a node was throughout, or its role has changed, its counts begin another life.
 */
/**
 * What clients ask of Redis or Valkey servers, by {@code INFO commandstats}: commands that read or
 * change data; those of scripts and transactions each by itself. Thread safe.
 */
final class RedisRequests implements ClientRequests, CountsMonitor.Listener {
  private static final long PERIOD_NANOS = Duration.ofMillis(250).toNanos();

  private final Map<String, Known> known = new HashMap<>();
  private final RoleMonitor roles;
  private final CountsMonitor counts;

  /** Of a server. */
  private record Known(Role role, long life, long writesBefore, ServerCounts last) {
    Known at(ServerCounts now) {
      return new Known(role, life, writesBefore, now);
    }

    Count count() {
      return new Count(
          life,
          last.atNanos(),
          last.reads(),
          role == Role.MASTER ? last.writes() - writesBefore : 0);
    }
  }

  private RedisRequests(RedisStoreConfig config) {
    RoleMonitorConfig usual = RoleMonitorConfig.of(config);
    roles =
        RoleMonitor.start(
            usual.withTimes(PERIOD_NANOS, usual.slowPollNanos(), 8 * PERIOD_NANOS),
            System::nanoTime,
            event -> {});
    try {
      counts =
          CountsMonitor.start(
              config.nodes(),
              config.credentials(),
              config.tls(),
              PERIOD_NANOS,
              System::nanoTime,
              this);
    } catch (RuntimeException | Error e) {
      roles.close();
      throw e;
    }
  }

  /** Begins to ask; returns at once. */
  static RedisRequests start(RedisStoreConfig config) {
    return new RedisRequests(config);
  }

  @Override
  public void counted(String node, ServerCounts now) {
    Role role =
        roles.view().stream()
            .filter(view -> view.node().equals(node))
            .findFirst()
            .map(NodeView::role)
            .orElse(Role.UNKNOWN);
    synchronized (known) {
      if (role == Role.UNKNOWN) {
        known.remove(node);
        return;
      }
      Known fresh = new Known(role, now.atNanos(), now.writes(), now);
      var unused =
          known.merge(node, fresh, (before, next) -> before.role() == role ? before.at(now) : next);
    }
  }

  @Override
  public void lost(String node) {
    synchronized (known) {
      known.remove(node);
    }
  }

  @Override
  public CompletionStage<Counts> ask() {
    Map<String, Count> last = new HashMap<>();
    synchronized (known) {
      known.forEach((node, each) -> last.put(node, each.count()));
    }
    return CompletableFuture.completedFuture(Counts.of(last));
  }

  @Override
  public List<String> problems() {
    return Stream.concat(roles.problems().stream(), counts.problems().stream())
        .filter(problem -> !problem.contains("its CPU time is not known"))
        .distinct()
        .toList();
  }

  @Override
  public void close() {
    counts.close();
    roles.close();
  }
}
