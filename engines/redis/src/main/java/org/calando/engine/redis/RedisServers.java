package org.calando.engine.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.core.replication.WorkSource;
import org.calando.engine.RoledServers;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.ServerBuild;

/**
 * The servers of a Redis or Valkey. Immutable and thread safe.
 *
 * @param config how they are reached
 */
record RedisServers(RedisStoreConfig config) implements RoledServers {
  @Override
  public void requireKnown() {
    RedisStore.requireKnown(config);
  }

  @Override
  public Map<String, String> builds() {
    return each(ServerBuild::describe);
  }

  @Override
  public Map<String, List<String>> offloadRefusals(int processors) {
    return each(server -> IoThreads.refusals(server, processors));
  }

  private <T> Map<String, T> each(Function<ServerBuild, T> answer) {
    Map<String, T> answers = new LinkedHashMap<>();
    for (RedisNode node : config.nodes()) {
      ServerBuild server = ServerBuild.of(node, config.credentials(), config.tls());
      answers.put(node.name(), answer.apply(server));
    }
    return answers;
  }

  @Override
  public Function<Consumer<RoleEvent>, RoleSource> roles(
      long pollNanos, long silenceNanos, LongSupplier clock) {
    RoleMonitorConfig usual = RoleMonitorConfig.of(config);
    return RedisRoles.watch(usual.withTimes(pollNanos, usual.slowPollNanos(), silenceNanos), clock);
  }

  @Override
  public WorkSource work(ToLongFunction<String> kiloHertz, LongSupplier clock) {
    return RedisWork.start(
        config.nodes(),
        config.credentials(),
        config.tls(),
        RedisWork.USUAL_NANOS,
        kiloHertz,
        clock);
  }
}
