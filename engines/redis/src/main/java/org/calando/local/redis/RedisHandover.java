package org.calando.local.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SupervisedProcess;

/*
 * FAILOVER swaps a master and one replica when that has all that was written: writes wait meanwhile.
 * The other replicas stay with the old master, one hop further from the new one: a WAIT there counts
 * one follower only, until somebody tells the others.
 */
/** Hands the mastership over, and has all follow the new master. Used by one thread. */
final class RedisHandover {
  private final LocalRedisConfig config;
  private final RedisFiles files;
  private final Supplier<RedisProbe> probe;

  RedisHandover(LocalRedisConfig config, RedisFiles files, Supplier<RedisProbe> probe) {
    this.config = config;
    this.files = files;
    this.probe = probe;
  }

  void to(int chosen) {
    try {
      // Before anybody is told to follow: of two masters one would lose what it has.
      int from = master();
      if (from != chosen) {
        swap(from, chosen);
      }
      for (int node = 1; node <= config.nodes(); node++) {
        if (node != chosen && !follows(node, chosen)) {
          ask(node, "REPLICAOF", LocalRedisConfig.ADDRESS, port(chosen));
        }
      }
      await("not followed by all", () -> followers(chosen) == others());
    } catch (IOException e) {
      throw new FailedWorkException(
          "the mastership was not handed over: " + e.getMessage(),
          "n" + chosen,
          "start all nodes, and look into their redis.log",
          e);
    }
  }

  private void swap(int from, int chosen) throws IOException {
    // A replica may call itself linked before the master does.
    await("not linked to n" + from, () -> isOnline(chosen, from));
    ask(from, "FAILOVER", "TO", LocalRedisConfig.ADDRESS, port(chosen));
    try {
      await("no master", () -> !with(chosen, "role", "master").isEmpty());
      await("still a master", () -> with(from, "role", "master").isEmpty());
    } catch (IOException late) {
      // It would go on for as long as it takes, and keep writes waiting.
      try {
        ask(from, "FAILOVER", "ABORT");
      } catch (IOException over) {
        late.addSuppressed(over);
      }
      throw late;
    }
  }

  private int others() {
    return config.nodes() - 1;
  }

  /** The only one. A node that does not answer might be another. */
  private int master() throws IOException {
    List<Integer> masters = new ArrayList<>();
    for (int node = 1; node <= config.nodes(); node++) {
      if (probe.get().info(files.nodePort(node), "replication").isEmpty()) {
        throw new IOException("n" + node + " does not answer");
      }
      masters.addAll(with(node, "role", "master"));
    }
    if (masters.size() != 1) {
      throw new IOException("there are " + masters.size() + " masters");
    }
    return masters.get(0);
  }

  /** The node itself if its word has such a field. */
  private List<Integer> with(int node, String field, String value) {
    return probe
        .get()
        .info(files.nodePort(node), "replication")
        .filter(info -> value.equals(info.get(field)))
        .map(info -> List.of(node))
        .orElse(List.of());
  }

  private boolean follows(int node, int chosen) {
    return !with(node, "master_port", port(chosen)).isEmpty();
  }

  private boolean isOnline(int replica, int master) {
    String word = "port=" + port(replica) + ",state=online";
    return probe
        .get()
        .info(files.nodePort(master), "replication")
        .map(info -> info.values().stream().anyMatch(value -> value.contains(word)))
        .orElse(false);
  }

  private long followers(int node) {
    Map<String, String> info =
        probe.get().info(files.nodePort(node), "replication").orElse(Map.of());
    return info.values().stream().filter(value -> value.contains("state=online")).count();
  }

  private void await(String what, java.util.function.BooleanSupplier check) throws IOException {
    if (!SupervisedProcess.poll(check, config.startTimeout())) {
      throw new IOException(what + " after " + config.startTimeout().toSeconds() + " s");
    }
  }

  private String port(int node) {
    return String.valueOf(files.nodePort(node));
  }

  private void ask(int node, String... words) throws IOException {
    String answer = probe.get().ask(files.nodePort(node), words);
    if (!answer.startsWith("OK")) {
      throw new IOException(words[0] + " is answered with '" + answer + "'");
    }
  }
}
