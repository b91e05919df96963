package org.calando.local.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.local.process.HadoopXml;

/** The files of a local cluster's servers, and where they listen. Immutable and thread safe. */
final class HBaseFiles {
  static final String ZOOKEEPER = "zookeeper";
  static final String MASTER = "master";

  /** Ports that are not a RegionServer's. */
  static final int OWN_PORTS = 3;

  private static final String LOGGING =
      """
      status = warn
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %p %c{1}: %m%n
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      logger.native.name = org.apache.hadoop.util.NativeCodeLoader
      logger.native.level = error
      # A line for each session that ends, and each request for a page.
      logger.zookeeper.name = org.apache.zookeeper
      logger.zookeeper.level = warn
      logger.requests.name = http.requests
      logger.requests.level = warn
      """;

  private final List<Integer> ports;
  private final Path runFolder;

  /**
   * Names the files; nothing is written yet.
   *
   * @param ports of ZooKeeper, of the master (calls, pages), then of each RegionServer
   */
  HBaseFiles(List<Integer> ports, Path runFolder) {
    this.ports = List.copyOf(ports);
    this.runFolder = runFolder;
  }

  Path folder(String name) {
    return runFolder.resolve(name);
  }

  Path log(String name) {
    return folder(name).resolve("hbase.log");
  }

  /** The folder with a server's configuration; last on its class path. */
  Path configuration(String name) {
    return folder(name).resolve("conf");
  }

  /** ZooKeeper's own settings. */
  Path zookeeperFile() {
    return configuration(ZOOKEEPER).resolve("zoo.cfg");
  }

  int zookeeperPort() {
    return ports.get(0);
  }

  int masterPort() {
    return ports.get(1);
  }

  int masterPagePort() {
    return ports.get(2);
  }

  int nodePort(int node) {
    return ports.get(OWN_PORTS + node - 1);
  }

  /** Where a server takes calls. */
  int port(String name) {
    return switch (name) {
      case ZOOKEEPER -> zookeeperPort();
      case MASTER -> masterPort();
      default -> nodePort(Integer.parseInt(name.substring(1)));
    };
  }

  /** Writes what ZooKeeper needs. What it has stored stays. */
  void writeZookeeper() throws IOException {
    write(ZOOKEEPER, Map.of());
    Path data = folder(ZOOKEEPER).resolve("data");
    Files.createDirectories(data);
    Files.writeString(
        zookeeperFile(),
        """
        tickTime=1000
        minSessionTimeout=2000
        maxSessionTimeout=90000
        dataDir=%s
        clientPort=%d
        clientPortAddress=%s
        maxClientCnxns=0
        admin.enableServer=false
        """
            .formatted(data, zookeeperPort(), LocalHBaseConfig.ADDRESS));
  }

  /**
   * Writes what the master or a RegionServer needs. The master wants its pages' folders on the
   * class path; empty ones will do.
   */
  void write(String name, Map<String, String> settings) throws IOException {
    Path conf = configuration(name);
    Files.createDirectories(folder(name).resolve("tmp"));
    Files.createDirectories(conf.resolve("hbase-webapps/master"));
    Files.createDirectories(conf.resolve("hbase-webapps/static"));
    Files.writeString(conf.resolve("log4j2.properties"), LOGGING);
    Files.writeString(conf.resolve("hbase-site.xml"), HadoopXml.of(settings));
  }
}
