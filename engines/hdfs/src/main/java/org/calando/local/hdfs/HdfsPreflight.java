package org.calando.local.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.local.EngineLibs;
import org.calando.local.ServersPreflight;
import org.calando.local.process.Memory;

/** What is checked and chosen before the first server of a cluster is started. */
final class HdfsPreflight {
  /** Resident memory of a server beyond its heap. */
  private static final long OVERHEAD_MEBIBYTES = 110;

  private HdfsPreflight() {}

  /** Refuses what cannot work; nothing is changed. */
  static void check(LocalHdfsConfig config) {
    ServersPreflight.requireFree(
        config, portCount(config), LocalHdfs.ENGINE, "--set port=N of ./calando local start");
    checkFiles(config);
    var unused = jars();
    Memory.require(
        neededBytes(config), Memory.availableBytes(), "take fewer nodes, or end other programs");
  }

  static long neededBytes(LocalHdfsConfig config) {
    long name = config.nameNodeHeapMebibytes() + OVERHEAD_MEBIBYTES;
    long data = config.nodes() * (config.dataNodeHeapMebibytes() + OVERHEAD_MEBIBYTES);
    return (name + data) << 20;
  }

  private static void checkFiles(LocalHdfsConfig config) {
    for (Path jar : config.nameNodeJars()) {
      if (!Files.isRegularFile(jar)) {
        throw new BadRequestException(
            "there is no such jar", jar.toString(), "name a jar for the NameNode's class path");
      }
    }
  }

  /** The servers' jars. */
  static List<Path> jars() {
    return EngineLibs.find().server(LocalHdfs.ENGINE);
  }

  /** Refuses a state folder that holds anything, and storage folders that do. */
  static void requireUnused(LocalHdfsConfig config) {
    ServersPreflight.requireUnused(config, LocalHdfs.ENGINE);
    config
        .dataFolder()
        .ifPresent(
            base ->
                IntStream.rangeClosed(1, config.nodes())
                    .mapToObj(node -> base.resolve("n" + node))
                    .filter(folder -> !isEmpty(folder))
                    .findFirst()
                    .ifPresent(HdfsPreflight::refuse));
  }

  private static void refuse(Path folder) {
    throw new BadRequestException(
        "the storage folder of a new DataNode is not empty",
        folder.toString(),
        "name another data-dir, or remove what is there");
  }

  private static boolean isEmpty(Path folder) {
    if (!Files.exists(folder)) {
      return true;
    }
    try (var files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }

  /** Ports of the NameNode (calls, HTTP), then three of each DataNode (transfer, calls, HTTP). */
  static List<Integer> ports(LocalHdfsConfig config) {
    return ServersPreflight.ports(config, portCount(config));
  }

  private static int portCount(LocalHdfsConfig config) {
    return 2 + 3 * config.nodes();
  }
}
