package org.calando.control.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 *   NAME, the newest part, is full --> NAME.1 --> NAME.2 ..    the last one is removed
 *   NAME has an end that is no whole line --> NAME.torn        before the next line, which it would hide
 *
 * What a kill or a failure has left of a last line is kept aside. Not by channels, which an interrupt would close.
 */
/**
 * Lines of JSON on the disk, each with its checksum, which are only added to: the oldest are
 * removed, many at once. After a failure the next lines are added as if nothing had been. Thread
 * safe; of one process.
 */
public final class LineFiles implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** More of torn lines is not kept. */
  private static final long MOST_TORN_BYTES = 1 << 20;

  private static final int MOST_LOOKS = 5;

  private final Path file;
  private final long partBytes;
  private final int parts;

  /** Odd while parts are moved. */
  private final AtomicInteger turns = new AtomicInteger();

  // Guarded by this.
  private @Nullable FileOutputStream out;
  private boolean closed;

  /** Of the newest part; one of another length was written to by a call that failed. */
  private long bytes;

  private LineFiles(Path file, long partBytes, int parts) throws IOException {
    this.file = file;
    this.partBytes = partBytes;
    this.parts = parts;
    reopen();
  }

  /** Bytes up to the end of the last line that is whole; its end of line may be missing. */
  private static int wholeBytes(byte[] all) {
    int begin = all.length;
    while (begin > 0 && all[begin - 1] != '\n') {
      begin--;
    }
    String last = new String(all, begin, all.length - begin, StandardCharsets.UTF_8);
    return LineChecksum.isWhole(last) ? all.length : begin;
  }

  /**
   * Opens them; what is there is added to.
   *
   * @param file of the newest part; its folder is made
   * @param partBytes a part of more bytes is full
   * @param parts 2 or more, of which the oldest is removed when the newest is full
   * @throws FailedWorkException if they cannot be opened
   */
  public static LineFiles open(Path file, long partBytes, int parts) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return new LineFiles(file, partBytes, parts);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static FailedWorkException failed(Path file, IOException e) {
    return new FailedWorkException(
        "cannot be written (" + AtomicFiles.reason(e) + ")",
        file.toString(),
        "see that there is room and the right to write",
        e);
  }

  private Path part(int number) {
    return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  /**
   * Adds lines; they are on the disk on return.
   *
   * @param lines objects with a field at least
   * @throws FailedWorkException if that fails; some of them may be there then
   */
  public synchronized void add(List<ObjectNode> lines) {
    try {
      FileOutputStream open = ready();
      StringBuilder text = new StringBuilder();
      lines.forEach(line -> text.append(LineChecksum.add(line.toString())).append('\n'));
      byte[] encoded = text.toString().getBytes(StandardCharsets.UTF_8);
      open.write(encoded);
      open.getFD().sync();
      bytes += encoded.length;
    } catch (IOException e) {
      release();
      throw failed(file, e);
    }
  }

  /** The newest part, with room, which ends with a whole line. */
  private FileOutputStream ready() throws IOException {
    FileOutputStream open = out;
    if (open == null || !Files.exists(file) || Files.size(file) != bytes) {
      open = reopen();
    }
    if (bytes >= partBytes) {
      try {
        open = turn();
      } catch (IOException e) {
        if (bytes >= 2 * partBytes) {
          throw e;
        }
        // What is full takes more for a while: no line is lost because another cannot be moved.
        open = reopen();
      }
    }
    return open;
  }

  private FileOutputStream reopen() throws IOException {
    release();
    if (closed) {
      throw new IOException("it is closed");
    }
    boolean endsALine = !Files.isRegularFile(file) || cut(Files.readAllBytes(file));
    FileOutputStream open = new FileOutputStream(file.toFile(), true);
    out = open;
    if (!endsALine) {
      open.write('\n');
    }
    bytes = Files.size(file);
    return open;
  }

  /** Keeps what is torn of a file aside, and returns whether the rest ends a line. */
  private boolean cut(byte[] all) throws IOException {
    int whole = wholeBytes(all);
    if (whole < all.length) {
      Path torn = file.resolveSibling(file.getFileName() + ".torn");
      if (!Files.exists(torn) || Files.size(torn) < MOST_TORN_BYTES) {
        try (FileOutputStream aside = new FileOutputStream(torn.toFile(), true)) {
          aside.write(all, whole, all.length - whole);
          aside.write('\n');
          aside.getFD().sync();
        }
      }
      try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
        cut.setLength(whole);
        cut.getFD().sync();
      }
    }
    return whole == 0 || all[whole - 1] == '\n';
  }

  /** The parts up to the first number that is missing each get the next one. */
  private FileOutputStream turn() throws IOException {
    release();
    turns.incrementAndGet();
    try {
      move();
    } finally {
      turns.incrementAndGet();
    }
    return reopen();
  }

  private void move() throws IOException {
    int free = 1;
    while (free < parts - 1 && Files.exists(part(free))) {
      free++;
    }
    Files.deleteIfExists(part(free));
    for (int number = free - 1; number >= 0; number--) {
      Files.move(part(number), part(number + 1), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void release() {
    FileOutputStream open = out;
    out = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // What it was to write is on the disk, or was said to have failed.
      }
    }
  }

  /**
   * What they hold, the oldest first; lines that are not as they were written are left out. Delays
   * nobody who adds.
   *
   * @throws FailedWorkException if they cannot be read
   */
  public List<ObjectNode> read() {
    for (int looks = 1; looks <= MOST_LOOKS; looks++) {
      int before = turns.get();
      try {
        List<ObjectNode> read = parts();
        if (areStill(before)) {
          return read;
        }
      } catch (FailedWorkException e) {
        if (areStill(before)) {
          throw e;
        }
      }
    }
    synchronized (this) {
      return parts();
    }
  }

  private boolean areStill(int before) {
    return before % 2 == 0 && turns.get() == before;
  }

  private List<ObjectNode> parts() {
    List<ObjectNode> read = new ArrayList<>();
    try {
      for (int number = parts - 1; number >= 0; number--) {
        if (Files.isRegularFile(part(number))) {
          // Not readAllLines, which refuses what a damaged file may hold.
          String text = new String(Files.readAllBytes(part(number)), StandardCharsets.UTF_8);
          text.lines().filter(LineChecksum::isWhole).forEach(line -> take(line, read));
        }
      }
      return read;
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read (" + AtomicFiles.reason(e) + ")",
          file.toString(),
          "see that it may be read",
          e);
    }
  }

  private static void take(String line, List<ObjectNode> into) {
    try {
      if (JSON.readTree(line) instanceof ObjectNode object) {
        object.remove("crc");
        into.add(object);
      }
    } catch (JsonProcessingException e) {
      // It is none of ours, whatever its checksum.
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    release();
  }
}
