package org.calando.engine.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSpec;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;

/** A Redis of the user's own. */
final class RedisInventory extends InventoryTarget implements RedisTarget {
  private final Path base;

  /**
   * A user's Redis.
   *
   * @param base folder that relative paths of passwords, keys and certificates are relative to
   */
  RedisInventory(StoreSpec store, NodeProfile profile, Path base) {
    super(store, profile);
    this.base = base;
  }

  @Override
  public RedisStoreConfig redis() {
    RedisSettings own =
        spec().find(RedisSettings.class).orElse(new RedisSettings(Optional.empty(), false));
    RedisStoreConfig.Builder builder =
        RedisStoreConfig.builder()
            .prefix(spec().keyspace())
            .cluster(own.cluster())
            .requestTimeout(Duration.ofNanos(spec().requestTimeoutNanos()));
    for (InventorySpec.Node node : inventory().nodes()) {
      builder.node(new RedisNode(node.name(), node.address(), node.port()));
    }
    spec().credentials().map(given -> given.read(base)).ifPresent(builder::credentials);
    spec().tls().map(tls -> tls.below(base)).ifPresent(builder::tls);
    own.sentinels()
        .ifPresent(
            given -> {
              given.sentinels().forEach(builder::sentinel);
              builder.masterName(given.masterName());
              given
                  .credentials()
                  .map(secret -> secret.read(base))
                  .ifPresent(builder::sentinelCredentials);
            });
    return builder.build();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return connect();
  }

  private RedisStore connect() {
    return checked(RedisStore.connect(redis()), this::requireAsListed);
  }

  /** A Redis Cluster tells its nodes itself. */
  private void requireAsListed(RedisStore connected) {
    Set<String> listed = new HashSet<>();
    inventory().nodes().forEach(node -> listed.add(node.name()));
    Set<String> there = new TreeSet<>();
    connected.nodes().forEach(node -> there.add(node.name()));
    if (!there.equals(listed)) {
      throw new BadRequestException(
          "the nodes of the Redis Cluster are " + there + ", those listed " + new TreeSet<>(listed),
          "inventory",
          "list all nodes of it, and no others");
    }
    if (connected.replicationFactor() != spec().replicationFactor()) {
      throw new BadRequestException(
          "is not the number of nodes that a key is on: that is " + connected.replicationFactor(),
          "store.rf",
          "write rf: " + connected.replicationFactor());
    }
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return List.of(
        Finding.of(
            "cluster",
            () -> {
              try (RedisStore connected = connect()) {
                return connected.engine()
                    + ", a master and "
                    + (connected.replicationFactor() - 1)
                    + " linked replicas";
              }
            }));
  }
}
