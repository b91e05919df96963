package org.calando.engine.redis;

import java.util.Optional;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.engine.RoledServers;
import org.calando.engine.Target;
import org.calando.store.redis.RedisStoreConfig;

/** A Redis master and its replicas, or a Redis Cluster. */
public interface RedisTarget extends Target, ClientRequests.Source, PromiseFigures.Source {
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

  @Override
  default PromiseFigures.Means means(Promised promise, ClientUse clients) {
    return RedisPromises.means(promise);
  }

  @Override
  default PromiseFigures figures(ClientUse clients) {
    return RedisPromises.start(redis(), clients);
  }
}
