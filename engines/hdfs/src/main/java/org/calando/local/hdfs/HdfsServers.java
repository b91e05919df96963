package org.calando.local.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;
import org.calando.local.process.TetherJar;

/** The processes of one local cluster: what each is started with. Thread safe. */
final class HdfsServers {
  private static final String FORMAT = "format";

  private final LocalHdfsConfig config;
  private final HdfsFiles files;
  private final ProcessGroup group;

  HdfsServers(LocalHdfsConfig config, HdfsFiles files, ProcessGroup group) {
    this.config = config;
    this.files = files;
    this.group = group;
  }

  ProcessGroup group() {
    return group;
  }

  /** Makes an empty namespace, once, and returns when it is there. */
  void format(Duration timeout) {
    SupervisedProcess process =
        group.launch(
            () ->
                spec(
                    FORMAT,
                    HdfsFiles.NAME_NODE,
                    () -> {
                      files.writeHosts();
                      files.writeNameNode();
                    }));
    boolean ended = SupervisedProcess.poll(() -> !process.isAlive(), timeout);
    if (!ended || !Files.exists(files.nameFolder().resolve("current/VERSION"))) {
      throw process.failure(ended ? "made no namespace" : "takes too long");
    }
  }

  /** Starts the NameNode; returns at once. */
  void startNameNode() {
    var unused =
        group.launch(() -> spec(HdfsFiles.NAME_NODE, HdfsFiles.NAME_NODE, files::writeNameNode));
  }

  /** Starts DataNode i (1 to N); returns at once. */
  void startDataNode(int node) {
    String name = "n" + node;
    var unused = group.launch(() -> spec(name, name, () -> files.writeDataNode(node)));
  }

  /** Ends all at once and removes what they stored. */
  void discard() {
    group.discard();
    if (config.dataFolder().isPresent()) {
      IntStream.rangeClosed(1, config.nodes())
          .forEach(node -> RunFolder.removeTree(files.dataFolder(node)));
    }
  }

  private SupervisedProcess.Spec spec(String process, String server, Writing writing) {
    Path folder = files.folder(server);
    try {
      writing.write();
      Path tether = TetherJar.writeInto(folder);
      HdfsCommand commands = new HdfsCommand(config, files, HdfsPreflight.jars(config));
      List<String> command = command(commands, process, tether);
      boolean tethered = config.stateFolder().isEmpty();
      return new SupervisedProcess.Spec(process, command, folder, files.log(server), tethered);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the files of " + server + " cannot be written: " + e,
          folder.toString(),
          "free space there",
          e);
    }
  }

  private static List<String> command(HdfsCommand commands, String process, Path tether) {
    return switch (process) {
      case FORMAT -> commands.format(tether);
      case HdfsFiles.NAME_NODE -> commands.nameNode(tether);
      default -> commands.dataNode(Integer.parseInt(process.substring(1)), tether);
    };
  }

  /** Writes a server's files. */
  private interface Writing {
    void write() throws IOException;
  }
}
