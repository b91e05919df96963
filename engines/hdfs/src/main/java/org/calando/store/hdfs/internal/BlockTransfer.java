package org.calando.store.hdfs.internal;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.calando.store.hdfs.FileBlocks;
import org.calando.store.hdfs.HdfsNode;
import org.calando.store.hdfs.TransferResult;
import org.calando.store.hdfs.TransferResult.Outcome;

/*
 * The order goes to the target, which fetches the block from the proxy, compares checksums, and
 * reports it to the NameNode together with the hint. While it works it says so now and then. What
 * went wrong it says in words only, with the name of the exception.
 */
/** Has a node copy a block from another, as HDFS's Balancer does. */
public final class BlockTransfer {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  private BlockTransfer() {}

  /** Makes a transfer; see {@link org.calando.store.hdfs.HdfsCluster#transfer}. */
  public static TransferResult run(
      FileBlocks.BlockReplicas block,
      String sourceUuid,
      HdfsNode proxy,
      HdfsNode target,
      Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    InetSocketAddress address = address(target);
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(address, millis(min(timeout, LONGEST_CONNECT)));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      new Sender(out)
          .replaceBlock(
              extended(block),
              StorageType.DEFAULT,
              new Token<BlockTokenIdentifier>(),
              sourceUuid,
              info(proxy),
              null);
      out.flush();
      return result(answer(socket, deadline), target);
    } catch (SocketTimeoutException e) {
      return new TransferResult(Outcome.TIMEOUT, target.name() + ": " + Failures.firstLine(e));
    } catch (IOException e) {
      return new TransferResult(Outcome.FAILED, target.name() + ": " + e);
    }
  }

  /** The first answer that is final. */
  private static BlockOpResponseProto answer(Socket socket, long deadline) throws IOException {
    InputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    while (true) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException("still copying when the time was up");
      }
      socket.setSoTimeout(millis(Duration.ofNanos(left)));
      BlockOpResponseProto answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      if (answer.getStatus() != Status.IN_PROGRESS) {
        return answer;
      }
    }
  }

  private static TransferResult result(BlockOpResponseProto answer, HdfsNode target) {
    return answer.getStatus() == Status.SUCCESS
        ? new TransferResult(Outcome.DONE, "")
        : new TransferResult(
            outcome(answer.getMessage()), target.name() + ": " + answer.getMessage());
  }

  static Outcome outcome(String message) {
    if (message.contains("ReplicaAlreadyExistsException")) {
      return Outcome.EXISTS;
    }
    if (message.contains("quota=") && message.contains("exceeded")) {
      return Outcome.BUSY;
    }
    if (message.contains("DiskOutOfSpaceException") || message.contains("No space left")) {
      return Outcome.FULL;
    }
    return Outcome.FAILED;
  }

  private static ExtendedBlock extended(FileBlocks.BlockReplicas block) {
    return new ExtendedBlock(block.pool(), block.id(), block.bytes(), block.generation());
  }

  private static DatanodeInfo info(HdfsNode node) {
    InetSocketAddress address = address(node);
    DatanodeID id =
        new DatanodeID(
            address.getHostString(), node.hostName(), node.uuid(), address.getPort(), 0, 0, 0);
    return new DatanodeInfo.DatanodeInfoBuilder().setNodeID(id).build();
  }

  private static InetSocketAddress address(HdfsNode node) {
    int colon = node.name().lastIndexOf(':');
    return new InetSocketAddress(
        node.name().substring(0, colon), Integer.parseInt(node.name().substring(colon + 1)));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static int millis(Duration duration) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, duration.toMillis()));
  }
}
