package org.calando.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.engine.Engines;
import org.calando.kept.LocalEngine;
import org.calando.studyfile.Golden;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code local start} writes beside a cluster's state, for clusters whose processes have
 * ended; and that state files are read as ever.
 */
@Tag(Golden.TAG)
class LocalInventoriesTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("basedir", ".")).resolve("src/test/golden/inventories");

  private static final String CASSANDRA =
      """
      "nodes": 3, "racks": 3, "replicationFactor": 3, "heapMebibytes": 256, "compiler": "C1",
      "block": "127.77", "cqlPort": 19042, "storagePort": 17000, "jmxPort": 17199,
      "javaHome": "/java", "startTimeoutNanos": 1000000000, "tokens": ["1", "2", "3"], "yaml": {}
      """;

  private static final String REDIS =
      """
      "nodes": 3, "basePort": 0, "startTimeoutNanos": 1000000000, "settings": {}, "ioThreads": 1,
      "binary": "valkey-server", "downAfterNanos": 1000000000
      """;

  private static final String HDFS =
      """
      "nodes": 3, "basePort": 0, "startTimeoutNanos": 1000000000, "settings": {}, "javaHome": "/java",
      "nameNodeHeapMebibytes": 256, "dataNodeHeapMebibytes": 128, "deadAfterNanos": 11000000000,
      "safeModeExtensionNanos": 0, "ports": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
      """;

  private static final String HBASE =
      """
      "nodes": 2, "basePort": 0, "startTimeoutNanos": 1000000000, "settings": {}, "javaHome": "/java",
      "dataNodes": 3, "masterHeapMebibytes": 256, "nodeHeapMebibytes": 256,
      "sessionTimeoutNanos": 10000000000, "ports": [12, 13, 14, 15, 16, 17, 18]
      """;

  private final Map<String, String> written = new TreeMap<>();

  @TempDir Path folder;

  @Test
  void everyLocalClusterIsWrittenAsEver() throws IOException {
    cassandra(
        "cassandra", "\"auth\": false, \"tls\": false, \"dataCentres\": [\"a\", \"a\", \"a\"]");
    cassandra(
        "cassandra-secured",
        "\"auth\": true, \"tls\": true, \"dataCentres\": [\"a\", \"b\", \"b\"]");
    redis(
        "redis",
        "\"sentinels\": 0, \"shards\": 0, \"auth\": false, \"tls\": false, \"ports\": [1, 2, 3]");
    redis(
        "redis-sentinels",
        "\"sentinels\": 1, \"shards\": 0, \"auth\": true, \"tls\": true, \"ports\": [1, 2, 3, 4]");
    redis(
        "redis-shards",
        "\"sentinels\": 0, \"shards\": 3, \"auth\": false, \"tls\": false, \"ports\": [1, 2, 3, 4, 5, 6]");
    hdfs();
    hbase();
    Golden.check(GOLDEN, written);
  }

  private void cassandra(String name, String rest) throws IOException {
    write(name, "cassandra", state(name, "cassandra", CASSANDRA + ", " + rest, "n1", "n2", "n3"));
  }

  private void redis(String name, String rest) throws IOException {
    write(name, "redis", state(name, "redis", REDIS + ", " + rest, "n1", "n2", "n3"));
  }

  private void hdfs() throws IOException {
    write("hdfs", "hdfs", state("hdfs", "hdfs", HDFS, "namenode", "n1", "n2", "n3"));
  }

  private void hbase() throws IOException {
    Path state = state("hbase", "hbase", HBASE, "zookeeper", "master", "n1", "n2");
    state("hbase/hdfs", "hdfs", HDFS, "namenode", "n1", "n2", "n3");
    write("hbase", "hbase", state);
  }

  /** Notes what stands beside a cluster; the file with its own name says how it is reached. */
  private void write(String name, String engine, Path state) {
    LocalEngine local = Engines.of(engine).local().orElseThrow();
    local
        .attach(state)
        .files()
        .forEach(
            (file, text) -> {
              String part = file.replace(".yaml", "");
              write(name, part.equals(engine) ? "reached" : part, text);
            });
  }

  /** Paths are those of the test's folder. */
  private void write(String name, String part, String text) {
    String stable = text.replace(folder.toString(), "STATE");
    written.put(name + "." + part + ".yaml", stable);
  }

  /** The folder of a cluster that was started and whose processes are no more. */
  private Path state(String name, String engine, String cluster, String... processes)
      throws IOException {
    int first = name.contains("/") ? 5001 : 4001;
    List<String> children = new ArrayList<>();
    for (String process : processes) {
      children.add(
          "{\"name\": \"%s\", \"pid\": %d, \"startTicks\": 1}"
              .formatted(process, first + children.size()));
    }
    Path state = Files.createDirectories(folder.resolve(name));
    Files.writeString(
        state.resolve("state.json"),
        """
        {"version": 1, "engine": "%s", "persistent": true, "owner": {"pid": 4000, "startTicks": 1},
         "children": %s, "cluster": {%s}}
        """
            .formatted(engine, children, cluster));
    return state;
  }
}
