package org.calando.engine.redis;

import java.util.Optional;
import org.calando.core.observe.ClientRequests;
import org.calando.engine.RoledServers;
import org.calando.engine.Target;
import org.calando.store.redis.RedisStoreConfig;

/** A Redis master and its replicas, or a Redis Cluster. */
public interface RedisTarget extends Target, ClientRequests.Source {
  /** How to connect. */
  RedisStoreConfig redis();

  @Override
  default <C> Optional<C> find(Class<C> capability) {
    return capability == RoledServers.class
        ? Optional.of(capability.cast(new RedisServers(redis())))
        : Target.super.find(capability);
  }

  @Override
  default ClientRequests requests() {
    return RedisRequests.start(redis());
  }
}
