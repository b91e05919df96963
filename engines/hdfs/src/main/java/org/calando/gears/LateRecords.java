package org.calando.gears;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.calando.control.Patience;

/*
 * The NameNode may append while the log is replaced or put aside: it looks for each batch of lines whether the name still stands
 * for the file that it has open, and goes over to the new one. So a batch may come to the old file just after that was read.
 * Lines that come later still are lost; they are but hints, and a check of the log tells of their blocks as missing.
 */
/** Lines that came to an off-load log after it was read. Stateless. */
final class LateRecords {
  private static final int QUIET_LOOKS = 2;

  private LateRecords() {}

  /**
   * Adds to the new log what the old one has got since it had a size, until nothing comes any more.
   *
   * @param size of the old log when it was read
   * @param log made if it is not there and there is anything to add
   */
  static void carryOver(Path old, long size, Path log, Patience patience)
      throws IOException, InterruptedException {
    long read = size;
    int quiet = 0;
    while (quiet < QUIET_LOOKS) {
      long now = Files.size(old);
      quiet = now > read ? 0 : quiet + 1;
      if (now > read) {
        append(log, bytes(old, read, now));
        read = now;
      }
      Thread.sleep(patience.poll().toMillis());
    }
  }

  private static ByteBuffer bytes(Path file, long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(to - from));
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      in.position(from);
      boolean more = true;
      while (more && bytes.hasRemaining()) {
        more = in.read(bytes) >= 0;
      }
    }
    return bytes.flip();
  }

  /** In one write to the end, between the lines of whoever else appends. */
  private static void append(Path log, ByteBuffer bytes) throws IOException {
    try (FileChannel out =
        FileChannel.open(
            log, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }
}
