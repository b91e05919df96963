package org.calando.engine.redis;

import java.util.Map;
import java.util.Optional;
import org.calando.engine.EngineSettings;
import org.calando.engine.StoreSpec;

/**
 * What only a user's own Redis has. Immutable and thread safe.
 *
 * @param sentinels who tells the master, beside the inventory
 * @param cluster whether it is a Redis Cluster, where each master has a part of the keys
 */
public record RedisSettings(Optional<SentinelSpec> sentinels, boolean cluster)
    implements EngineSettings {
  @Override
  public String engine() {
    return RedisEngine.ID;
  }

  @Override
  public Map<String, StoreSpec.Credentials> furtherCredentials() {
    return sentinels
        .flatMap(SentinelSpec::credentials)
        .map(found -> Map.of("Sentinels' password file", found))
        .orElse(Map.of());
  }
}
