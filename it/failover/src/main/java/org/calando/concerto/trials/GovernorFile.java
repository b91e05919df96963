package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;

/** A governor's file of one cluster with agents, right or wrong. Used by one thread. */
final class GovernorFile {
  private final Path path;
  private final String text;

  /**
   * Writes it.
   *
   * @param cpu the processor of a node, whose index counts from 0
   * @param agent the port at which the agent of its machine is reached
   * @param more of other clusters
   */
  GovernorFile(
      Path path, LocalRedis cluster, IntUnaryOperator cpu, IntUnaryOperator agent, String more) {
    this.path = path;
    this.text = text(cluster, cpu, agent) + more + "listen: 127.0.0.1:0\n";
    write();
  }

  private static String text(LocalRedis cluster, IntUnaryOperator cpu, IntUnaryOperator agent) {
    List<LocalRedisNode> nodes = cluster.nodes();
    return """
    clusters:
      - name: shop
        engine: redis
        control: [{clock: concerto}]
        period: 1s
        clocks: {cpus: {%s}, lower-after: 300ms, caught-up-after: 500ms, decide: 200ms}
    %s    inventory:
          nodes:
    %s"""
        .formatted(
            nodes.stream()
                .map(each -> each.name() + ": \"" + cpu.applyAsInt(each.index() - 1) + "\"")
                .collect(Collectors.joining(", ")),
            sentinels(cluster),
            nodes.stream()
                .map(each -> node(each, agent.applyAsInt(each.index() - 1)))
                .collect(Collectors.joining()));
  }

  private static String node(LocalRedisNode node, int agent) {
    return "        - {name: %s, address: 127.0.0.1, port: %d, agent: \"http://127.0.0.1:%d\"}%n"
        .formatted(node.name(), node.port(), agent);
  }

  private static String sentinels(LocalRedis cluster) {
    List<String> sentinels =
        cluster.sentinels().stream().map(each -> "\"127.0.0.1:" + each.port() + "\"").toList();
    return sentinels.isEmpty()
        ? ""
        : "    sentinels: %s%n    master-name: %s%n"
            .formatted(sentinels, LocalRedisConfig.MASTER_NAME);
  }

  Path path() {
    return path;
  }

  /** Writes it as it is to be. */
  void write() {
    write(text);
  }

  /** Has it wrong, in one of five ways. */
  void damage(int way) {
    write(
        switch (way) {
          case 0 -> text.substring(0, text.indexOf("agent:"));
          case 1 -> text.replace("concerto", "harmony");
          case 2 -> text.replace("n3:", "n4:");
          case 3 -> "";
          default -> text.replace("decide: 200ms", "decide: never");
        });
  }

  private void write(String what) {
    try {
      Files.writeString(path, what, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
