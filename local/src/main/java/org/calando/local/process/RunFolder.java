package org.calando.local.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one cluster: its files, its {@code state.json}, and {@code children}, one line "pid
 * startTicks" per process ever started, which the guard reads. Thread safe.
 */
public final class RunFolder {
  static final String CHILDREN = "children";

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int ATTEMPTS = 5;

  /** A file lock is a whole process's. */
  private static final Object RECORDING = new Object();

  private final Path path;
  private RunState state;

  private RunFolder(Path path, RunState state) {
    this.path = path;
    this.state = state;
  }

  /** The folder that holds this user's temporary run folders: {@code <tmp>/calando-<uid>}. */
  public static Path base() {
    try {
      Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return Path.of(System.getProperty("java.io.tmpdir")).resolve("calando-" + uid);
    } catch (IOException e) {
      throw new FailedWorkException("the user number cannot be read", "/proc/self", "", e);
    }
  }

  /**
   * Makes a temporary folder {@code <base>/<engine>-<pid>-<random>}, mode 0700.
   *
   * @throws FailedWorkException if the base is not this user's own private folder, or the disk
   *     refuses
   */
  public static RunFolder temporary(Path base, String engine, ObjectNode cluster) {
    try {
      return initialise(makeTemporary(base, engine), engine, false, cluster);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the run folder cannot be made: " + e,
          base.toString(),
          "free space there, or name another folder with -Djava.io.tmpdir=FOLDER",
          e);
    }
  }

  /**
   * Makes the folder of a cluster: a given one that outlives this process, or a temporary one.
   *
   * @param stateFolder the given one, if there is one
   */
  public static RunFolder of(Optional<Path> stateFolder, String engine, ObjectNode cluster) {
    return stateFolder
        .map(path -> persistent(path, engine, cluster))
        .orElseGet(() -> temporary(base(), engine, cluster));
  }

  /** Makes the given folder, mode 0700, for a cluster that outlives this process. */
  public static RunFolder persistent(Path path, String engine, ObjectNode cluster) {
    try {
      Files.createDirectories(path.toAbsolutePath().normalize(), PRIVATE);
      return initialise(path.toRealPath(), engine, true, cluster);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the state folder cannot be made: " + e, path.toString(), "name another folder", e);
    }
  }

  /**
   * Opens an existing folder.
   *
   * @throws IOException if it holds no readable state
   */
  public static RunFolder open(Path path) throws IOException {
    Path real = path.toRealPath();
    return new RunFolder(real, RunState.readFrom(real));
  }

  /** That a folder holds no cluster of an engine. */
  public static BadRequestException missing(Path path, String engine) {
    return new BadRequestException(
        "there is no local cluster", path.toString(), "start one: ./calando local start " + engine);
  }

  /** Where it is; absolute. */
  public Path path() {
    return path;
  }

  /** The folder of a cluster that outlives its starter; empty if it is temporary. */
  public Optional<Path> stateFolder() {
    return state().persistent() ? Optional.of(path) : Optional.empty();
  }

  /** What the engine wrote of its cluster. */
  public ObjectNode cluster() {
    return state().cluster();
  }

  /**
   * What its {@code state.json} says now, as others may have written it; the last, once removed.
   */
  public synchronized RunState state() {
    try {
      state = RunState.readFrom(path);
    } catch (IOException e) {
      return state;
    }
    return state;
  }

  /**
   * Records a process, in place of an earlier one of the same name. Others may record theirs at the
   * same time, here and in other processes.
   */
  public synchronized void record(String name, ProcessIdentity process) {
    synchronized (RECORDING) {
      try (FileChannel all =
              FileChannel.open(
                  path.resolve(CHILDREN), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          FileLock lock = all.lock()) {
        String line = process.pid() + " " + process.startTicks() + "\n";
        all.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        List<RunState.Child> children = new ArrayList<>(state().children());
        children.removeIf(child -> child.name().equals(name));
        children.add(new RunState.Child(name, process));
        state = state.withChildren(children);
        state.writeInto(path);
        lock.release();
      } catch (IOException e) {
        throw new FailedWorkException(
            "the state of the cluster cannot be written: " + e, path.toString(), "free space", e);
      }
    }
  }

  /** Removes the folder and all in it; what cannot be removed is left. */
  public void remove() {
    removeTree(path);
    if (!state().persistent()) {
      removeIfEmpty(path.getParent());
    }
  }

  /** Removes the base when the last run folder has gone; a base that holds others stays. */
  static void removeIfEmpty(@Nullable Path base) {
    try {
      if (base != null) {
        Files.deleteIfExists(base);
      }
    } catch (IOException notEmpty) {
      // others still run
    }
  }

  /** Removes a folder and all in it, following no links; what cannot be removed is left. */
  public static void removeTree(Path folder) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              return delete(file);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
              return delete(dir);
            }
          });
    } catch (IOException e) {
      // the visitor swallows the failures of single files; the sweep finds what is left
    }
  }

  private static FileVisitResult delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // left for the next sweep
    }
    return FileVisitResult.CONTINUE;
  }

  private static Path makeTemporary(Path base, String engine) throws IOException {
    String prefix = engine + "-" + ProcessHandle.current().pid() + "-";
    for (int attempt = 1; ; attempt++) {
      ensurePrivate(base);
      try {
        return Files.createTempDirectory(base, prefix, PRIVATE);
      } catch (NoSuchFileException e) {
        // the last run of another process has just removed the base
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static RunFolder initialise(
      Path path, String engine, boolean persistent, ObjectNode cluster) throws IOException {
    RunState state = new RunState(engine, ProcessIdentity.self(), persistent, List.of(), cluster);
    state.writeInto(path);
    Files.write(path.resolve(CHILDREN), new byte[0]);
    return new RunFolder(path, state);
  }

  /** Another user could have made the folder first, to have us end or remove what they name. */
  static void ensurePrivate(Path base) throws IOException {
    if (!Files.exists(base, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(base, PRIVATE);
    }
    Object mine = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Object owner = Files.getAttribute(base, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS) || !mine.equals(owner)) {
      throw new IOException("it is not a folder of this user's own");
    }
  }
}
