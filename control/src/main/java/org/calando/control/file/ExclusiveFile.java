package org.calando.control.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
public final class ExclusiveFile implements AutoCloseable {
  /** What this process has open; also guards the opening and closing. */
  private static final Map<Path, ExclusiveFile> HELD = new HashMap<>();

  private static final Set<StandardOpenOption> NEW =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);

  /** What this process has open, by the kernel. */
  private static final Path OPEN = Path.of("/proc/self/fd");

  private final Path key;
  private volatile FileChannel channel;

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
  public static Optional<ExclusiveFile> open(Path file) throws IOException {
    return open(
        key(file),
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /**
   * Opens a file that is there.
   *
   * @return nothing if another has it, or it is not there
   * @throws IOException if it cannot be opened
   */
  public static Optional<ExclusiveFile> openExisting(Path file) throws IOException {
    try {
      return open(key(file), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<ExclusiveFile> open(Path key, Set<StandardOpenOption> options)
      throws IOException {
    synchronized (HELD) {
      while (!HELD.containsKey(key)) {
        FileChannel channel = FileChannel.open(key, options);
        boolean held = false;
        try {
          @Nullable FileLock lock = channel.tryLock();
          if (lock == null) {
            return Optional.empty();
          }
          // Else whoever had it removed it after it was opened here: others have another by now.
          held = isOpenHere(key);
        } finally {
          if (!held) {
            channel.close();
          }
        }
        if (held) {
          ExclusiveFile exclusive = new ExclusiveFile(key, channel);
          HELD.put(key, exclusive);
          return Optional.of(exclusive);
        }
      }
      return Optional.empty();
    }
  }

  /** Whether this process has the file open that goes by a name now. */
  private static boolean isOpenHere(Path file) throws IOException {
    @Nullable Object named;
    try {
      named = fileKey(file);
    } catch (NoSuchFileException e) {
      return false;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(OPEN)) {
      for (Path one : all) {
        try {
          if (Objects.equals(named, fileKey(one))) {
            return true;
          }
        } catch (IOException e) {
          // Another thread has closed it meanwhile.
        }
      }
    }
    return false;
  }

  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * What a file holds, whoever has it open; empty if it is not there.
   *
   * @throws IOException if it cannot be read
   */
  public static String peek(Path file) throws IOException {
    synchronized (HELD) {
      @Nullable ExclusiveFile held = HELD.get(key(file));
      if (held != null) {
        return held.text();
      }
      try {
        // Not readString, which refuses what a damaged file may hold.
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      } catch (NoSuchFileException e) {
        return "";
      }
    }
  }

  /*
   *   write beside it, whole, on the disk, locked --> rename over it --> close the old one, and with it its lock
   *
   * A kill leaves the old one before the rename and the new one after it. What it left beside the old one is no file of
   * anybody's: removeUnfinished.
   */
  /**
   * Replaces all that it holds; it stays locked throughout. Who has opened the old file and waits
   * for its lock finds that it has gone.
   *
   * @throws IOException if that cannot be written; it is as it was then, mostly
   */
  public void replace(byte[] bytes) throws IOException {
    synchronized (HELD) {
      Path beside = AtomicFiles.temporary(key);
      FileChannel made = FileChannel.open(beside, NEW);
      boolean replaced = false;
      try (FileChannel folder = FileChannel.open(folder(key), StandardOpenOption.READ)) {
        if (made.tryLock() == null) {
          throw new IOException(beside + " is in use");
        }
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          made.write(left);
        }
        made.force(true);
        Files.move(beside, key, StandardCopyOption.ATOMIC_MOVE);
        replaced = true;
        FileChannel old = channel;
        channel = made;
        old.close();
        // The name too: what is added to the new file from now on must not be lost with the
        // machine.
        folder.force(true);
      } finally {
        if (!replaced) {
          made.close();
          removeUnfinished();
        }
      }
    }
  }

  /** Removes what a kill has left of a replacement; for who holds the file. */
  public void removeUnfinished() throws IOException {
    Files.deleteIfExists(AtomicFiles.temporary(key));
  }

  /** The one channel through which the file may be read and written. */
  public FileChannel channel() {
    return channel;
  }

  /** How many bytes it holds; another number if that cannot be told. */
  public long sizeOr(long otherwise) {
    try {
      return channel.size();
    } catch (IOException e) {
      return otherwise;
    }
  }

  /** As {@link #bytes}, as text. */
  public String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** All that it holds; leaves the channel's position alone. */
  public byte[] bytes() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
      // until all of it is read
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** Removes the file; who has opened it and waits for the lock finds that it has gone. */
  public void remove() {
    try {
      Files.deleteIfExists(key);
    } catch (IOException e) {
      // An empty file says the same. The folder may be root's.
    }
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
    Path name = whole.getFileName();
    if (name == null) {
      throw new IOException("is no file's name");
    }
    return folder(whole).toRealPath().resolve(name);
  }

  private static Path folder(Path whole) throws IOException {
    Path parent = whole.getParent();
    if (parent == null) {
      throw new IOException("is no file's name");
    }
    return parent;
  }
}
