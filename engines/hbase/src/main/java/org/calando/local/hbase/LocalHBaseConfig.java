package org.calando.local.hbase;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.local.ServersConfig;

/** What a local HBase cluster looks like. Immutable and thread safe. */
public final class LocalHBaseConfig extends ServersConfig {
  /** Most RegionServers. */
  public static final int MAX_NODES = 3;

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

  private final int dataNodes;
  private final int masterHeapMebibytes;
  private final int nodeHeapMebibytes;
  private final Duration sessionTimeout;

  private LocalHBaseConfig(Builder builder) {
    super(builder);
    dataNodes = builder.dataNodes == 0 ? nodes() : builder.dataNodes;
    masterHeapMebibytes = builder.masterHeapMebibytes;
    nodeHeapMebibytes = builder.nodeHeapMebibytes;
    sessionTimeout = builder.sessionTimeout;
  }

  /**
   * Two RegionServers, up within 3 minutes. Ports are ZooKeeper's, two of the master (calls,
   * pages), one of each RegionServer; settings are those of {@code hbase-site.xml}.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** DataNodes of the HDFS below, which keeps as many copies, at most 3. */
  public int dataNodes() {
    return dataNodes;
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

  /** Collects the options. Not thread safe. */
  public static final class Builder extends ServersConfig.Builder<Builder> {
    private int dataNodes;
    private int masterHeapMebibytes = 192;
    private int nodeHeapMebibytes = 384;
    private Duration sessionTimeout = Duration.ofSeconds(10);

    private Builder() {
      super(2, Duration.ofMinutes(3));
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Default: 0, as many as RegionServers. */
    @CanIgnoreReturnValue
    public Builder dataNodes(int count) {
      dataNodes = count;
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

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public LocalHBaseConfig build() {
      List<String> wrong = wrong(MAX_NODES, HADOOP_SETTING, OURS, "hbase-site.xml");
      if (dataNodes < 0 || dataNodes > MAX_NODES) {
        wrong.add("data-nodes " + dataNodes + " is not 1 to " + MAX_NODES);
      }
      if (nodeHeapMebibytes < 192) {
        wrong.add("a RegionServer's heap is below 192 MiB");
      }
      if (sessionTimeout.toSeconds() < 2 || sessionTimeout.toSeconds() > 90) {
        wrong.add("session timeout " + sessionTimeout.toSeconds() + " s is not 2 to 90 s");
      }
      refuse(wrong, LocalHBase.ENGINE, "see docs/hbase.md for what is possible");
      return new LocalHBaseConfig(this);
    }
  }
}
