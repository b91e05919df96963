package org.calando.concerto.trials;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.redis.LocalRedis;

/*
 * FAILOVER swaps a master and one replica when that has all that was written: writes wait meanwhile.
 * The other replicas stay with the old master, one hop further from the new one: a WAIT there counts
 * one follower only, until somebody tells the others.
 */
/** Hands the mastership over, and has all follow the new master. Used by one thread. */
final class RedisHandover {
  private static final int TIMEOUT_MILLIS = 2000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LOOPBACK = "127.0.0.1";

  private final LocalRedis cluster;

  private RedisHandover(LocalRedis cluster) {
    this.cluster = cluster;
  }

  /**
   * Makes a node the master by FAILOVER, without a loss; returns when all others follow it. Without
   * Redis Cluster, password and TLS; Sentinels would do the same later.
   *
   * @param chosen a replica (1 to N), or the master, which stays it
   * @throws FailedWorkException if a server refuses, or it is not done in time
   */
  static void to(LocalRedis cluster, int chosen) {
    try {
      new RedisHandover(cluster).to(chosen);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the mastership was not handed over: " + e.getMessage(),
          "n" + chosen,
          "start all nodes, and look into their redis.log",
          e);
    }
  }

  private void to(int chosen) throws IOException {
    // Before anybody is told to follow: of two masters one would lose what it has.
    int from = master();
    if (from != chosen) {
      swap(from, chosen);
    }
    for (int node = 1; node <= nodes(); node++) {
      if (node != chosen && !says(node, "master_port:" + port(chosen))) {
        ask(node, "REPLICAOF", LOOPBACK, port(chosen));
      }
    }
    await("not followed by all", () -> online(chosen, "") == nodes() - 1);
  }

  private void swap(int from, int chosen) throws IOException {
    // A replica may call itself linked before the master does.
    await("not linked to n" + from, () -> online(from, "port=" + port(chosen) + ",") > 0);
    ask(from, "FAILOVER", "TO", LOOPBACK, port(chosen));
    try {
      await("no master", () -> says(chosen, "role:master"));
      await("still a master", () -> says(from, "role:slave"));
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

  /** The only one. A node that does not answer might be another. */
  private int master() throws IOException {
    for (int node = 1; node <= nodes(); node++) {
      if (info(node).isEmpty()) {
        throw new IOException("n" + node + " does not answer");
      }
    }
    List<Integer> masters =
        IntStream.rangeClosed(1, nodes())
            .filter(node -> says(node, "role:master"))
            .boxed()
            .toList();
    if (masters.size() != 1) {
      throw new IOException("there are " + masters.size() + " masters");
    }
    return masters.get(0);
  }

  private boolean says(int node, String line) {
    return info(node).contains(line);
  }

  /** How many replicas a master has that hold all, of those whose line has a word. */
  private long online(int master, String word) {
    return info(master).stream()
        .filter(line -> line.contains(word) && line.contains("state=online"))
        .count();
  }

  /** What a node says of its replication, by line; empty if it does not answer. */
  private List<String> info(int node) {
    try {
      return ask(node, "INFO", "replication").lines().toList();
    } catch (IOException notNow) {
      return List.of();
    }
  }

  private void await(String what, BooleanSupplier check) throws IOException {
    if (!SupervisedProcess.poll(check, PATIENCE)) {
      throw new IOException(what + " after " + PATIENCE.toSeconds() + " s");
    }
  }

  private int nodes() {
    return cluster.nodes().size();
  }

  private String port(int node) {
    return String.valueOf(cluster.nodes().get(node - 1).port());
  }

  private String ask(int node, String... words) throws IOException {
    try (Resp link = new Resp(Integer.parseInt(port(node)), TIMEOUT_MILLIS)) {
      return link.ask(words).get(0);
    }
  }
}
