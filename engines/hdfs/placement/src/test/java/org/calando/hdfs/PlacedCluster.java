package org.calando.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;

/** A real NameNode with the placement's jar, seven DataNodes, and a gear file. */
final class PlacedCluster implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(90);
  static final int BLOCK_SIZE = 1 << 16;

  private static final ObjectMapper JSON = new ObjectMapper();

  final LocalHdfs cluster;
  final DistributedFileSystem store;
  final Path log;
  private final Path gearFile;
  private final List<String> addresses;

  PlacedCluster(Path folder) throws IOException {
    gearFile = folder.resolve("gears.json");
    log = folder.resolve("offload.log");
    cluster =
        LocalHdfs.start(
            LocalHdfsConfig.builder()
                .nodes(7)
                .nameNodeJar(jar())
                .setting("dfs.block.replicator.classname", "org.calando.hdfs.GearPlacementPolicy")
                .setting("calando.gear.file", gearFile.toString())
                .build());
    addresses = cluster.nodes().stream().map(LocalHdfsNode::transferAddress).toList();
    store = open();
  }

  /** The only jar in target/lib. */
  private static Path jar() throws IOException {
    Path home = Path.of(System.getProperty("calando.home", "../.."));
    try (var files = Files.list(home.resolve("engines/hdfs/placement/target/lib"))) {
      return files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
    }
  }

  private DistributedFileSystem open() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    conf.set("dfs.client.use.datanode.hostname", "false");
    conf.set("dfs.client.read.shortcircuit", "false");
    conf.set("dfs.blocksize", String.valueOf(BLOCK_SIZE));
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return (DistributedFileSystem) FileSystem.get(URI.create(cluster.uri()), conf);
  }

  GearFile shift(GearLayout layout, int gear, String folder) throws IOException {
    GearFile file =
        new GearFile(
            layout,
            addresses,
            gear,
            GearFile.Offload.RANDOM,
            folder,
            Optional.of(log.toString()),
            1);
    writeGearFile(JSON.writeValueAsString(file.toMap()));
    Awaitility.await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              JsonNode bean = bean("Calando:type=GearPlacement");
              if (bean.path("Gear").asInt() != gear
                  || !bean.path("Layout").asText().equals(layout.name())) {
                throw new AssertionError(bean.toString());
              }
            });
    return file;
  }

  void writeGearFile(String text) throws IOException {
    Path temporary = gearFile.resolveSibling("new.json");
    Files.writeString(temporary, text);
    Files.move(temporary, gearFile, StandardCopyOption.ATOMIC_MOVE);
  }

  JsonNode bean(String name) throws IOException {
    try (InputStream in =
        URI.create("http://" + cluster.nameNodeHttp() + "/jmx?qry=" + name).toURL().openStream()) {
      return JSON.readTree(in).path("beans").path(0);
    }
  }

  /** Waits until the client, too, knows that the NameNode is another process. */
  void awaitAnswer() {
    Awaitility.await()
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> store.exists(new org.apache.hadoop.fs.Path("/")));
  }

  /** Puts nodes from here to the last one into maintenance, or back into service. */
  void maintain(int first, boolean isMaintained) throws IOException {
    JsonNode hosts = JSON.readTree(cluster.hostsFile().toFile());
    for (int i = first; i <= hosts.size(); i++) {
      ObjectNode host = (ObjectNode) hosts.path(i - 1);
      host.put("adminState", isMaintained ? "IN_MAINTENANCE" : "NORMAL");
      if (isMaintained) {
        host.put("maintenanceExpireTimeInMS", Long.MAX_VALUE);
      } else {
        host.remove("maintenanceExpireTimeInMS");
      }
    }
    Files.writeString(cluster.hostsFile(), JSON.writeValueAsString(hosts));
    store.refreshNodes();
    String wanted = isMaintained ? "In Maintenance" : "In Service";
    Awaitility.await()
        .atMost(LONG)
        .until(
            () ->
                cluster.status().stream()
                    .skip(first - 1L)
                    .allMatch(node -> node.adminState().equals(wanted)));
  }

  void write(String path, int blocks, int replication) throws IOException {
    byte[] content = content(path, blocks);
    try (OutputStream out =
        store.create(
            new org.apache.hadoop.fs.Path(path), true, 4096, (short) replication, BLOCK_SIZE)) {
      out.write(content);
    }
  }

  boolean isIntact(String path, int blocks) throws IOException {
    try (InputStream in = store.open(new org.apache.hadoop.fs.Path(path))) {
      return Arrays.equals(in.readAllBytes(), content(path, blocks));
    }
  }

  private static byte[] content(String path, int blocks) {
    byte[] content = new byte[blocks * BLOCK_SIZE];
    new Random(path.hashCode()).nextBytes(content);
    return content;
  }

  /** The nodes of each block of a file, as the NameNode knows them. */
  List<List<Integer>> nodes(String path) throws IOException {
    List<List<Integer>> nodes = new ArrayList<>();
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    for (BlockLocation block : store.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      TreeSet<Integer> holders = new TreeSet<>();
      for (String name : block.getNames()) {
        holders.add(1 + addresses.indexOf(name));
      }
      nodes.add(List.copyOf(holders));
    }
    return nodes;
  }

  OffloadRecord.Log records() throws IOException {
    return OffloadRecord.read(
        Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "");
  }

  @Override
  public void close() throws IOException {
    store.close();
    cluster.close();
  }
}
