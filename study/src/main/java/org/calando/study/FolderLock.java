package org.calando.study;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/*
 * The lock is on the open file, not on its name: who opened the file just before its owner deleted
 * it would lock a file that nobody else finds any more. So the owner writes a word of its own into
 * the file and holds the lock only if the file of that name has it. The file is deleted only while
 * the lock is held.
 */

/**
 * Keeps other processes, and other users within this one, out of a folder, by a lock on its file
 * {@code .lock}. Ends with the process, however that ends. Not thread safe.
 */
final class FolderLock implements AutoCloseable {
  /** Name of the file; it stays behind if the process is killed. */
  static final String FILE = ".lock";

  private static final int ATTEMPTS = 5;

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @return the lock, or empty if the folder is another's
   * @throws IOException if the file cannot be written
   */
  static Optional<FolderLock> tryLock(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      boolean held = false;
      try {
        if (!lock(channel)) {
          return Optional.empty();
        }
        held = isStillThere(file, channel);
        if (held) {
          return Optional.of(new FolderLock(file, channel));
        }
      } finally {
        if (!held) {
          channel.close();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static boolean isStillThere(Path file, FileChannel channel) throws IOException {
    String word = UUID.randomUUID().toString();
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap(word.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    try {
      return Files.readString(file).equals(word);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The lock ends with the process at the latest; the file harms nobody.
    }
  }
}
