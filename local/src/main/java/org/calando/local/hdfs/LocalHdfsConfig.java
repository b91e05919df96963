package org.calando.local.hdfs;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** What a local HDFS cluster looks like. Immutable and thread safe. */
public final class LocalHdfsConfig {
  /** Most DataNodes. */
  public static final int MAX_NODES = 9;

  /** All servers listen here. */
  public static final String ADDRESS = "127.0.0.1";

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

  private static final Pattern SETTING = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  private final int nodes;
  private final int basePort;
  private final int nameNodeHeapMebibytes;
  private final int dataNodeHeapMebibytes;
  private final Duration deadAfter;
  private final Duration safeModeExtension;
  private final Duration startTimeout;
  private final Map<String, String> settings;
  private final List<Path> nameNodeJars;
  private final Path javaHome;
  private final @Nullable Path dataFolder;
  private final @Nullable Path libFolder;
  private final @Nullable Path stateFolder;

  private LocalHdfsConfig(Builder builder) {
    nodes = builder.nodes;
    basePort = builder.basePort;
    nameNodeHeapMebibytes = builder.nameNodeHeapMebibytes;
    dataNodeHeapMebibytes = builder.dataNodeHeapMebibytes;
    deadAfter = builder.deadAfter;
    safeModeExtension = builder.safeModeExtension;
    startTimeout = builder.startTimeout;
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
    nameNodeJars = List.copyOf(builder.nameNodeJars);
    javaHome = builder.javaHome;
    dataFolder = builder.dataFolder;
    libFolder = builder.libFolder;
    stateFolder = builder.stateFolder;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** DataNodes. */
  public int nodes() {
    return nodes;
  }

  /** The NameNode's port; its HTTP port and three of each DataNode follow; 0: any free. */
  public int basePort() {
    return basePort;
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

  /** How long to wait for all to be up. */
  public Duration startTimeout() {
    return startTimeout;
  }

  /** Further settings of all servers, by name; they win over Calando's. */
  public Map<String, String> settings() {
    return settings;
  }

  /** Jars in front of the NameNode's own, such as a placement policy. */
  public List<Path> nameNodeJars() {
    return nameNodeJars;
  }

  /** The Java that runs the servers. */
  public Path javaHome() {
    return javaHome;
  }

  /** Holds a storage folder per DataNode, n1 to nN; empty: in the run or state folder. */
  public Optional<Path> dataFolder() {
    return Optional.ofNullable(dataFolder);
  }

  /** The servers' jars; empty: those that the build collected. */
  public Optional<Path> libFolder() {
    return Optional.ofNullable(libFolder);
  }

  /** The folder of a cluster that outlives its starter; empty for a temporary one. */
  public Optional<Path> stateFolder() {
    return Optional.ofNullable(stateFolder);
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private int nodes = 3;
    private int basePort;
    private int nameNodeHeapMebibytes = 192;
    private int dataNodeHeapMebibytes = 96;
    private Duration deadAfter = Duration.ofSeconds(20);
    private Duration safeModeExtension = Duration.ofSeconds(5);
    private Duration startTimeout = Duration.ofMinutes(2);
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<Path> nameNodeJars = new ArrayList<>();
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private @Nullable Path dataFolder;
    private @Nullable Path libFolder;
    private @Nullable Path stateFolder;

    private Builder() {}

    /** Default: 3. */
    @CanIgnoreReturnValue
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** Default: 0, any free. */
    @CanIgnoreReturnValue
    public Builder basePort(int port) {
      basePort = port;
      return this;
    }

    /** Default: 192. */
    @CanIgnoreReturnValue
    public Builder nameNodeHeapMebibytes(int mebibytes) {
      nameNodeHeapMebibytes = mebibytes;
      return this;
    }

    /** Default: 96. */
    @CanIgnoreReturnValue
    public Builder dataNodeHeapMebibytes(int mebibytes) {
      dataNodeHeapMebibytes = mebibytes;
      return this;
    }

    /** Default: 20 s; at least 11 s. */
    @CanIgnoreReturnValue
    public Builder deadAfter(Duration silence) {
      deadAfter = silence;
      return this;
    }

    /**
     * Default: 5 s. Too short for all to report in, the NameNode re-replicates blocks of nodes that
     * are only late.
     */
    @CanIgnoreReturnValue
    public Builder safeModeExtension(Duration extension) {
      safeModeExtension = extension;
      return this;
    }

    /** Default: 2 min. */
    @CanIgnoreReturnValue
    public Builder startTimeout(Duration timeout) {
      startTimeout = timeout;
      return this;
    }

    /** Adds a setting of {@code hdfs-site.xml} for all servers. Default: none. */
    @CanIgnoreReturnValue
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Adds a jar to the NameNode's class path. Default: none. */
    @CanIgnoreReturnValue
    public Builder nameNodeJar(Path jar) {
      nameNodeJars.add(jar.toAbsolutePath());
      return this;
    }

    /** Default: the Java that runs this. */
    @CanIgnoreReturnValue
    public Builder javaHome(Path home) {
      javaHome = home;
      return this;
    }

    /** Default: in the run or state folder. What is in n1 to nN there is removed at the end. */
    @CanIgnoreReturnValue
    public Builder dataFolder(Path folder) {
      dataFolder = folder.toAbsolutePath();
      return this;
    }

    /** Default: what the build collected. */
    @CanIgnoreReturnValue
    public Builder libFolder(Path folder) {
      libFolder = folder;
      return this;
    }

    /** Default: a temporary cluster. */
    @CanIgnoreReturnValue
    public Builder stateFolder(Path folder) {
      stateFolder = folder;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public LocalHdfsConfig build() {
      List<String> wrong = new ArrayList<>();
      if (nodes < 1 || nodes > MAX_NODES) {
        wrong.add("nodes " + nodes + " is not 1 to " + MAX_NODES);
      }
      if (basePort != 0 && (basePort < 1024 || basePort > 65000)) {
        wrong.add("port " + basePort + " is not 1024 to 65000");
      }
      if (nameNodeHeapMebibytes < 64 || dataNodeHeapMebibytes < 48) {
        wrong.add("a heap is below 64 MiB (NameNode) or 48 MiB (DataNode)");
      }
      if (deadAfter.compareTo(SHORTEST_DEAD_AFTER) < 0) {
        wrong.add("dead-after " + deadAfter.toSeconds() + " s is below 11 s");
      }
      if (safeModeExtension.isNegative()) {
        wrong.add("safe mode's extension is negative");
      }
      if (startTimeout.isNegative() || startTimeout.isZero()) {
        wrong.add("start timeout " + startTimeout + " is not positive");
      }
      settings.forEach((name, value) -> checkSetting(name, value, wrong));
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong), "local hdfs", "see docs/hdfs.md for what is possible");
      }
      return new LocalHdfsConfig(this);
    }

    private static void checkSetting(String name, String value, List<String> wrong) {
      if (!SETTING.matcher(name).matches() || value.chars().anyMatch(c -> c < ' ')) {
        wrong.add("'" + name + "' is no setting of hdfs-site.xml");
      } else if (OURS.contains(name)) {
        wrong.add("'" + name + "' is set by Calando itself");
      }
    }
  }
}
