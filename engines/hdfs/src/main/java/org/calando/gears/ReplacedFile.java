package org.calando.gears;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.Optional;

/** Replaces files as a whole. Stateless. */
public final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Writes a file aside, has it on the disk, and puts it into the place of the old one, whose owner
   * and mode it takes over: another user's process may be the one that reads it.
   */
  public static void write(Path file, String text) throws IOException {
    write(file, text, Optional.empty());
  }

  /**
   * As {@link #write(Path, String)}, with the old file kept beside under another name.
   *
   * @param kept what is added to its name; one of that name from before is replaced
   */
  static void write(Path file, String text, Optional<String> kept) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path target = Files.exists(absolute) ? absolute.toRealPath() : absolute;
    Path folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
    Path aside = folder.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      try (FileChannel channel =
          FileChannel.open(
              aside,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      if (Files.exists(target)) {
        likeTheOld(target, aside);
        if (kept.isPresent()) {
          keep(target, folder.resolve(target.getFileName() + kept.get()));
        }
      }
      Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** A second name of the same file: at every moment it is there under one of them. */
  private static void keep(Path target, Path name) throws IOException {
    Files.deleteIfExists(name);
    Files.createLink(name, target);
  }

  private static void likeTheOld(Path old, Path aside) throws IOException {
    PosixFileAttributes is =
        Files.getFileAttributeView(old, PosixFileAttributeView.class).readAttributes();
    PosixFileAttributeView made = Files.getFileAttributeView(aside, PosixFileAttributeView.class);
    PosixFileAttributes has = made.readAttributes();
    made.setPermissions(is.permissions());
    if (!has.owner().equals(is.owner())) {
      made.setOwner(is.owner());
    }
    if (!has.group().equals(is.group())) {
      made.setGroup(is.group());
    }
  }
}
