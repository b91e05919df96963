package org.calando.local.hbase;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.local.process.Tethered;

/** The command lines of a local cluster's servers. */
final class HBaseCommand {
  private static final String ZOOKEEPER = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer";

  /** What HBase reaches for inside the JDK; without it the log is written by slower means. */
  private static final List<String> OPENED =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true");

  private final LocalHBaseConfig config;
  private final HBaseFiles files;
  private final List<Path> jars;

  HBaseCommand(LocalHBaseConfig config, HBaseFiles files, List<Path> jars) {
    this.config = config;
    this.files = files;
    this.jars = jars;
  }

  /** A server's command line. */
  List<String> of(String name, Path tether) {
    return switch (name) {
      case HBaseFiles.ZOOKEEPER ->
          java(name, 64, tether, List.of(ZOOKEEPER, files.zookeeperFile().toString()));
      case HBaseFiles.MASTER ->
          java(name, config.masterHeapMebibytes(), tether, List.of(MASTER, "start"));
      default -> regionServer(name, tether);
    };
  }

  /**
   * Rows that were written stay in memory, so all that are in the young generation are copied when
   * it is full, while the server stands still: a third of 384 MB was 60 to 370 ms. A small one is
   * full more often, and copies as much in all, in pauses of 10 to 60 ms.
   */
  private List<String> regionServer(String name, Path tether) {
    List<String> command =
        java(name, config.nodeHeapMebibytes(), tether, List.of(REGION_SERVER, "start"));
    command.add(1, "-Xmn" + Math.max(16, config.nodeHeapMebibytes() / 16) + "m");
    return command;
  }

  private List<String> java(String name, int heapMebibytes, Path tether, List<String> main) {
    List<String> command = new ArrayList<>();
    command.add(config.javaHome().resolve("bin/java").toString());
    command.add("-Xmx" + heapMebibytes + "m");
    command.add("-Xss256k");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+ExitOnOutOfMemoryError");
    // No file in /tmp/hsperfdata_USER, which kill -9 would leave behind.
    command.add("-XX:+PerfDisableSharedMem");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Djava.io.tmpdir=" + files.folder(name).resolve("tmp"));
    command.addAll(OPENED);
    command.add("-cp");
    Stream<Path> path = Stream.concat(Stream.of(files.configuration(name)), jars.stream());
    command.add(
        Stream.concat(path, Stream.of(tether))
            .map(Path::toString)
            .collect(Collectors.joining(":")));
    if (config.stateFolder().isEmpty()) {
      command.add(Tethered.class.getName());
    }
    command.addAll(main);
    return command;
  }
}
