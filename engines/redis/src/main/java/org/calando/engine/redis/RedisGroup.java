package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.engine.InventorySpec;
import org.calando.engine.RoledServers;
import org.calando.engine.ServerGroup;
import org.calando.engine.StoreSpec;
import org.calando.engine.TlsSpec;

/**
 * A user's own Redis or Valkey master and its replicas. Immutable and thread safe.
 *
 * @param servers the master and all replicas
 * @param sentinels who tells the master, if somebody does
 * @param credentials of the nodes, where they ask for some
 * @param tls how connections are encrypted; empty: not at all
 */
public record RedisGroup(
    InventorySpec servers,
    Optional<SentinelSpec> sentinels,
    Optional<StoreSpec.Credentials> credentials,
    Optional<TlsSpec> tls)
    implements ServerGroup {
  @Override
  public String engine() {
    return RedisEngine.ID;
  }

  @Override
  public RoledServers open(Path base) {
    return new RedisServers(new RedisAccess(base).config(this));
  }
}
