package org.calando.gears;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import org.calando.control.file.AtomicFiles;

/** Replaces files as a whole. Stateless. */
final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Replaces a file by one that takes over its owner and mode: another user's process may be the
   * one that reads it.
   */
  static void write(Path file, String text) throws IOException {
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
    AtomicFiles.replace(
        target,
        text,
        aside -> {
          if (Files.exists(target)) {
            likeTheOld(target, aside);
            if (kept.isPresent()) {
              keep(target, target.resolveSibling(target.getFileName() + kept.get()));
            }
          }
        });
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
