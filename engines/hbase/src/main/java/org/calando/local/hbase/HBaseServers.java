package org.calando.local.hbase;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.process.TetherJar;

/** The processes of one local cluster: what each is started with. Thread safe. */
final class HBaseServers {
  private final LocalHBaseConfig config;
  private final HBaseFiles files;
  private final LocalHdfs hdfs;
  private final ProcessGroup group;

  HBaseServers(LocalHBaseConfig config, HBaseFiles files, LocalHdfs hdfs, ProcessGroup group) {
    this.config = config;
    this.files = files;
    this.hdfs = hdfs;
    this.group = group;
  }

  ProcessGroup group() {
    return group;
  }

  /** Starts a server; returns at once. */
  void start(String name) {
    var unused = group.launch(() -> spec(name));
  }

  /** All at first; those that run where a master begins again, as others may be off on purpose. */
  private int awaited() {
    int running =
        (int)
            IntStream.rangeClosed(1, config.nodes())
                .filter(node -> group.isRunning("n" + node))
                .count();
    return running == 0 ? config.nodes() : running;
  }

  private SupervisedProcess.Spec spec(String name) {
    Path folder = files.folder(name);
    try {
      if (name.equals(HBaseFiles.ZOOKEEPER)) {
        files.writeZookeeper();
      } else {
        files.write(name, HBaseSettings.of(config, files, hdfs, name, awaited()));
      }
      Path tether = TetherJar.writeInto(folder);
      List<String> command =
          new HBaseCommand(config, files, HBasePreflight.jars(config)).of(name, tether);
      boolean tethered = config.stateFolder().isEmpty();
      return new SupervisedProcess.Spec(name, command, folder, files.log(name), tethered);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the files of " + name + " cannot be written: " + e,
          folder.toString(),
          "free space there",
          e);
    }
  }
}
