package org.calando.engine.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.ClusterRequest;
import org.calando.engine.LoadBounds;
import org.calando.engine.LocalSpec;
import org.calando.engine.ServerControl;
import org.calando.engine.StartedTarget;
import org.calando.engine.StoreSpec;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;

/** A Redis master with its replicas on this machine that lives as long as the study. */
final class RedisLocalTarget extends StartedTarget implements RedisTarget {
  private final StoreSpec store;
  private final LocalRedis cluster;

  private RedisLocalTarget(ClusterRequest request, LocalRedis cluster) {
    super(request.power(), cluster);
    this.store = request.store();
    this.cluster = cluster;
  }

  static RedisLocalTarget start(ClusterRequest request) {
    return new RedisLocalTarget(request, LocalRedis.start(config(request.local()).build()));
  }

  /** The local cluster's configuration as the study's file, or the defaults, have it. */
  static LocalRedisConfig.Builder config(LocalSpec local) {
    RedisLocal redis = local.get(RedisLocal.class);
    LocalRedisConfig.Builder builder =
        LocalRedisConfig.builder()
            .nodes(local.nodes())
            .sentinels(redis.sentinels())
            .shards(redis.shards())
            .ioThreads(redis.ioThreads())
            .binary(redis.binary())
            .basePort(redis.port())
            .auth(local.auth())
            .tls(local.tls());
    redis.conf().forEach((name, value) -> builder.setting(name, String.valueOf(value)));
    return builder;
  }

  @Override
  public List<Node> nodes() {
    return cluster.nodes().stream()
        .map(node -> node(node.name(), node.address(), "", node.pid(), node.logFile()))
        .toList();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return RedisStore.connect(redis());
  }

  @Override
  public RedisStoreConfig redis() {
    RedisStoreConfig.Builder builder =
        RedisStoreConfig.builder()
            .prefix(store.keyspace())
            .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()))
            .cluster(cluster.config().shards() > 0)
            .masterName(LocalRedisConfig.MASTER_NAME);
    cluster.nodes().stream().map(RedisLocalTarget::server).forEach(builder::node);
    cluster.sentinels().stream().map(RedisLocalTarget::server).forEach(builder::sentinel);
    cluster
        .passwordFile()
        .map(file -> Credentials.withPasswordFile("", file))
        .ifPresent(one -> builder.credentials(one).sentinelCredentials(one));
    cluster.caFile().map(TlsSettings::trusting).ifPresent(builder::tls);
    return builder.build();
  }

  private static RedisNode server(LocalRedisNode node) {
    return new RedisNode(node.name(), node.address(), node.port());
  }

  /** {@inheritDoc} A master that was ended and has no successor comes back empty. */
  @Override
  public List<String> heal() {
    List<String> restarted = cluster.launchMissing(cluster.nodeNames());
    if (!restarted.isEmpty()) {
      cluster.awaitAllUp();
    }
    return restarted;
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.of(new ServerControl(cluster, "Redis nodes"));
  }
}
