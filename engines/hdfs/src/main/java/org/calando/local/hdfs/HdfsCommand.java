package org.calando.local.hdfs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.local.process.Tethered;

/** The command lines of a local cluster's servers. */
final class HdfsCommand {
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  private final LocalHdfsConfig config;
  private final HdfsFiles files;
  private final List<Path> jars;
  private final boolean tethered;

  HdfsCommand(LocalHdfsConfig config, HdfsFiles files, List<Path> jars) {
    this.config = config;
    this.files = files;
    this.jars = jars;
    this.tethered = config.stateFolder().isEmpty();
  }

  /** Makes an empty namespace and ends. */
  List<String> format(Path tether) {
    List<String> command = nameNode(tether);
    command.addAll(List.of("-format", "-clusterid", "calando", "-nonInteractive"));
    return command;
  }

  /** The NameNode. */
  List<String> nameNode(Path tether) {
    Stream<Path> own = Stream.concat(config.nameNodeJars().stream(), jars.stream());
    return java(HdfsFiles.NAME_NODE, config.nameNodeHeapMebibytes(), own, tether, NAME_NODE);
  }

  /** DataNode i, 1 to N. */
  List<String> dataNode(int node, Path tether) {
    return java("n" + node, config.dataNodeHeapMebibytes(), jars.stream(), tether, DATA_NODE);
  }

  private List<String> java(
      String name, int heapMebibytes, Stream<Path> own, Path tether, String main) {
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
    command.add("-cp");
    Stream<Path> path = Stream.concat(Stream.of(files.configuration(name)), own);
    command.add(
        Stream.concat(path, Stream.of(tether))
            .map(Path::toString)
            .collect(Collectors.joining(":")));
    if (tethered) {
      command.add(Tethered.class.getName());
    }
    command.add(main);
    return command;
  }
}
