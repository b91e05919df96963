package org.calando.local.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayTest {
  private static final int NODES = 3;
  private static final long FORTH_NANOS = 30_000_000;
  private static final long BACK_NANOS = 10_000_000;

  @TempDir Path folder;
  private ServerSocket server;
  private Relay relay;
  private LinkCounters counters;
  private LiveDelays delays;

  @BeforeEach
  void startRelay() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Path file = folder.resolve("counters");
    delays = LiveDelays.create(folder.resolve("delays"), delays(FORTH_NANOS, BACK_NANOS));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    InetSocketAddress target =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    relay =
        new Relay(
            List.of(any, any, any),
            List.of(target, target, target),
            delays,
            SenderRule.internode(NODES, 127, 43),
            LinkCounters.create(file, NODES));
    assertThat(LinkCounters.isReady(file, NODES)).isTrue();
    counters = LinkCounters.open(file, NODES);
    daemon(relay::run);
  }

  @AfterEach
  void stopRelay() throws IOException {
    relay.close();
    server.close();
  }

  @Test
  void eachDirectionIsLateByItsOwnDelay() throws IOException {
    daemon(this::echoAll);
    int ways = 30;
    try (Socket client = connect(1)) {
      client.getOutputStream().write(header(1));
      DataInputStream in = new DataInputStream(client.getInputStream());
      in.readNBytes(header(1).length);
      for (int i = 0; i < ways; i++) {
        assertThat(echo(client, in, i)).isGreaterThanOrEqualTo(FORTH_NANOS + BACK_NANOS - 200_000);
      }
      // The shortest shows the relay's own error; the others also show how busy the machine is.
      ways += awaitEchoWithin(FORTH_NANOS + BACK_NANOS + 5_000_000, client, in);
    }
    assertThat(counters.connections(0, 1)).isEqualTo(1);
    // Bytes are counted after they are passed on.
    long bytes = (long) header(1).length + ways;
    await().until(() -> counters.bytes(0, 1) == bytes && counters.bytes(1, 0) == bytes);
    assertThat(counters.strangers()).isZero();
  }

  @Test
  void aLinkWithoutDelayIsNotLate() throws IOException {
    daemon(this::echoAll);
    try (Socket client = connect(1)) {
      client.getOutputStream().write(header(3));
      DataInputStream in = new DataInputStream(client.getInputStream());
      in.readNBytes(header(3).length);
      awaitEchoWithin(BACK_NANOS, client, in);
    }
    await().until(() -> counters.bytes(2, 1) > 0);
  }

  @Test
  void aConnectionThatIsOpenFollowsTheDelayWhenItChanges() throws IOException {
    daemon(this::echoAll);
    try (Socket client = connect(1)) {
      client.getOutputStream().write(header(1));
      DataInputStream in = new DataInputStream(client.getInputStream());
      in.readNBytes(header(1).length);
      LiveDelays owner = LiveDelays.open(folder.resolve("delays"), NODES);
      owner.set(delays(0, 0));
      awaitEchoWithin(BACK_NANOS, client, in);
      owner.set(delays(2 * FORTH_NANOS, 0));
      assertThat(shortestEcho(client, in)).isGreaterThanOrEqualTo(2 * FORTH_NANOS - 200_000);
      assertThat(owner.get()).isEqualTo(delays.get()).isEqualTo(delays(2 * FORTH_NANOS, 0));
    }
  }

  @Test
  void orderAndEndOfStreamArePreservedWhileTheDelayChanges() throws IOException {
    daemon(this::echoAll);
    Random random = new Random(Long.getLong("calando.seed", 42));
    byte[] sent = new byte[1_000_000];
    random.nextBytes(sent);
    System.arraycopy(header(1), 0, sent, 0, header(1).length);
    try (Socket client = connect(1)) {
      daemon(
          () -> {
            for (int from = 0; from < sent.length; from += 10_000) {
              delays.set(delays(random.nextInt(5_000_000), random.nextInt(5_000_000)));
              client.getOutputStream().write(sent, from, 10_000);
            }
            delays.set(delays(0, 0));
            client.shutdownOutput();
          });
      assertThat(Arrays.equals(client.getInputStream().readAllBytes(), sent)).isTrue();
    }
  }

  @Test
  void orderAndEndOfStreamArePreserved() throws IOException {
    daemon(this::echoAll);
    byte[] sent = new byte[3_000_000];
    new Random(Long.getLong("calando.seed", 42)).nextBytes(sent);
    System.arraycopy(header(1), 0, sent, 0, header(1).length);
    try (Socket client = connect(1)) {
      daemon(
          () -> {
            client.getOutputStream().write(sent);
            client.shutdownOutput();
          });
      byte[] received = client.getInputStream().readAllBytes();
      assertThat(Arrays.equals(received, sent)).isTrue();
    }
  }

  @Test
  void aReceiverThatDoesNotReadHoldsTheSenderBack() throws IOException {
    AtomicLong sent = new AtomicLong();
    try (Socket client = connect(1)) {
      daemon(
          () -> {
            client.getOutputStream().write(header(1));
            byte[] block = new byte[64 * 1024];
            while (true) {
              client.getOutputStream().write(block);
              sent.addAndGet(block.length);
            }
          });
      try (Socket accepted = server.accept()) {
        AtomicLong last = new AtomicLong(-1);
        await()
            .atMost(Duration.ofSeconds(20))
            .pollInterval(Duration.ofMillis(300))
            .until(() -> sent.get() > 0 && last.getAndSet(sent.get()) == sent.get());
        // One line holds at most 4 MiB; the rest is in the kernel's socket buffers.
        assertThat(sent.get()).isLessThan(40L << 20);
        long stalled = sent.get();
        accepted.getInputStream().readNBytes(16 << 20);
        await().atMost(Duration.ofSeconds(20)).until(() -> sent.get() > stalled);
      }
    }
  }

  @Test
  void aNodeThatIsDownResetsItsCaller() throws IOException {
    server.close();
    try (Socket client = connect(2)) {
      assertThatThrownBy(
              () -> {
                client.getOutputStream().write(header(1));
                if (client.getInputStream().read() < 0) {
                  throw new SocketException("closed");
                }
              })
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void aStrangerPassesWithoutDelay() throws IOException {
    daemon(this::echoAll);
    byte[] hello = "a health check of somebody".getBytes(StandardCharsets.UTF_8);
    try (Socket client = connect(1)) {
      client.getOutputStream().write(hello);
      assertThat(client.getInputStream().readNBytes(hello.length)).isEqualTo(hello);
    }
    await().until(() -> counters.strangers() == 1);
  }

  /** The first bytes of an internode connection from node i (1 to N). */
  private static byte[] header(int node) {
    return ByteBuffer.allocate(19)
        .putInt(0xca552dfa)
        .putInt(0)
        .put((byte) 6)
        .put(new byte[] {127, 43, 1, (byte) node})
        .putShort((short) 7000)
        .putInt(0)
        .array();
  }

  /** Only the links between n1 and n2 are late. */
  private static LinkDelays delays(long forthNanos, long backNanos) {
    Duration none = Duration.ZERO;
    return LinkDelays.matrix(
        List.of(
            List.of(none, Duration.ofNanos(forthNanos), none),
            List.of(Duration.ofNanos(backNanos), none, none),
            List.of(none, none, none)));
  }

  /** The shortest of 30 ways there and back. */
  private static long shortestEcho(Socket client, DataInputStream in) throws IOException {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 30; i++) {
      shortest = Math.min(shortest, echo(client, in, i));
    }
    return shortest;
  }

  /** How long a byte takes there and back. */
  private static long echo(Socket client, DataInputStream in, int value) throws IOException {
    long sent = System.nanoTime();
    client.getOutputStream().write(value);
    assertThat(in.read()).isEqualTo(value);
    return System.nanoTime() - sent;
  }

  /** Waits until one way there and back is as short as that, and tells how many there were. */
  private static int awaitEchoWithin(long nanos, Socket client, DataInputStream in) {
    AtomicInteger ways = new AtomicInteger();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> echo(client, in, ways.incrementAndGet() % 100) < nanos);
    return ways.get();
  }

  private Socket connect(int receiver) throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    socket.connect(relay.address(receiver));
    return socket;
  }

  private void echoAll() throws IOException {
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      socket.getInputStream().transferTo(socket.getOutputStream());
      socket.shutdownOutput();
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // the test has ended
              }
            },
            "relay-test");
    thread.setDaemon(true);
    thread.start();
  }
}
