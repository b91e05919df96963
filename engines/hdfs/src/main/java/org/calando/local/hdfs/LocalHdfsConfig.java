package org.calando.local.hdfs;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.local.ServersConfig;
import org.jspecify.annotations.Nullable;

/** What a local HDFS cluster looks like. Immutable and thread safe. */
public final class LocalHdfsConfig extends ServersConfig {
  /** Most DataNodes. */
  public static final int MAX_NODES = 9;

  /**
   * A DataNode that is silent for less cannot be declared dead: ten heartbeats of 1 s and a check.
   */
  static final Duration SHORTEST_DEAD_AFTER = Duration.ofSeconds(11);

  /** What Calando sets itself: where servers listen and keep their files. */
  private static final Set<String> OURS =
      Set.of(
          "fs.defaultFS",
          "dfs.namenode.rpc-address",
          "dfs.namenode.http-address",
          "dfs.namenode.name.dir",
          "dfs.namenode.edits.dir",
          "dfs.hosts",
          "dfs.namenode.hosts.provider.classname",
          "dfs.datanode.address",
          "dfs.datanode.ipc.address",
          "dfs.datanode.http.address",
          "dfs.datanode.hostname",
          "dfs.datanode.data.dir",
          "hadoop.tmp.dir");

  private final int nameNodeHeapMebibytes;
  private final int dataNodeHeapMebibytes;
  private final Duration deadAfter;
  private final Duration safeModeExtension;
  private final List<Path> nameNodeJars;
  private final @Nullable Path dataFolder;

  private LocalHdfsConfig(Builder builder) {
    super(builder);
    nameNodeHeapMebibytes = builder.nameNodeHeapMebibytes;
    dataNodeHeapMebibytes = builder.dataNodeHeapMebibytes;
    deadAfter = builder.deadAfter;
    safeModeExtension = builder.safeModeExtension;
    nameNodeJars = List.copyOf(builder.nameNodeJars);
    dataFolder = builder.dataFolder;
  }

  /**
   * Three DataNodes, up within 2 minutes. Ports are two of the NameNode (calls, HTTP) and three of
   * each DataNode; settings are those of {@code hdfs-site.xml}.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Heap of the NameNode in MiB. */
  public int nameNodeHeapMebibytes() {
    return nameNodeHeapMebibytes;
  }

  /** Heap of each DataNode in MiB. */
  public int dataNodeHeapMebibytes() {
    return dataNodeHeapMebibytes;
  }

  /** How long a DataNode may be silent until the NameNode holds it for dead. */
  public Duration deadAfter() {
    return deadAfter;
  }

  /** How long a NameNode with blocks stays in safe mode after it has heard of nearly all. */
  public Duration safeModeExtension() {
    return safeModeExtension;
  }

  /** Jars behind the servers' in the NameNode's class path, such as a placement policy. */
  public List<Path> nameNodeJars() {
    return nameNodeJars;
  }

  /** Holds a storage folder per DataNode, n1 to nN; empty: in the run or state folder. */
  public Optional<Path> dataFolder() {
    return Optional.ofNullable(dataFolder);
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder extends ServersConfig.Builder<Builder> {
    private int nameNodeHeapMebibytes = 192;
    private int dataNodeHeapMebibytes = 96;
    private Duration deadAfter = Duration.ofSeconds(20);
    // Too short for all to report in, blocks of nodes that are only late are re-replicated.
    private Duration safeModeExtension = Duration.ofSeconds(5);
    private final List<Path> nameNodeJars = new ArrayList<>();
    private @Nullable Path dataFolder;

    private Builder() {
      super(3, Duration.ofMinutes(2));
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Default: 20 s; at least 11 s. */
    @CanIgnoreReturnValue
    public Builder deadAfter(Duration silence) {
      deadAfter = silence;
      return this;
    }

    /** Adds a jar to the NameNode's class path. Default: none. */
    @CanIgnoreReturnValue
    public Builder nameNodeJar(Path jar) {
      nameNodeJars.add(jar.toAbsolutePath());
      return this;
    }

    /** Default: in the run or state folder. What is in n1 to nN there is removed at the end. */
    @CanIgnoreReturnValue
    public Builder dataFolder(Path folder) {
      dataFolder = folder.toAbsolutePath();
      return this;
    }

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public LocalHdfsConfig build() {
      List<String> wrong = wrong(MAX_NODES, HADOOP_SETTING, OURS, "hdfs-site.xml");
      if (deadAfter.compareTo(SHORTEST_DEAD_AFTER) < 0) {
        wrong.add("dead-after " + deadAfter.toSeconds() + " s is below 11 s");
      }
      refuse(wrong, LocalHdfs.ENGINE, "see docs/hdfs.md for what is possible");
      return new LocalHdfsConfig(this);
    }
  }
}
