package org.calando.it.archives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.local.EngineLibs;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.JavaCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers read their classes from an archive that is made of what they have loaded. The archives
 * stay, as the servers of all other integration tests start with them: it spares a quarter of what
 * a start takes of a processor.
 */
class ServerArchivesIT {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;

  @AfterEach
  void listNoMore() {
    System.clearProperty(JavaCommand.LISTS);
  }

  @Test
  void nodesOfACassandra() throws Exception {
    list();
    startCassandra().close();
    archive(LocalCassandra.ENGINE);
    try (LocalCassandra cluster = startCassandra()) {
      assertReads(cluster.nodes().get(0).pid(), LocalCassandra.ENGINE);
    }
  }

  /** Those of the HDFS below it too. */
  @Test
  void serversOfAnHBase() throws Exception {
    list();
    startHBase().close();
    archive(LocalHdfs.ENGINE);
    archive(LocalHBase.ENGINE);
    try (LocalHBase cluster = startHBase()) {
      assertReads(cluster.nodes().get(0).pid(), LocalHBase.ENGINE);
      assertReads(cluster.hdfs().nodes().get(0).pid(), LocalHdfs.ENGINE);
    }
  }

  private static LocalCassandra startCassandra() {
    return LocalCassandra.start(
        LocalCassandraConfig.builder()
            .nodes(1)
            .replicationFactor(1)
            .block("127.82")
            .jmxPort(7970)
            .startTimeout(LONG)
            .build());
  }

  private static LocalHBase startHBase() {
    return LocalHBase.start(LocalHBaseConfig.builder().nodes(1).startTimeout(LONG).build());
  }

  private void list() {
    System.setProperty(JavaCommand.LISTS, folder.toString());
  }

  /** Makes it of what the servers of an engine have listed, whole or not at all. */
  private void archive(String engine) throws IOException, InterruptedException {
    System.clearProperty(JavaCommand.LISTS);
    Path archive = EngineLibs.find().archive(engine);
    Path made = archive.resolveSibling(archive.getFileName() + ".new");
    Set<String> classes = new TreeSet<>();
    try (Stream<Path> lists = Files.list(folder)) {
      for (Path each : lists.filter(list -> isOf(list, archive)).toList()) {
        classes.addAll(Files.readAllLines(each));
      }
    }
    Path list = Files.write(folder.resolve(engine + ".classes"), classes);
    Path log = folder.resolve(engine + ".log");
    List<String> command =
        List.of(
            JavaCommand.javaHome().resolve("bin/java").toString(),
            "-Xshare:dump",
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + made,
            "-cp",
            EngineLibs.find().server(engine).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
    Process dump =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(dump.waitFor()).as(Files.readString(log)).isZero();
    Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isOf(Path list, Path archive) {
    return list.getFileName().toString().startsWith(archive.getFileName() + "-");
  }

  private static void assertReads(long pid, String engine) throws IOException {
    assertThat(Files.readString(Path.of("/proc/" + pid + "/maps")))
        .contains(EngineLibs.find().archive(engine).toString());
  }
}
