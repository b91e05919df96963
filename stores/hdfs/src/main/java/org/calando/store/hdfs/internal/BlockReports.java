package org.calando.store.hdfs.internal;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RPC;
import org.calando.store.hdfs.HdfsNode;

/** Asks DataNodes for reports of their blocks. Stateless. */
public final class BlockReports {
  private static final int TIMEOUT_MILLIS = 10_000;

  private BlockReports() {}

  /** Asks one; the report comes by and by. */
  public static void ask(DistributedFileSystem fs, HdfsNode node) throws IOException {
    for (DatanodeInfo info : fs.getDataNodeStats()) {
      if (info.getDatanodeUuid().equals(node.uuid())) {
        ClientDatanodeProtocol proxy =
            DFSUtilClient.createClientDatanodeProtocolProxy(
                info, fs.getConf(), TIMEOUT_MILLIS, false);
        try {
          proxy.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
        } finally {
          RPC.stopProxy(proxy);
        }
      }
    }
  }
}
