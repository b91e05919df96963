package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engine;
import org.calando.engine.EngineSchema;
import org.calando.engine.Feature;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.kept.LocalEngine;
import org.calando.local.redis.LocalRedis;

/** Redis or Valkey. */
public final class RedisEngine implements Engine {
  /** Its id. */
  static final String ID = "redis";

  private static final EngineSchema SCHEMA = new RedisSchema();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Redis";
  }

  @Override
  public String note() {
    return "is Valkey too";
  }

  @Override
  public List<String> later() {
    return List.of("valkey");
  }

  @Override
  public int place() {
    return 20;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LOCAL,
        Feature.INVENTORY,
        Feature.GOVERNED,
        Feature.REPLICATION_FACTOR,
        Feature.USERS,
        Feature.TLS,
        Feature.READ_FROM,
        Feature.REQUEST_COUNTS,
        Feature.CLOCKS_BY_ROLE,
        Feature.NODE_EVENTS);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  @Override
  public String needs() {
    return "program, ports and memory";
  }

  @Override
  public Target start(ClusterRequest request) {
    return RedisLocalTarget.start(request);
  }

  @Override
  public void requireStartable(ClusterRequest request) {
    LocalRedis.check(RedisLocalTarget.config(request.local()).build());
  }

  @Override
  public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    return new RedisInventory(store, profile, base);
  }

  @Override
  public Optional<LocalEngine> local() {
    return Optional.of(new LocalRedisClusters());
  }
}
