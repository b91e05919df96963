package org.calando.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.calando.control.file.AtomicFiles;
import org.calando.control.file.FolderLock;
import org.calando.core.CalandoException;

/*
 * The folder is locked for as long as the name is in use, and the kernel ends that with the process. So who finds the
 * folder free and the name in it knows that whoever had it is dead.
 */
/**
 * What agents know a governor by, also when it was killed and has started again: kept in a folder,
 * and nobody else's while this is open. Where another process of the same folder has it, or it
 * cannot be kept, it is a new one. Immutable and thread safe.
 */
final class GovernorName implements AutoCloseable {
  private static final String FILE = "name";

  private final String name;
  private final Optional<FolderLock> lock;

  private GovernorName(String name, Optional<FolderLock> lock) {
    this.name = name;
    this.lock = lock;
  }

  /** One that nobody else has, and that no agent will know again. */
  static GovernorName fresh() {
    return new GovernorName(UUID.randomUUID().toString(), Optional.empty());
  }

  /** That of a folder, which is made if it is not there. */
  static GovernorName of(Path folder) {
    String fresh = UUID.randomUUID().toString();
    Optional<FolderLock> lock = Optional.empty();
    try {
      Files.createDirectories(folder);
      lock = FolderLock.tryLock(folder);
      return new GovernorName(lock.isPresent() ? kept(folder, fresh) : fresh, lock);
    } catch (IOException | CalandoException e) {
      // Then agents take it for another governor, and it waits for its former self's lease to end.
      return new GovernorName(fresh, lock);
    }
  }

  private static String kept(Path folder, String fresh) throws IOException {
    Path file = folder.resolve(FILE);
    String kept = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8).strip() : "";
    if (kept.matches("[0-9a-f-]{36}")) {
      return kept;
    }
    AtomicFiles.write(file, fresh + "\n");
    return fresh;
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    lock.ifPresent(FolderLock::close);
  }
}
