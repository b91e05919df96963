package org.calando.engine.redis;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.store.redis.RoleMonitor;
import org.calando.store.redis.RoleMonitorConfig;

/** The roles of Redis or Valkey servers. Thread safe. */
public final class RedisRoles implements RoleSource {
  private final RoleMonitor monitor;

  private RedisRoles(RoleMonitor monitor) {
    this.monitor = monitor;
  }

  /**
   * What {@link PowerManager#start} begins its watch with.
   *
   * @param clock the manager's
   */
  public static Function<Consumer<RoleEvent>, RoleSource> watch(
      RoleMonitorConfig config, LongSupplier clock) {
    return listener -> new RedisRoles(RoleMonitor.start(config, clock, listener));
  }

  @Override
  public List<NodeView> view() {
    return monitor.view();
  }

  @Override
  public List<String> problems() {
    return monitor.problems();
  }

  @Override
  public long cpuNanos() {
    return monitor.cpuNanos();
  }

  @Override
  public void close() {
    monitor.close();
  }
}
