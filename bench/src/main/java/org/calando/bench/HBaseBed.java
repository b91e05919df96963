package org.calando.bench;

import org.calando.core.store.TableSpec;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;

/** A real HBase with an empty table of records of 1 KB in one field. Not thread safe. */
record HBaseBed(LocalHBase cluster, HBaseStore store) implements AutoCloseable {
  /** Bytes of a record's only field. */
  static final int VALUE_BYTES = 1024;

  /** Records that are written; keys are chosen uniformly. */
  static final int KEYS = 10_000;

  /** Starts it, with so many RegionServers. */
  static HBaseBed start(int nodes, String table) {
    LocalHBase cluster = LocalHBase.start(LocalHBaseConfig.builder().nodes(nodes).build());
    try {
      HBaseStore store =
          HBaseStore.connect(HBaseStoreConfig.builder().quorum(cluster.quorum()).build());
      store.prepare(new TableSpec(table, 1, "field"));
      return new HBaseBed(cluster, store);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try (cluster) {
      store.close();
    }
  }
}
