package org.calando.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.calando.core.layout.gear.OffloadRecord;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the off-load log on a thread of its own: what has gathered is written and forced to
 * disk at once. Who writes blocks never waits for it; what does not fit the queue, and what cannot
 * be written, is counted and lost, as the log is but a hint. Thread safe.
 *
 * <p>A log that was renamed or removed is begun anew with the next line. One that has grown to
 * {@link OffloadRecord#MAX_LOG_BYTES} gets no more lines: they are counted as lost.
 */
final class OffloadLog {
  private static final int QUEUE = 10_000;
  private static final int BATCH = 1000;
  private static final int TAIL_BYTES = 1 << 16;

  private final long mostBytes;
  private final BlockingQueue<Line> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final Object lock = new Object();
  private @Nullable Thread thread;
  private @Nullable Path path;
  private @Nullable FileChannel channel;
  private @Nullable Object key;
  private long next;
  private boolean wasFull;

  OffloadLog() {
    this(OffloadRecord.MAX_LOG_BYTES);
  }

  /**
   * A log that grows to a size.
   *
   * @param mostBytes beyond which it may be by the last lines
   */
  OffloadLog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  private record Line(
      Path log, String path, int index, List<Integer> homes, List<Integer> chosen) {}

  /** Has a line written soon; never waits, never fails. */
  void add(Path log, String file, int index, List<Integer> homes, List<Integer> chosen) {
    if (!queue.offer(new Line(log, file, index, homes, chosen))) {
      errors.incrementAndGet();
      return;
    }
    synchronized (lock) {
      if (thread == null) {
        thread = new Thread(this::run, "calando-offload-log");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  long written() {
    return written.get();
  }

  long errors() {
    return errors.get();
  }

  private void run() {
    List<Line> batch = new ArrayList<>();
    while (true) {
      try {
        batch.add(queue.take());
      } catch (InterruptedException e) {
        return;
      }
      queue.drainTo(batch, BATCH);
      write(batch);
      batch.clear();
    }
  }

  private void write(List<Line> batch) {
    int done = 0;
    try {
      while (done < batch.size()) {
        Path log = batch.get(done).log();
        StringBuilder text = new StringBuilder();
        int from = done;
        FileChannel open = open(log);
        requireRoom(open, log);
        while (done < batch.size() && batch.get(done).log().equals(log)) {
          text.append(record(batch.get(done++)).line()).append('\n');
        }
        append(open, text.toString());
        written.addAndGet(done - from);
      }
    } catch (IOException | RuntimeException e) {
      errors.addAndGet(batch.size() - done);
      close();
    }
  }

  private void requireRoom(FileChannel open, Path log) throws IOException {
    boolean full = open.size() >= mostBytes;
    if (full && !wasFull) {
      BlockPlacementPolicy.LOG.warn(
          "calando: {} has {} bytes and gets no more lines: shift up, or rebuild it",
          log,
          mostBytes);
    }
    wasFull = full;
    if (full) {
      throw new IOException("the log is full");
    }
  }

  private OffloadRecord record(Line line) {
    return new OffloadRecord(
        next++, System.currentTimeMillis(), line.path(), line.index(), line.homes(), line.chosen());
  }

  private static void append(FileChannel open, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      open.write(bytes);
    }
    open.force(true);
  }

  private FileChannel open(Path log) throws IOException {
    FileChannel open = channel;
    if (open != null && log.equals(path) && isSame(log)) {
      return open;
    }
    close();
    open =
        FileChannel.open(
            log, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    channel = open;
    path = log;
    key = Files.readAttributes(log, "unix:ino").get("ino");
    OffloadRecord.Log before = OffloadRecord.read(tail(log));
    if (before.isTorn()) {
      // What a crash left of a line stays by itself, and is told by its checksum.
      append(open, "\n");
    }
    before.records().forEach(record -> next = Math.max(next, record.seq() + 1));
    return open;
  }

  /** Its end, whatever bytes it has; a first line that is cut counts as damaged. */
  private static String tail(Path log) throws IOException {
    try (FileChannel in = FileChannel.open(log, StandardOpenOption.READ)) {
      long size = in.size();
      ByteBuffer tail = ByteBuffer.allocate((int) Math.min(size, TAIL_BYTES));
      in.position(size - tail.capacity());
      boolean more = true;
      while (more && tail.hasRemaining()) {
        more = in.read(tail) >= 0;
      }
      return new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
    }
  }

  private boolean isSame(Path log) {
    try {
      return Objects.equals(key, Files.readAttributes(log, "unix:ino").get("ino"));
    } catch (IOException e) {
      return false;
    }
  }

  private void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        errors.incrementAndGet();
      }
    }
  }
}
