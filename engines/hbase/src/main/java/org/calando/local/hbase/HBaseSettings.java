package org.calando.local.hbase;

import java.util.Map;
import java.util.TreeMap;
import org.calando.local.hdfs.LocalHdfs;

/*
 * HBase takes a server's name from the machine's name service, and splits and balances as it sees
 * fit. Here a server is what it is told to be, and does nothing of its own accord while measuring.
 */
/** What the servers of a local cluster are told. */
final class HBaseSettings {
  private static final String NEVER_MILLIS = Integer.toString(Integer.MAX_VALUE);

  private HBaseSettings() {}

  /**
   * The settings of all servers but ZooKeeper.
   *
   * @param awaited RegionServers that a master waits for before it begins its work, and no longer
   */
  static Map<String, String> of(
      LocalHBaseConfig config, HBaseFiles files, LocalHdfs hdfs, String name, int awaited) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.rootdir", hdfs.uri() + "/hbase");
    settings.put("hbase.tmp.dir", files.folder(name).resolve("tmp").toString());
    settings.put("dfs.replication", Integer.toString(Math.min(3, hdfs.config().nodes())));
    settings.put("hbase.zookeeper.quorum", LocalHBaseConfig.ADDRESS);
    settings.put("hbase.zookeeper.property.clientPort", Integer.toString(files.zookeeperPort()));
    settings.put("zookeeper.session.timeout", Long.toString(config.sessionTimeout().toMillis()));
    addAddresses(settings, files, name);
    addSizes(settings);
    addQuiet(settings);
    addRecovery(settings);
    settings.put("hbase.master.wait.on.regionservers.mintostart", Integer.toString(awaited));
    // Without it a master waits 4.5 s for more.
    settings.put("hbase.master.wait.on.regionservers.maxtostart", Integer.toString(awaited));
    settings.putAll(config.settings());
    return settings;
  }

  private static void addAddresses(Map<String, String> settings, HBaseFiles files, String name) {
    boolean master = name.equals(HBaseFiles.MASTER);
    settings.put("hbase.master.hostname", LocalHBaseConfig.ADDRESS);
    settings.put("hbase.master.ipc.address", LocalHBaseConfig.ADDRESS);
    settings.put("hbase.master.port", Integer.toString(files.masterPort()));
    settings.put("hbase.master.info.bindAddress", LocalHBaseConfig.ADDRESS);
    settings.put(
        "hbase.master.info.port", master ? Integer.toString(files.masterPagePort()) : "-1");
    settings.put("hbase.unsafe.regionserver.hostname", LocalHBaseConfig.ADDRESS);
    settings.put("hbase.regionserver.ipc.address", LocalHBaseConfig.ADDRESS);
    settings.put("hbase.regionserver.port", Integer.toString(files.port(name)));
    settings.put("hbase.regionserver.info.port", "-1");
  }

  /** For heaps of some hundred MiB, on a machine of few cores. */
  private static void addSizes(Map<String, String> settings) {
    settings.put("hbase.regionserver.handler.count", "16");
    settings.put("hbase.hregion.memstore.flush.size", Integer.toString(64 << 20));
    settings.put("hfile.block.cache.size", "0.3");
    settings.put("hbase.regionserver.hlog.blocksize", Integer.toString(64 << 20));
  }

  /** No work of the servers' own accord while measuring. */
  private static void addQuiet(Map<String, String> settings) {
    settings.put("hbase.balancer.period", NEVER_MILLIS);
    settings.put("hbase.hregion.majorcompaction", "0");
    settings.put("hbase.normalizer.period", NEVER_MILLIS);
    settings.put("hbase.regionserver.optionalcacheflushinterval", "0");
  }

  /**
   * A dead server's log has to be closed by HDFS before its regions are opened elsewhere. HBase
   * waits 4 s for that, then a minute: figures for networks.
   */
  private static void addRecovery(Map<String, String> settings) {
    settings.put("hbase.lease.recovery.first.pause", "500");
    settings.put("hbase.lease.recovery.pause", "500");
    settings.put("hbase.lease.recovery.dfs.timeout", "3000");
    settings.put("hbase.regionserver.msginterval", "1000");
  }
}
