package org.calando.local.relay;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.calando.core.FailedWorkException;

/**
 * Bytes and connections per link, in a file that the relay maps and others map to read: always up
 * to date, without a request. One writer; any number of readers.
 *
 * <p>The file: 64-bit numbers, "ready" (1 when the relay listens), connections of strangers, then
 * bytes by sender and receiver, then connections by sender and receiver.
 */
public final class LinkCounters {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int READY = 0;
  private static final int STRANGERS = 1;
  private static final int BYTES = 2;

  private final int nodes;
  private final ByteBuffer map;

  private LinkCounters(int nodes, ByteBuffer map) {
    this.nodes = nodes;
    this.map = map;
  }

  /** Makes the file, all zero. */
  static LinkCounters create(Path file, int nodes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return new LinkCounters(
          nodes, channel.map(FileChannel.MapMode.READ_WRITE, 0, bytesOfFile(nodes)));
    }
  }

  /**
   * Opens a relay's counters.
   *
   * @throws FailedWorkException if the file is absent or too short
   */
  public static LinkCounters open(Path file, int nodes) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() >= bytesOfFile(nodes)) {
        return new LinkCounters(
            nodes, channel.map(FileChannel.MapMode.READ_ONLY, 0, bytesOfFile(nodes)));
      }
      throw new FailedWorkException("the relay's counters are incomplete", file.toString(), "");
    } catch (IOException e) {
      throw new FailedWorkException(
          "the relay's counters cannot be read: " + e, file.toString(), "is the relay running?", e);
    }
  }

  /** True once the relay that writes the file listens. */
  public static boolean isReady(Path file, int nodes) {
    try {
      return Files.size(file) >= bytesOfFile(nodes) && open(file, nodes).get(READY) == 1;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Connections that did not come from a node of the cluster; they are not delayed. */
  public long strangers() {
    return get(STRANGERS);
  }

  /** Bytes passed on from a node to another (counted from 0) since the relay's start. */
  public long bytes(int sender, int receiver) {
    return get(BYTES + sender * nodes + receiver);
  }

  /** Connections that a node opened to another (counted from 0) since the relay's start. */
  public long connections(int sender, int receiver) {
    return get(BYTES + nodes * nodes + sender * nodes + receiver);
  }

  void setReady() {
    add(READY, 1);
  }

  void addStranger() {
    add(STRANGERS, 1);
  }

  void addBytes(int sender, int receiver, long bytes) {
    add(BYTES + sender * nodes + receiver, bytes);
  }

  void addConnection(int sender, int receiver) {
    add(BYTES + nodes * nodes + sender * nodes + receiver, 1);
  }

  private long get(int index) {
    return (long) LONGS.getAcquire(map, index * Long.BYTES);
  }

  private void add(int index, long amount) {
    LONGS.setRelease(map, index * Long.BYTES, get(index) + amount);
  }

  private static long bytesOfFile(int nodes) {
    return (BYTES + 2L * nodes * nodes) * Long.BYTES;
  }
}
