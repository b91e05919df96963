package org.calando.control.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;

/*
 * The lock is on the open file, not on its name: who opened the file just before its owner deleted
 * it would lock a file that nobody else finds any more. So the owner gives its open file a random
 * length, and holds the lock only if the file of that name has it. The file is deleted only while
 * the lock is held.
 *
 * POSIX drops a process's lock when the process closes the file by whatever descriptor. So within
 * this process the file is neither read nor opened twice.
 */

/**
 * Keeps other processes, and other users within this one, out of a folder, by a lock on its file
 * {@code .lock}. Ends with the process, however that ends. Not thread safe.
 */
public final class FolderLock implements AutoCloseable {
  /** Name of the file; it stays behind if the process is killed. */
  public static final String FILE = ".lock";

  private static final int ATTEMPTS = 5;
  private static final int MAX_LENGTH = 1 << 20;
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

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
  public static Optional<FolderLock> tryLock(Path folder) throws IOException {
    Path file = folder.toRealPath().resolve(FILE);
    if (!HELD_HERE.add(file)) {
      return Optional.empty();
    }
    Optional<FolderLock> lock = Optional.empty();
    try {
      lock = tryFile(file);
      return lock;
    } finally {
      if (lock.isEmpty()) {
        HELD_HERE.remove(file);
      }
    }
  }

  /**
   * Makes a folder for what a command writes, and locks it.
   *
   * @throws BadRequestException if another command works in it
   * @throws FailedWorkException if it cannot be written
   */
  public static FolderLock forOutput(Path folder) {
    try {
      Files.createDirectories(folder);
      return tryLock(folder)
          .orElseThrow(
              () ->
                  new BadRequestException(
                      "another calando process is working in this folder",
                      folder.toString(),
                      "wait for it to end, or choose another folder with --out"));
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(folder, e);
    }
  }

  private static Optional<FolderLock> tryFile(Path file) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      boolean held = false;
      try {
        if (channel.tryLock() == null) {
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

  /** Whether the open file, which is locked, is the one that others find. */
  public static boolean isStillThere(Path file, FileChannel channel) throws IOException {
    int length = ThreadLocalRandom.current().nextInt(1, MAX_LENGTH);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(new byte[1]), length - 1L);
    try {
      return Files.size(file) == length;
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
    } finally {
      HELD_HERE.remove(file);
    }
  }
}
