package org.calando.local.hbase;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.calando.local.EngineLibs;
import org.calando.local.process.JavaCommand;

/** The command lines of a local cluster's servers. */
final class HBaseCommand {
  private static final String ZOOKEEPER = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.HRegionServer";
  private static final int ZOOKEEPER_MEBIBYTES = 64;

  /** What HBase reaches for inside the JDK; without it the log is written by slower means. */
  private static final String[] OPENED = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
    "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
    "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true"
  };

  private HBaseCommand() {}

  /** A server's command line. */
  static List<String> of(LocalHBaseConfig config, HBaseFiles files, String server)
      throws IOException {
    return new JavaCommand(files.folder(server), heapMebibytes(config, server))
        .quick()
        .with("-Xss256k", "-Djava.net.preferIPv4Stack=true")
        .with(OPENED)
        .with(young(config, server))
        .archived(EngineLibs.find().archive(LocalHBase.ENGINE))
        .running(
            // Jars first, for their archive; none has a configuration of its own.
            Stream.concat(HBasePreflight.jars().stream(), Stream.of(files.configuration(server))),
            config.stateFolder().isEmpty(),
            main(server),
            server.equals(HBaseFiles.ZOOKEEPER) ? files.zookeeperFile().toString() : "start");
  }

  private static String main(String server) {
    return switch (server) {
      case HBaseFiles.ZOOKEEPER -> ZOOKEEPER;
      case HBaseFiles.MASTER -> MASTER;
      default -> REGION_SERVER;
    };
  }

  private static int heapMebibytes(LocalHBaseConfig config, String server) {
    return switch (server) {
      case HBaseFiles.ZOOKEEPER -> ZOOKEEPER_MEBIBYTES;
      case HBaseFiles.MASTER -> config.masterHeapMebibytes();
      default -> config.nodeHeapMebibytes();
    };
  }

  /**
   * Rows that were written stay in memory, so all that are in the young generation are copied when
   * it is full, while the server stands still: a third of 384 MB was 60 to 370 ms. A small one is
   * full more often, and copies as much in all, in pauses of 10 to 60 ms.
   */
  private static String[] young(LocalHBaseConfig config, String server) {
    return server.startsWith("n")
        ? new String[] {"-Xmn" + Math.max(16, config.nodeHeapMebibytes() / 16) + "m"}
        : new String[0];
  }
}
