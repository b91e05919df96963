package org.calando.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * The kernel gives a process's locks on a file back as soon as the process closes any descriptor of
 * that file. So whoever holds one must read the file through its own channel, and a second attempt
 * in the same process must be turned away before it opens the file.
 */
/**
 * A file that one process at a time has open, and in it one user at a time. The lock is the
 * kernel's: it ends with the process, however that ends. Thread safe.
 */
final class ExclusiveFile implements AutoCloseable {
  /** What this process has open; also guards the opening and closing. */
  private static final Map<Path, ExclusiveFile> HELD = new HashMap<>();

  private final Path key;
  private final FileChannel channel;

  private ExclusiveFile(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /**
   * Opens a file, made if it is not there.
   *
   * @return nothing if another has it
   * @throws IOException if it cannot be opened
   */
  static Optional<ExclusiveFile> open(Path file) throws IOException {
    Path key = key(file);
    synchronized (HELD) {
      if (HELD.containsKey(key)) {
        return Optional.empty();
      }
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean held = false;
      try {
        @Nullable FileLock lock = channel.tryLock();
        held = lock != null;
      } finally {
        if (!held) {
          channel.close();
        }
      }
      if (!held) {
        return Optional.empty();
      }
      ExclusiveFile exclusive = new ExclusiveFile(key, channel);
      HELD.put(key, exclusive);
      return Optional.of(exclusive);
    }
  }

  /**
   * What a file holds, whoever has it open.
   *
   * @throws IOException if it cannot be read
   */
  static String peek(Path file) throws IOException {
    synchronized (HELD) {
      @Nullable ExclusiveFile held = HELD.get(key(file));
      return held == null ? Files.readString(file) : held.text();
    }
  }

  /** The one channel through which the file may be read and written. */
  FileChannel channel() {
    return channel;
  }

  /** All that it holds; leaves the channel's position alone. */
  String text() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
      // until all of it is read
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      HELD.remove(key, this);
      channel.close();
    }
  }

  private static Path key(Path file) throws IOException {
    Path whole = file.toAbsolutePath().normalize();
    Path parent = whole.getParent();
    Path name = whole.getFileName();
    if (parent == null || name == null) {
      throw new IOException("is no file's name");
    }
    return parent.toRealPath().resolve(name);
  }
}
