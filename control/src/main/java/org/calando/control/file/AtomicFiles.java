package org.calando.control.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;

/**
 * Files that are either wholly there or not at all, whatever ends the process: written beside their
 * place, flushed to the disk, then renamed.
 */
public final class AtomicFiles {
  private AtomicFiles() {}

  /**
   * Replaces {@code file} by {@code text}.
   *
   * @throws FailedWorkException naming the file, if it cannot be written (disk full, no permission)
   */
  public static void write(Path file, String text) {
    try {
      replace(file, text, temporary -> {});
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /** What remains to be done with a file that is written. */
  public interface Written {
    /** Does it, before the file takes its place. */
    void at(Path temporary) throws IOException;
  }

  /** Replaces {@code file} by {@code text}; it is on the disk on return. */
  public static void replace(Path file, String text, Written last) throws IOException {
    Path temporary = temporary(file);
    try {
      writeThrough(temporary, text);
      last.at(temporary);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Where a file is written before it takes its place; left there only by a kill. */
  public static Path temporary(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".new");
  }

  private static void writeThrough(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /**
   * Moves a finished folder to its place in one step. What an earlier try left there goes first, so
   * that a process that is killed in between leaves neither.
   */
  public static void moveFolder(Path from, Path to) {
    try {
      syncFiles(from);
      deleteTree(to); // a rename replaces empty folders only
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw cannotWrite(to, e);
    }
  }

  /** Deletes a folder of our own and all in it; a folder that is not there is fine. */
  public static void deleteTree(Path folder) throws IOException {
    List<Path> entries;
    try (Stream<Path> walk = Files.walk(folder)) {
      entries = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path entry : entries) {
      Files.deleteIfExists(entry);
    }
  }

  /**
   * Removes a file of a lease of which everything is restored; nothing if it is not there.
   *
   * @throws FailedWorkException if it cannot be removed
   */
  public static void removeRestored(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new FailedWorkException(
          "is restored and cannot be removed: " + e.getMessage(),
          file.toString(),
          "remove it by hand",
          e);
    }
  }

  /** The error that tells a user why a file or folder cannot be written, and what to do. */
  public static FailedWorkException cannotWrite(Path file, IOException e) {
    String reason = reason(e);
    boolean full = reason.contains("No space left") || reason.contains("quota exceeded");
    return new FailedWorkException(
        full ? "the disk is full" : "cannot be written (" + reason + ")",
        file.toString(),
        full
            ? "free some space, then repeat the command with --resume: finished runs are kept"
            : "check that the folder exists and may be written, or choose another with --out",
        e);
  }

  /** The JDK's file errors have the path for a message, and the reason elsewhere. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileSystemException error) {
      String reason = error.getReason();
      return reason == null ? e.getClass().getSimpleName() : reason;
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static void syncFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
  }
}
