package org.calando.local.cassandra;

import java.io.IOException;
import java.util.List;
import org.calando.local.EngineLibs;
import org.calando.local.process.JavaCommand;

/**
 * The command line of a node.
 *
 * <p>An archive of classes is used, and made for tests only: with C1 it saves 0.9 of 3.8
 * CPU-seconds a node and 1.7 of 7 s for three nodes, but costs 10 s and 55 MB to make, per JDK and
 * set of jars.
 */
final class NodeCommand {
  private static final String MAIN = "org.apache.cassandra.service.CassandraDaemon";

  /** Packages of the JDK that the server reaches into, as its own start script opens them. */
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/java.lang.ref",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.rmi/sun.rmi.transport",
          "java.rmi/sun.rmi.transport.tcp",
          "java.sql/java.sql",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.management/com.sun.management.internal");

  private NodeCommand() {}

  /** The command of the node whose files are there. */
  static List<String> of(LocalCassandraConfig config, NodeFiles files) throws IOException {
    JavaCommand command =
        new JavaCommand(files.folder(), config.heapMebibytes())
            .with("-Xms64m", "-Xss256k")
            .archived(EngineLibs.find().archive(LocalCassandra.ENGINE));
    if (config.compiler() == LocalCassandraConfig.Compiler.C1) {
      command.quick();
    }
    EXPORTS.forEach(name -> command.with("--add-exports=" + name + "=ALL-UNNAMED"));
    OPENS.forEach(name -> command.with("--add-opens=" + name + "=ALL-UNNAMED"));
    addProperties(command, config, files);
    return command.running(
        EngineLibs.find().server(LocalCassandra.ENGINE).stream(),
        config.stateFolder().isEmpty(),
        MAIN);
  }

  private static void addProperties(
      JavaCommand command, LocalCassandraConfig config, NodeFiles files) {
    property(command, "jdk.attach.allowAttachSelf", "true");
    property(command, "jna.tmpdir", files.temporary().toString());
    property(command, "io.netty.native.workdir", files.temporary().toString());
    property(command, "logback.configurationFile", files.logback().toString());
    property(command, "cassandra.config", files.yaml().toUri().toString());
    property(command, "cassandra-rackdc.properties", files.rackProperties().toUri().toString());
    property(command, "cassandra.storagedir", files.folder().toString());
    property(command, "cassandra.logdir", files.folder().toString());
    property(command, "cassandra-foreground", "yes");
    property(command, "cassandra.jmx.local.port", Integer.toString(config.jmxPort(files.node())));
    // Shorter lets gossip flap: nodes are then declared dead while they start.
    property(command, "cassandra.ring_delay_ms", "5000");
    property(command, "cassandra.skip_wait_for_gossip_to_settle", "0");
    property(command, "cassandra.consistent.rangemovement", "false");
    property(command, "cassandra.superuser_setup_delay_ms", "0");
    property(command, "cassandra.shutdown_announce_in_ms", "0");
    // A constant in place of an estimate that costs CPU at every start.
    property(command, "cassandra.memtable.row_overhead_size", "181");
    if (config.auth()) {
      // On every node: users log in whichever is down.
      property(command, "cassandra.system_auth.default_rf", Integer.toString(config.nodes()));
    }
    // No writes of our own accord while measuring: size estimates are for analytics readers.
    property(command, "cassandra.size_recorder_interval", "0");
  }

  private static void property(JavaCommand command, String name, String value) {
    command.with("-D" + name + "=" + value);
  }
}
