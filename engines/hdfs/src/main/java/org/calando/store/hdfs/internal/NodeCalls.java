package org.calando.store.hdfs.internal;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RPC;
import org.calando.store.hdfs.HdfsNode;
import org.jspecify.annotations.Nullable;

/** Calls to DataNodes themselves. Stateless. */
public final class NodeCalls {
  private static final int TIMEOUT_MILLIS = 10_000;

  private NodeCalls() {}

  /** A call. */
  private interface Call {
    void make(ClientDatanodeProtocol node) throws IOException;
  }

  /** Asks one for a report of all its blocks; it comes by and by. */
  public static void askForReport(DistributedFileSystem fs, HdfsNode node) throws IOException {
    DatanodeInfo info = find(fs, node);
    if (info != null) {
      BlockReportOptions all = new BlockReportOptions.Factory().setIncremental(false).build();
      call(fs, info, TIMEOUT_MILLIS, proxy -> proxy.triggerBlockReport(all));
    }
  }

  /**
   * Whether one answers by itself. A process that hangs has its connections taken by the kernel, so
   * that a connection tells nothing.
   *
   * @throws IOException if the NameNode cannot be asked where it is
   */
  public static boolean answers(DistributedFileSystem fs, HdfsNode node, Duration within)
      throws IOException {
    DatanodeInfo info = find(fs, node);
    if (info == null) {
      return false;
    }
    try {
      call(fs, info, (int) within.toMillis(), ClientDatanodeProtocol::getDatanodeInfo);
      return true;
    } catch (IOException silent) {
      return false;
    }
  }

  private static @Nullable DatanodeInfo find(DistributedFileSystem fs, HdfsNode node)
      throws IOException {
    for (DatanodeInfo info : fs.getDataNodeStats()) {
      if (info.getDatanodeUuid().equals(node.uuid())) {
        return info;
      }
    }
    return null;
  }

  private static void call(DistributedFileSystem fs, DatanodeInfo info, int millis, Call call)
      throws IOException {
    ClientDatanodeProtocol proxy =
        DFSUtilClient.createClientDatanodeProtocolProxy(info, fs.getConf(), millis, false);
    try {
      call.make(proxy);
    } finally {
      RPC.stopProxy(proxy);
    }
  }
}
