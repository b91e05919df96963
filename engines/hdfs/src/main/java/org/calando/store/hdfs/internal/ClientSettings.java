package org.calando.store.hdfs.internal;

import org.apache.hadoop.conf.Configuration;
import org.calando.store.hdfs.HdfsAccess;

/** What Hadoop's client is told. */
final class ClientSettings {
  private ClientSettings() {}

  /** No file of this machine is read: all that counts is here and in the access. */
  static Configuration of(HdfsAccess access) {
    Configuration settings = new Configuration();
    settings.set("fs.defaultFS", access.uri().toString());
    settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    settings.set("hadoop.security.authentication", "simple");
    // Servers that were powered down are powered up after SIGTERM, when Hadoop's own hook would
    // have closed it.
    settings.setBoolean("fs.automatic.close", false);
    addConnections(settings);
    addBlocks(settings);
    return settings;
  }

  /** Tried once: who calls tries again. */
  private static void addConnections(Configuration settings) {
    settings.setInt("ipc.client.connect.max.retries", 0);
    settings.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    settings.setInt("ipc.client.connect.timeout", 5_000);
    settings.setInt("ipc.client.rpc-timeout.ms", 20_000);
    settings.setBoolean("dfs.client.retry.policy.enabled", false);
  }

  /** A node that is off is left for another at once. */
  private static void addBlocks(Configuration settings) {
    settings.setInt("dfs.client.socket-timeout", 10_000);
    settings.setInt("dfs.client.retry.window.base", 200);
    settings.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 100);
    settings.setInt("dfs.client.block.write.locateFollowingBlock.retries", 8);
    // A layout with fewer targets than copies, or a node that goes off, must not fail a write.
    settings.setBoolean("dfs.client.block.write.replace-datanode-on-failure.best-effort", true);
    settings.setBoolean("dfs.client.read.shortcircuit", false);
  }
}
