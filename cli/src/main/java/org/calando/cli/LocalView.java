package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.engine.redis.LocalRedisClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.redis.LocalRedis;
import org.calando.study.Progress;

/**
 * What a local cluster that runs on is shown as.
 *
 * @param engine its engine
 * @param group what nodes have one of each: {@code rack} or {@code role}
 * @param nodes the nodes
 * @param folder where its state is
 * @param passwordFile file with the password, if it asks for one
 * @param ca the CA of its certificates, with TLS
 * @param store what a study's file says to use it
 */
record LocalView(
    String engine,
    String group,
    List<Node> nodes,
    Path folder,
    Optional<Path> passwordFile,
    Optional<Path> ca,
    String store)
    implements LocalCommand.View {

  /**
   * A node.
   *
   * @param grouped its rack or its role
   * @param pid its process, or 0
   */
  record Node(
      String name,
      String address,
      int port,
      String grouped,
      long pid,
      boolean running,
      boolean up,
      Optional<Instant> started) {
    String state() {
      return up ? "up" : running ? "starting" : "down";
    }
  }

  static LocalView of(LocalCassandra cluster, Path folder) {
    List<Node> nodes =
        cluster.status().stream()
            .map(
                status ->
                    new Node(
                        status.node().name(),
                        status.node().address(),
                        status.node().cqlPort(),
                        status.node().rack(),
                        status.node().pid(),
                        status.running(),
                        status.up(),
                        status.started()))
            .toList();
    return new LocalView(
        LocalCassandra.ENGINE,
        "rack",
        nodes,
        folder,
        cluster.passwordFile(),
        cluster.caFile(),
        LocalClusters.store(cluster, folder.resolve("inventory.yaml")));
  }

  static LocalView of(LocalRedis cluster, Path folder) {
    List<Node> nodes =
        cluster.status().stream()
            .map(
                status ->
                    new Node(
                        status.node().name(),
                        status.node().address(),
                        status.node().port(),
                        role(status),
                        status.node().pid(),
                        status.running(),
                        status.up() && status.linkUp(),
                        status.started()))
            .toList();
    return new LocalView(
        LocalRedis.ENGINE,
        "role",
        nodes,
        folder,
        cluster.passwordFile(),
        cluster.caFile(),
        LocalRedisClusters.store(cluster, folder.resolve("inventory.yaml")));
  }

  private static String role(LocalRedis.NodeStatus status) {
    return switch (status.role()) {
      case "master" -> "master";
      case "slave" -> "replica";
      default -> "-";
    };
  }

  @Override
  public boolean up() {
    return nodes.stream().allMatch(Node::up);
  }

  @Override
  public Optional<String> lacking() {
    List<String> down = nodes.stream().filter(node -> !node.up()).map(Node::name).toList();
    return LocalCommand.lacking(down, LocalCommand.again(engine));
  }

  @Override
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("engine", engine);
    answer.put("inventory", folder.resolve("inventory.yaml").toString());
    answer.put("store", folder.resolve(LocalCommand.STORE).toString());
    passwordFile.ifPresent(file -> answer.put("password_file", file.toString()));
    ca.ifPresent(file -> answer.put("ca", file.toString()));
    for (Node node : nodes) {
      ObjectNode each = answer.withArray("nodes").addObject();
      each.put("node", node.name());
      each.put("address", node.address());
      each.put("port", node.port());
      each.put(group, node.grouped());
      each.put("pid", node.pid());
      each.put("state", node.state());
    }
    return answer;
  }

  @Override
  public void print() {
    System.out.printf(
        Locale.ROOT, "node  address:port          %-7s pid      state    uptime%n", group);
    for (Node node : nodes) {
      System.out.printf(
          Locale.ROOT,
          "%-5s %-21s %-7s %-8s %-8s %s%n",
          node.name(),
          node.address() + ":" + node.port(),
          node.grouped(),
          node.running() ? Long.toString(node.pid()) : "-",
          node.state(),
          node.started()
              .map(at -> Progress.spoken(Duration.between(at, Instant.now())))
              .orElse("-"));
    }
    System.out.println("Inventory: " + folder.resolve("inventory.yaml"));
    System.out.println("For a study's file (" + folder.resolve(LocalCommand.STORE) + "):");
    System.out.print(store.indent(2));
  }
}
