package org.calando.store.hbase.internal;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.calando.store.hbase.HBaseStoreConfig;

/** What HBase's client is told. */
final class ClientSettings {
  private ClientSettings() {}

  static Configuration of(HBaseStoreConfig config) {
    Configuration settings = HBaseConfiguration.create();
    settings.set("hbase.zookeeper.quorum", String.join(",", config.quorum()));
    settings.set("zookeeper.znode.parent", config.znode());
    int requestMillis = millis(config.requestTimeout().toMillis());
    settings.setInt("hbase.rpc.timeout", requestMillis);
    settings.setInt("hbase.client.operation.timeout", requestMillis);
    settings.setInt("hbase.client.scanner.timeout.period", requestMillis);
    // Finding a region's server again is part of a request, and of the wait for a dead server.
    settings.setInt("hbase.client.meta.operation.timeout", 30_000);
    settings.setInt("hbase.client.retries.number", 1_000);
    settings.setInt("hbase.client.pause", 50);
    settings.setInt("zookeeper.recovery.retry", 3);
    settings.setInt("zookeeper.recovery.retry.intervalmill", 500);
    settings.setInt("zookeeper.session.timeout", 10_000);
    // Two connections a server: one would have a small read wait behind a batch of megabytes.
    settings.setInt("hbase.client.ipc.pool.size", 2);
    return settings;
  }

  private static int millis(long millis) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, millis));
  }
}
