package org.calando.local.hbase;

import java.nio.file.Path;
import java.util.List;
import org.calando.local.EngineLibs;
import org.calando.local.ServersPreflight;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.process.Memory;
import org.calando.local.process.RunState;

/** What is checked and chosen before the first server of a cluster is started. */
final class HBasePreflight {
  /** Resident memory of a server beyond its heap: code, threads and direct buffers. */
  private static final long OVERHEAD_MEBIBYTES = 180;

  /** What the NameNode and each DataNode take. */
  private static final long NAME_NODE_MEBIBYTES = 300;

  private static final long DATA_NODE_MEBIBYTES = 206;

  private HBasePreflight() {}

  /** Refuses what cannot work; nothing is changed. */
  static void check(LocalHBaseConfig config) {
    ServersPreflight.requireFree(
        config, portCount(config), LocalHBase.ENGINE, "--set port=N of ./calando local start");
    var unused = jars();
    LocalHdfs.check(hdfs(config).build());
    Memory.require(
        neededBytes(config), Memory.availableBytes(), "take fewer nodes, or end other programs");
  }

  static long neededBytes(LocalHBaseConfig config) {
    long own =
        64
            + OVERHEAD_MEBIBYTES
            + config.masterHeapMebibytes()
            + OVERHEAD_MEBIBYTES
            + config.nodes() * (config.nodeHeapMebibytes() + OVERHEAD_MEBIBYTES);
    long hdfs = NAME_NODE_MEBIBYTES + config.dataNodes() * DATA_NODE_MEBIBYTES;
    return (own + hdfs) << 20;
  }

  /** The servers' jars. */
  static List<Path> jars() {
    return EngineLibs.find().server(LocalHBase.ENGINE);
  }

  /** Refuses a state folder that holds anything; servers that are powered down can be resumed. */
  static void requireUnused(LocalHBaseConfig config) {
    config
        .stateFolder()
        .ifPresent(path -> RunState.requireUnused(path, LocalHBase.ENGINE, keeping(path)));
  }

  private static String keeping(Path folder) {
    boolean poweredDown =
        RunState.isPoweredDown(folder) || RunState.isPoweredDown(folder.resolve(LocalHBase.HDFS));
    return poweredDown
        ? "./calando idle up --local resumes its servers that are powered down, with their data; "
        : "";
  }

  /** Ports of ZooKeeper, of the master (calls, pages), then of each RegionServer. */
  static List<Integer> ports(LocalHBaseConfig config) {
    return ServersPreflight.ports(config, portCount(config));
  }

  private static int portCount(LocalHBaseConfig config) {
    return HBaseFiles.OWN_PORTS + config.nodes();
  }

  /** The file system below. */
  static LocalHdfsConfig.Builder hdfs(LocalHBaseConfig config) {
    LocalHdfsConfig.Builder builder =
        LocalHdfsConfig.builder().nodes(config.dataNodes()).startTimeout(config.startTimeout());
    config.stateFolder().ifPresent(path -> builder.stateFolder(path.resolve(LocalHBase.HDFS)));
    return builder;
  }
}
