package org.calando.local.hdfs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/*
 * HDFS's own defaults are for thousands of nodes: it looks every 3 to 30 s, moves two blocks at a
 * time and waits ten minutes for a silent node. A gear is shifted in seconds only where it looks
 * every second, and replicas are removed as soon as they are in excess.
 */
/** What the servers of a local cluster are told. */
final class HdfsSettings {
  private static final int HEARTBEAT_SECONDS = 1;

  private HdfsSettings() {}

  static Map<String, String> nameNode(LocalHdfsConfig config, HdfsFiles files) {
    Map<String, String> settings = common(files, HdfsFiles.NAME_NODE);
    settings.put("dfs.namenode.http-address", at(files.nameNodeHttpPort()));
    settings.put("dfs.namenode.name.dir", files.nameFolder().toUri().toString());
    settings.put("dfs.hosts", files.hostsFile().toString());
    settings.put(
        "dfs.namenode.hosts.provider.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("dfs.namenode.maintenance.replication.min", "1");
    settings.put("dfs.namenode.fs-limits.min-block-size", "4096");
    settings.put("dfs.namenode.safemode.extension", millis(config.safeModeExtension()));
    // Reads would be edits otherwise.
    settings.put("dfs.namenode.accesstime.precision", "0");
    settings.put("dfs.namenode.resource.du.reserved", "10485760");
    settings.put("dfs.namenode.handler.count", "8");
    addMonitors(settings, config.deadAfter());
    addTransfers(settings);
    settings.putAll(config.settings());
    return settings;
  }

  /** A node is dead after two checks and ten heartbeats without a word. */
  private static void addMonitors(Map<String, String> settings, Duration deadAfter) {
    Duration heartbeats = Duration.ofSeconds(10L * HEARTBEAT_SECONDS);
    settings.put(
        "dfs.namenode.heartbeat.recheck-interval",
        millis(deadAfter.minus(heartbeats).dividedBy(2)));
    settings.put("dfs.namenode.stale.datanode.interval", "6000");
    settings.put("dfs.namenode.decommission.interval", "1");
    settings.put("dfs.namenode.redundancy.interval.seconds", "1");
  }

  private static void addTransfers(Map<String, String> settings) {
    settings.put("dfs.namenode.replication.work.multiplier.per.iteration", "100");
    settings.put("dfs.namenode.replication.max-streams", "100");
    settings.put("dfs.namenode.replication.max-streams-hard-limit", "1000");
    settings.put("dfs.namenode.invalidate.work.pct.per.iteration", "1.0");
    settings.put("dfs.block.invalidate.limit", "1000");
    // All nodes are one machine: whether one looks busier than the others says nothing.
    settings.put("dfs.namenode.redundancy.considerLoad", "false");
  }

  static Map<String, String> dataNode(LocalHdfsConfig config, HdfsFiles files, int node) {
    Map<String, String> settings = common(files, "n" + node);
    settings.put("dfs.datanode.address", at(files.transferPort(node)));
    settings.put("dfs.datanode.ipc.address", at(files.ipcPort(node)));
    settings.put("dfs.datanode.http.address", at(files.httpPort(node)));
    settings.put("dfs.datanode.hostname", LocalHdfsConfig.ADDRESS);
    settings.put("dfs.datanode.data.dir", files.dataFolder(node).toUri().toString());
    settings.put("dfs.datanode.data.dir.perm", "700");
    settings.put("dfs.datanode.balance.bandwidthPerSec", "10g");
    settings.put("dfs.datanode.balance.max.concurrent.moves", "50");
    // What it wants to have free before it takes a move, however small the block: 128 MB otherwise,
    // and for any block another 1 GB.
    settings.put("dfs.blocksize", "1048576");
    settings.put("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    settings.put("dfs.datanode.handler.count", "3");
    settings.put("dfs.blockreport.initialDelay", "0");
    // No work of the node's own accord while measuring.
    settings.put("dfs.datanode.directoryscan.interval", "-1");
    settings.put("dfs.datanode.scan.period.hours", "-1");
    settings.put("ipc.client.connect.retry.interval", "200");
    settings.putAll(config.settings());
    return settings;
  }

  private static Map<String, String> common(HdfsFiles files, String server) {
    Map<String, String> settings = new TreeMap<>();
    Path temporary = files.folder(server).resolve("tmp");
    settings.put("fs.defaultFS", "hdfs://" + at(files.nameNodePort()));
    settings.put("hadoop.tmp.dir", temporary.toString());
    settings.put("hadoop.security.authentication", "simple");
    settings.put("dfs.permissions.enabled", "false");
    settings.put("dfs.heartbeat.interval", Integer.toString(HEARTBEAT_SECONDS));
    settings.put("dfs.replication.max", "512");
    settings.put("fs.df.interval", "1000");
    return settings;
  }

  private static String at(int port) {
    return LocalHdfsConfig.ADDRESS + ":" + port;
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
