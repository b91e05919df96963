package org.calando.local.relay;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;

/**
 * The delays of links in a file that the cluster's owner maps to write and the relay maps to read:
 * a change holds at once, without a request. Thread safe; each link's delay is whole at any time,
 * but those of several links change one after another.
 *
 * <p>The file: 64-bit nanoseconds by sender and receiver.
 */
public final class LiveDelays {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final int nodes;
  private final ByteBuffer map;

  private LiveDelays(int nodes, ByteBuffer map) {
    this.nodes = nodes;
    this.map = map;
  }

  /**
   * Makes the file, over one that was left there.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public static LiveDelays create(Path file, LinkDelays delays) {
    LiveDelays live =
        map(
            file,
            delays.nodes(),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    live.set(delays);
    return live;
  }

  /**
   * Opens a file that was made before.
   *
   * @throws FailedWorkException if it is absent
   */
  public static LiveDelays open(Path file, int nodes) {
    return map(file, nodes, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static LiveDelays map(Path file, int nodes, StandardOpenOption... options) {
    try (FileChannel channel = FileChannel.open(file, options)) {
      long bytes = (long) nodes * nodes * Long.BYTES;
      return new LiveDelays(nodes, channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
    } catch (IOException e) {
      throw new FailedWorkException(
          "the relay's delays cannot be reached: " + e,
          file.toString(),
          "is the cluster still there?",
          e);
    }
  }

  /** Sets the delays of as many nodes as the file is for. */
  public void set(LinkDelays delays) {
    for (int sender = 0; sender < nodes; sender++) {
      for (int receiver = 0; receiver < nodes; receiver++) {
        LONGS.setRelease(map, index(sender, receiver), delays.nanos(sender, receiver));
      }
    }
  }

  /** The delays as they are now. */
  public LinkDelays get() {
    List<List<Duration>> rows = new ArrayList<>();
    for (int sender = 0; sender < nodes; sender++) {
      List<Duration> row = new ArrayList<>();
      for (int receiver = 0; receiver < nodes; receiver++) {
        row.add(Duration.ofNanos(nanos(sender, receiver)));
      }
      rows.add(row);
    }
    return LinkDelays.matrix(rows);
  }

  /** The one-way delay of a link in nanoseconds; nodes count from 0. */
  long nanos(int sender, int receiver) {
    return (long) LONGS.getAcquire(map, index(sender, receiver));
  }

  private int index(int sender, int receiver) {
    return (sender * nodes + receiver) * Long.BYTES;
  }
}
