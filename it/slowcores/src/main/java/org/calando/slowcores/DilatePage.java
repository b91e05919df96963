package org.calando.slowcores;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** What a server shares with who slows it: {@code struct page} of dilate.c. Thread safe. */
final class DilatePage {
  private static final long MAGIC = 0x31457461746c6944L;
  private static final int KINDS = ThreadKind.values().length;
  private static final int FACTORS = Long.BYTES;
  private static final int USED = FACTORS + KINDS * Double.BYTES;
  private static final int SPUN = USED + KINDS * Long.BYTES;
  private static final int SIZE = SPUN + KINDS * Long.BYTES;

  private final MappedByteBuffer bytes;

  private DilatePage(MappedByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** The page in a file; empty as long as the server has not made it. */
  static Optional<DilatePage> open(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) < SIZE) {
      return Optional.empty();
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
      bytes.order(ByteOrder.nativeOrder());
      return bytes.getLong(0) == MAGIC ? Optional.of(new DilatePage(bytes)) : Optional.empty();
    }
  }

  void factor(ThreadKind kind, double factor) {
    bytes.putDouble(FACTORS + kind.place() * Double.BYTES, factor);
  }

  double factor(ThreadKind kind) {
    return bytes.getDouble(FACTORS + kind.place() * Double.BYTES);
  }

  long usedNanos(ThreadKind kind) {
    return bytes.getLong(USED + kind.place() * Long.BYTES);
  }

  long spunNanos(ThreadKind kind) {
    return bytes.getLong(SPUN + kind.place() * Long.BYTES);
  }
}
