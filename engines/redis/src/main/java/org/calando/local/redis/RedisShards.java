package org.calando.local.redis;

import java.io.IOException;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SupervisedProcess;

/*
 * What redis-cli --cluster create does: slots are dealt out in equal parts, every node is told to meet
 * all others by the first, and replicas are bound when they have heard of their masters. Node n1 to nS
 * are masters; n(S + k) follows n1 to nS in turn.
 */
/** Makes a Redis Cluster of nodes that run and know nothing yet. Used by one thread. */
final class RedisShards {
  private static final int SLOTS = 16_384;

  /**
   * How many nodes CLUSTER SLOTS has: a replica is there only when its offset has been heard of.
   */
  private static final String TOLD_NODES =
      "local n = 0 for _, range in ipairs(redis.call('CLUSTER', 'SLOTS')) do n = n + #range - 2 end"
          + " return n";

  private final LocalRedisConfig config;
  private final RedisFiles files;
  private final Supplier<RedisProbe> probe;

  RedisShards(LocalRedisConfig config, RedisFiles files, Supplier<RedisProbe> probe) {
    this.config = config;
    this.files = files;
    this.probe = probe;
  }

  /**
   * Makes it; returns when every node knows that all slots are served, and tells clients of all
   * nodes.
   *
   * @throws FailedWorkException if a node refuses, or it is not done in time
   */
  void make() {
    try {
      for (int master = 1; master <= config.shards(); master++) {
        int first = SLOTS * (master - 1) / config.shards();
        int last = SLOTS * master / config.shards() - 1;
        ask(master, "CLUSTER", "ADDSLOTSRANGE", String.valueOf(first), String.valueOf(last));
      }
      for (int node = 1; node <= config.nodes(); node++) {
        // Different ones, or two masters would have to agree on them first.
        ask(node, "CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(node));
      }
      for (int node = 2; node <= config.nodes(); node++) {
        ask(
            1,
            "CLUSTER",
            "MEET",
            LocalRedisConfig.ADDRESS,
            String.valueOf(files.nodePort(node)),
            String.valueOf(files.busPort(node)));
      }
      await("cluster_known_nodes", String.valueOf(config.nodes()));
      for (int node = config.shards() + 1; node <= config.nodes(); node++) {
        String master = ask((node - 1) % config.shards() + 1, "CLUSTER", "MYID");
        ask(node, "CLUSTER", "REPLICATE", master);
      }
      await("cluster_state", "ok");
      await(node -> String.valueOf(config.nodes()).equals(ask(node, "EVAL", TOLD_NODES, "0")));
    } catch (IOException e) {
      throw new FailedWorkException(
          "the nodes cannot be made a Redis Cluster: " + e.getMessage(),
          files.folder("n1").toString(),
          "take a server of version 7 or newer",
          e);
    }
  }

  private String ask(int node, String... words) throws IOException {
    return probe.get().ask(files.nodePort(node), words);
  }

  /** What a node is asked. */
  private interface Check {
    boolean holds(int node) throws IOException;
  }

  private void await(String field, String value) {
    await(node -> value.equals(RedisProbe.fields(ask(node, "CLUSTER", "INFO")).get(field)));
  }

  private void await(Check check) {
    boolean done = SupervisedProcess.poll(() -> allSay(check), config.startTimeout());
    if (!done) {
      throw new FailedWorkException(
          "the nodes are no Redis Cluster after " + config.startTimeout().toSeconds() + " s",
          files.folder("n1").toString(),
          "look into the servers' redis.log; on a slow machine allow more time");
    }
  }

  private boolean allSay(Check check) {
    for (int node = 1; node <= config.nodes(); node++) {
      try {
        if (!check.holds(node)) {
          return false;
        }
      } catch (IOException notNow) {
        return false;
      }
    }
    return true;
  }
}
