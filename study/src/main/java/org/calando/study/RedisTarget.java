package org.calando.study;

import org.calando.store.redis.RedisStoreConfig;

/** A Redis master and its replicas, or a Redis Cluster. */
interface RedisTarget extends Target {
  /** How to connect. */
  RedisStoreConfig redis();
}
