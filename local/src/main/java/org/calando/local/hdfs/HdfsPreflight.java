package org.calando.local.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.local.EngineLibs;
import org.calando.local.process.FreePorts;
import org.calando.local.process.Memory;
import org.calando.local.process.Ports;
import org.calando.local.process.RunState;

/** What is checked and chosen before the first server of a cluster is started. */
final class HdfsPreflight {
  /** Resident memory of a server beyond its heap. */
  private static final long OVERHEAD_MEBIBYTES = 110;

  private HdfsPreflight() {}

  /** Refuses what cannot work; nothing is changed. */
  static void check(LocalHdfsConfig config) {
    var unused = jars(config);
    checkFiles(config);
    Memory.require(
        neededBytes(config), Memory.availableBytes(), "take fewer nodes, or end other programs");
    if (config.basePort() != 0) {
      Ports.requireFree(
          ports(config).stream()
              .map(port -> new Ports.Endpoint(LocalHdfsConfig.ADDRESS, port, "hdfs"))
              .toList(),
          "end the programs that hold them (a cluster of Calando's: calando local stop hdfs), or"
              + " choose another port");
    }
  }

  static long neededBytes(LocalHdfsConfig config) {
    long name = config.nameNodeHeapMebibytes() + OVERHEAD_MEBIBYTES;
    long data = config.nodes() * (config.dataNodeHeapMebibytes() + OVERHEAD_MEBIBYTES);
    return (name + data) << 20;
  }

  private static void checkFiles(LocalHdfsConfig config) {
    if (!Files.isExecutable(config.javaHome().resolve("bin/java"))) {
      throw new BadRequestException(
          "there is no Java", config.javaHome().resolve("bin/java").toString(), "install Java 17");
    }
    for (Path jar : config.nameNodeJars()) {
      if (!Files.isRegularFile(jar)) {
        throw new BadRequestException(
            "there is no such jar", jar.toString(), "name a jar for the NameNode's class path");
      }
    }
  }

  /** The servers' jars. */
  static List<Path> jars(LocalHdfsConfig config) {
    return config
        .libFolder()
        .map(lib -> EngineLibs.jarsIn(lib, LocalHdfs.ENGINE))
        .orElseGet(() -> EngineLibs.find().jars(LocalHdfs.ENGINE));
  }

  /** Refuses a state folder that holds anything, and storage folders that do. */
  static void requireUnused(LocalHdfsConfig config) {
    config.stateFolder().ifPresent(path -> RunState.requireUnused(path, LocalHdfs.ENGINE));
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
    int count = 2 + 3 * config.nodes();
    if (config.basePort() != 0) {
      return run(config.basePort(), count);
    }
    return FreePorts.inARow(LocalHdfsConfig.ADDRESS, count);
  }

  private static List<Integer> run(int first, int count) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ports.add(first + i);
    }
    return ports;
  }
}
