package org.calando.engine.redis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.engine.EngineSettings;

/**
 * What only a local Redis has. Immutable and thread safe.
 *
 * @param sentinels Sentinels beside the nodes: 0, 1, 3, 5 or 7
 * @param shards masters of a Redis Cluster; 0 for one master without
 * @param ioThreads the servers' io-threads, 1 for none beside the main thread
 * @param binary the server's program: a path, or a name to be found in PATH
 * @param port port of the first node, the others follow; 0 for any that are free
 * @param conf further settings of each node's redis.conf
 */
public record RedisLocal(
    int sentinels, int shards, int ioThreads, String binary, int port, Map<String, Object> conf)
    implements EngineSettings {
  /** Copies the settings. */
  public RedisLocal {
    conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
  }

  @Override
  public String engine() {
    return RedisEngine.ID;
  }

  /** On how many of so many nodes a key is. */
  int copies(int nodes) {
    return shards == 0 ? nodes : nodes / shards;
  }
}
