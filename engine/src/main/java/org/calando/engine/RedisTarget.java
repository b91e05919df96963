package org.calando.engine;

import org.calando.store.redis.RedisStoreConfig;

/** A Redis master and its replicas, or a Redis Cluster. */
public interface RedisTarget extends Target {
  /** How to connect. */
  RedisStoreConfig redis();
}
