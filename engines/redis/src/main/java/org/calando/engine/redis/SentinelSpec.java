package org.calando.engine.redis;

import java.util.List;
import java.util.Optional;
import org.calando.engine.StoreSpec;
import org.calando.store.redis.RedisNode;

/**
 * Who tells which node is the master. Immutable and thread safe.
 *
 * @param sentinels where they are, 1 or more
 * @param masterName the name under which they know the master
 * @param credentials of the Sentinels themselves, where they ask for some
 */
public record SentinelSpec(
    List<RedisNode> sentinels, String masterName, Optional<StoreSpec.Credentials> credentials) {
  /** Copies the list. */
  public SentinelSpec {
    sentinels = List.copyOf(sentinels);
  }
}
