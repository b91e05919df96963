package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.calando.local.process.HadoopXml;

/** The files of a local cluster's servers, and where they listen. */
final class HdfsFiles {
  static final String NAME_NODE = "namenode";

  private static final String LOGGING =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
      # There are no native libraries, and every page that is asked for is a line otherwise.
      log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
      log4j.logger.http.requests=WARN
      """;

  /** How old the counters may be that a server shows, in seconds; 10 if nobody says. */
  private static final String COUNTERS = "*.period=1\n";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LocalHdfsConfig config;
  private final List<Integer> ports;
  private final Path runFolder;

  /**
   * Names the files; nothing is written yet.
   *
   * @param ports of the NameNode, then of each DataNode
   */
  HdfsFiles(LocalHdfsConfig config, List<Integer> ports, Path runFolder) {
    this.config = config;
    this.ports = List.copyOf(ports);
    this.runFolder = runFolder;
  }

  Path folder(String name) {
    return runFolder.resolve(name);
  }

  Path log(String name) {
    return folder(name).resolve("hdfs.log");
  }

  /** The folder with a server's configuration; last on its class path. */
  Path configuration(String name) {
    return folder(name).resolve("conf");
  }

  Path hostsFile() {
    return runFolder.resolve("hosts.json");
  }

  Path nameFolder() {
    return folder(NAME_NODE).resolve("name");
  }

  Path dataFolder(int node) {
    return config
        .dataFolder()
        .map(base -> base.resolve("n" + node))
        .orElseGet(() -> folder("n" + node).resolve("data"));
  }

  int nameNodePort() {
    return ports.get(0);
  }

  int nameNodeHttpPort() {
    return ports.get(1);
  }

  int transferPort(String node) {
    return transferPort(Integer.parseInt(node.substring(1)));
  }

  int transferPort(int node) {
    return ports.get(3 * node - 1);
  }

  int ipcPort(int node) {
    return ports.get(3 * node);
  }

  int httpPort(int node) {
    return ports.get(3 * node + 1);
  }

  /** Writes the hosts file, with all nodes in service, unless it is there: users change it. */
  void writeHosts() throws IOException {
    if (Files.exists(hostsFile())) {
      return;
    }
    ArrayNode hosts = JSON.createArrayNode();
    for (int node = 1; node <= config.nodes(); node++) {
      hosts
          .addObject()
          .put("hostName", LocalHdfsConfig.ADDRESS)
          .put("port", transferPort(node))
          .put("adminState", "NORMAL");
    }
    Path temporary = runFolder.resolve("hosts.json.new");
    Files.write(temporary, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(hosts));
    Files.move(
        temporary,
        hostsFile(),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes a server's files. */
  void write(String server) throws IOException {
    if (server.equals(NAME_NODE)) {
      write(server, HdfsSettings.nameNode(config, this));
    } else {
      int node = Integer.parseInt(server.substring(1));
      Files.createDirectories(dataFolder(node));
      write(server, HdfsSettings.dataNode(config, this, node));
    }
  }

  /** The servers want their pages' folders on the class path; empty ones will do. */
  private void write(String name, Map<String, String> settings) throws IOException {
    Path conf = configuration(name);
    Files.createDirectories(folder(name).resolve("tmp"));
    Files.createDirectories(conf.resolve("webapps/hdfs"));
    Files.createDirectories(conf.resolve("webapps/datanode"));
    Files.writeString(conf.resolve("log4j.properties"), LOGGING);
    Files.writeString(conf.resolve("hadoop-metrics2.properties"), COUNTERS);
    Files.writeString(conf.resolve("core-site.xml"), HadoopXml.of(Map.of()));
    Files.writeString(conf.resolve("hdfs-site.xml"), HadoopXml.of(settings));
  }
}
