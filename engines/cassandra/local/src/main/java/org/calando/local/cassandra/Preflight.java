package org.calando.local.cassandra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.local.EngineLibs;
import org.calando.local.process.JavaCommand;
import org.calando.local.process.Memory;
import org.calando.local.process.Ports;

/** What is checked before the first process of a cluster is started. */
final class Preflight {
  /** Resident memory of a node beyond its heap. */
  private static final long NODE_OVERHEAD_MEBIBYTES = 350;

  private static final long RELAY_MEBIBYTES = 100;

  /** Releases of Java that Cassandra 5.0 supports. */
  private static final Set<String> JAVA_RELEASES = Set.of("11", "17");

  private static final Pattern RELEASE = Pattern.compile("JAVA_VERSION=\"(\\d+)");

  private Preflight() {}

  /** Refuses what cannot work; nothing is changed. */
  static void check(LocalCassandraConfig config) {
    var unused = EngineLibs.find().server(LocalCassandra.ENGINE);
    checkJava(JavaCommand.javaHome());
    checkPrograms();
    Memory.require(
        neededBytes(config),
        Memory.availableBytes(),
        "take fewer nodes or a smaller heap, or end other programs ("
            + config.nodes()
            + " nodes of "
            + config.heapMebibytes()
            + " MiB heap and "
            + NODE_OVERHEAD_MEBIBYTES
            + " MiB beside it are reckoned with)");
    Ports.requireFree(
        endpoints(config),
        LocalCassandra.ENGINE,
        "take another loopback: --set store.local.loopback=127.9 (of ./calando local start: --set"
            + " loopback=127.9)");
  }

  static long neededBytes(LocalCassandraConfig config) {
    long nodes = config.nodes() * (config.heapMebibytes() + NODE_OVERHEAD_MEBIBYTES);
    return (nodes + (config.linkDelays().isPresent() ? RELAY_MEBIBYTES : 0)) << 20;
  }

  static List<Ports.Endpoint> endpoints(LocalCassandraConfig config) {
    List<Ports.Endpoint> endpoints = new ArrayList<>();
    for (int node = 1; node <= config.nodes(); node++) {
      String name = "n" + node;
      endpoints.add(new Ports.Endpoint(config.address(node), config.cqlPort(), name + " CQL"));
      endpoints.add(
          new Ports.Endpoint(config.address(node), config.storagePort(), name + " storage"));
      endpoints.add(new Ports.Endpoint("127.0.0.1", config.jmxPort(node), name + " JMX"));
      if (config.linkDelays().isPresent()) {
        endpoints.add(
            new Ports.Endpoint(config.peerAddress(node), config.storagePort(), name + " relay"));
      }
    }
    return endpoints;
  }

  private static void checkJava(Path home) {
    try {
      Matcher release = RELEASE.matcher(Files.readString(home.resolve("release")));
      if (release.find() && !JAVA_RELEASES.contains(release.group(1))) {
        throw new BadRequestException(
            "Cassandra 5.0 does not run on Java " + release.group(1),
            home.toString(),
            "run Calando with Java 17");
      }
    } catch (IOException e) {
      // a Java without a release file: the node will tell
    }
  }

  private static void checkPrograms() {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, "setsid"))) {
        return;
      }
    }
    throw new BadRequestException("setsid is not installed", "PATH", "apt-get install util-linux");
  }
}
