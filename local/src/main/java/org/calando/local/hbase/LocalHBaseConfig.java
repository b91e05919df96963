package org.calando.local.hbase;

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

/** What a local HBase cluster looks like. Immutable and thread safe. */
public final class LocalHBaseConfig {
  /** Most RegionServers. */
  public static final int MAX_NODES = 3;

  /** All servers listen here. */
  public static final String ADDRESS = "127.0.0.1";

  /** What Calando sets itself: where servers listen and keep their files. */
  private static final Set<String> OURS =
      Set.of(
          "hbase.cluster.distributed",
          "hbase.rootdir",
          "hbase.tmp.dir",
          "hbase.zookeeper.quorum",
          "hbase.zookeeper.property.clientPort",
          "zookeeper.session.timeout",
          "hbase.master.hostname",
          "hbase.master.ipc.address",
          "hbase.master.port",
          "hbase.master.info.bindAddress",
          "hbase.master.info.port",
          "hbase.unsafe.regionserver.hostname",
          "hbase.regionserver.ipc.address",
          "hbase.regionserver.port",
          "hbase.regionserver.info.port",
          // Whoever sets this has a log that forgets.
          "hbase.unsafe.stream.capability.enforce");

  private static final Pattern SETTING = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  private final int nodes;
  private final int dataNodes;
  private final int basePort;
  private final int masterHeapMebibytes;
  private final int nodeHeapMebibytes;
  private final Duration sessionTimeout;
  private final Duration startTimeout;
  private final Map<String, String> settings;
  private final Path javaHome;
  private final @Nullable Path libFolder;
  private final @Nullable Path stateFolder;

  private LocalHBaseConfig(Builder builder) {
    nodes = builder.nodes;
    dataNodes = builder.dataNodes == 0 ? builder.nodes : builder.dataNodes;
    basePort = builder.basePort;
    masterHeapMebibytes = builder.masterHeapMebibytes;
    nodeHeapMebibytes = builder.nodeHeapMebibytes;
    sessionTimeout = builder.sessionTimeout;
    startTimeout = builder.startTimeout;
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
    javaHome = builder.javaHome;
    libFolder = builder.libFolder;
    stateFolder = builder.stateFolder;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** RegionServers. */
  public int nodes() {
    return nodes;
  }

  /** DataNodes of the HDFS below, which keeps as many copies, at most 3. */
  public int dataNodes() {
    return dataNodes;
  }

  /** ZooKeeper's port; two of the master and one of each RegionServer follow; 0: any free. */
  public int basePort() {
    return basePort;
  }

  /** Heap of the master in MiB. */
  public int masterHeapMebibytes() {
    return masterHeapMebibytes;
  }

  /** Heap of each RegionServer in MiB. */
  public int nodeHeapMebibytes() {
    return nodeHeapMebibytes;
  }

  /** How long a server may be silent until its regions are given to others. */
  public Duration sessionTimeout() {
    return sessionTimeout;
  }

  /** How long to wait for all to be up. */
  public Duration startTimeout() {
    return startTimeout;
  }

  /** Further settings of all servers, by name; they win over Calando's. */
  public Map<String, String> settings() {
    return settings;
  }

  /** The Java that runs the servers. */
  public Path javaHome() {
    return javaHome;
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
    private int nodes = 2;
    private int dataNodes;
    private int basePort;
    private int masterHeapMebibytes = 192;
    private int nodeHeapMebibytes = 384;
    private Duration sessionTimeout = Duration.ofSeconds(10);
    private Duration startTimeout = Duration.ofMinutes(3);
    private final Map<String, String> settings = new LinkedHashMap<>();
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private @Nullable Path libFolder;
    private @Nullable Path stateFolder;

    private Builder() {}

    /** Default: 2. */
    @CanIgnoreReturnValue
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** Default: 0, as many as RegionServers. */
    @CanIgnoreReturnValue
    public Builder dataNodes(int count) {
      dataNodes = count;
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
    public Builder masterHeapMebibytes(int mebibytes) {
      masterHeapMebibytes = mebibytes;
      return this;
    }

    /** Default: 384. */
    @CanIgnoreReturnValue
    public Builder nodeHeapMebibytes(int mebibytes) {
      nodeHeapMebibytes = mebibytes;
      return this;
    }

    /** Default: 10 s; 2 to 90 s. */
    @CanIgnoreReturnValue
    public Builder sessionTimeout(Duration silence) {
      sessionTimeout = silence;
      return this;
    }

    /** Default: 3 min. */
    @CanIgnoreReturnValue
    public Builder startTimeout(Duration timeout) {
      startTimeout = timeout;
      return this;
    }

    /** Adds a setting of {@code hbase-site.xml} for all servers. Default: none. */
    @CanIgnoreReturnValue
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Default: the Java that runs this. */
    @CanIgnoreReturnValue
    public Builder javaHome(Path home) {
      javaHome = home;
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
    public LocalHBaseConfig build() {
      List<String> wrong = new ArrayList<>();
      if (nodes < 1 || nodes > MAX_NODES) {
        wrong.add("nodes " + nodes + " is not 1 to " + MAX_NODES);
      }
      if (dataNodes < 0 || dataNodes > MAX_NODES) {
        wrong.add("data-nodes " + dataNodes + " is not 1 to " + MAX_NODES);
      }
      if (basePort != 0 && (basePort < 1024 || basePort > 65000)) {
        wrong.add("port " + basePort + " is not 1024 to 65000");
      }
      if (masterHeapMebibytes < 128 || nodeHeapMebibytes < 192) {
        wrong.add("a heap is below 128 MiB (master) or 192 MiB (RegionServer)");
      }
      if (sessionTimeout.toSeconds() < 2 || sessionTimeout.toSeconds() > 90) {
        wrong.add("session timeout " + sessionTimeout.toSeconds() + " s is not 2 to 90 s");
      }
      if (startTimeout.isNegative() || startTimeout.isZero()) {
        wrong.add("start timeout " + startTimeout + " is not positive");
      }
      settings.forEach((name, value) -> checkSetting(name, value, wrong));
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong), "local hbase", "see docs/hbase.md for what is possible");
      }
      return new LocalHBaseConfig(this);
    }

    private static void checkSetting(String name, String value, List<String> wrong) {
      if (!SETTING.matcher(name).matches() || value.chars().anyMatch(c -> c < ' ')) {
        wrong.add("'" + name + "' is no setting of hbase-site.xml");
      } else if (OURS.contains(name)) {
        wrong.add("'" + name + "' is set by Calando itself");
      }
    }
  }
}
