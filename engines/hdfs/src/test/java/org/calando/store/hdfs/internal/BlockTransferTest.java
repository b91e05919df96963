package org.calando.store.hdfs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.calando.store.hdfs.FileBlocks;
import org.calando.store.hdfs.HdfsNode;
import org.calando.store.hdfs.TransferResult;
import org.calando.store.hdfs.TransferResult.Outcome;
import org.junit.jupiter.api.Test;

class BlockTransferTest {
  private static final FileBlocks.BlockReplicas BLOCK =
      new FileBlocks.BlockReplicas("pool", 1, 1, 10, 0, List.of(), false);

  private static HdfsNode node(int port) {
    return new HdfsNode(
        "u" + port, "127.0.0.1:" + port, "127.0.0.1", HdfsNode.State.NORMAL, true, Instant.EPOCH);
  }

  /** A node that answers as told, and then hangs up. */
  private static TransferResult against(Duration timeout, BlockOpResponseProto... answers)
      throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(() -> serve(server, answers, timeout));
      TransferResult result =
          BlockTransfer.run(BLOCK, "u1", node(2), node(server.getLocalPort()), timeout);
      served.join();
      return result;
    }
  }

  private static void serve(ServerSocket server, BlockOpResponseProto[] answers, Duration timeout) {
    try (Socket socket = server.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      assertThat(in.readUnsignedShort()).isEqualTo(28);
      for (BlockOpResponseProto answer : answers) {
        answer.writeDelimitedTo(socket.getOutputStream());
      }
      if (timeout.toSeconds() < 2) {
        while (in.read() >= 0) {
          // until the other side gives up
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static BlockOpResponseProto answer(Status status, String message) {
    return BlockOpResponseProto.newBuilder().setStatus(status).setMessage(message).build();
  }

  @Test
  void itWaitsWhileTheTargetSaysThatItWorks() throws IOException {
    BlockOpResponseProto working = answer(Status.IN_PROGRESS, "");
    TransferResult result =
        against(Duration.ofSeconds(30), working, working, answer(Status.SUCCESS, ""));
    assertThat(result).isEqualTo(new TransferResult(Outcome.DONE, ""));
  }

  @Test
  void whatTheTargetSaysIsToldApart() throws IOException {
    assertThat(
            against(
                    Duration.ofSeconds(30),
                    answer(Status.ERROR, "received exception x.ReplicaAlreadyExistsException: b"))
                .outcome())
        .isEqualTo(Outcome.EXISTS);
    assertThat(BlockTransfer.outcome("Not able to copy b because threads quota=5 is exceeded."))
        .isEqualTo(Outcome.BUSY);
    assertThat(BlockTransfer.outcome("x.DiskChecker$DiskOutOfSpaceException: Out of space"))
        .isEqualTo(Outcome.FULL);
    assertThat(BlockTransfer.outcome("java.net.ConnectException")).isEqualTo(Outcome.FAILED);
  }

  @Test
  void oneThatHangsUpHasFailedAndOneThatIsSilentIsTimedOut() throws IOException {
    assertThat(against(Duration.ofSeconds(30)).outcome()).isEqualTo(Outcome.FAILED);
    TransferResult silent = against(Duration.ofMillis(300), answer(Status.IN_PROGRESS, ""));
    assertThat(silent.outcome()).isEqualTo(Outcome.TIMEOUT);
    assertThat(silent.reason()).contains("127.0.0.1");
  }

  @Test
  void aNodeThatIsOffIsAFailureAndNoException() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    TransferResult result =
        BlockTransfer.run(BLOCK, "u1", node(2), node(port), Duration.ofSeconds(5));
    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
  }
}
