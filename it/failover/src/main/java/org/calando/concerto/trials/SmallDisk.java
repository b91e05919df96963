package org.calando.concerto.trials;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;

/** A disk of some megabytes, in memory, that can be filled. */
public final class SmallDisk implements AutoCloseable {
  private static final String BALLAST = "ballast";
  private static final int CHUNK = 1 << 16;

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /**
   * Mounts one among temporary files.
   *
   * @param mebibytes its size
   * @return empty where this user may not mount
   */
  public static Optional<SmallDisk> mount(int mebibytes) {
    try {
      Path folder = Files.createTempDirectory("calando-disk");
      Optional<SmallDisk> disk = mount(folder, mebibytes);
      if (disk.isEmpty()) {
        Files.delete(folder);
      }
      return disk;
    } catch (IOException e) {
      throw new FailedWorkException("no folder: " + e, "temporary files", "make room", e);
    }
  }

  /**
   * Mounts one.
   *
   * @param folder where, which is there
   * @param mebibytes its size
   * @return empty where this user may not mount
   */
  static Optional<SmallDisk> mount(Path folder, int mebibytes) {
    List<String> command =
        List.of(
            "mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
    return run(command) ? Optional.of(new SmallDisk(folder)) : Optional.empty();
  }

  private static boolean run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Where nodes keep their blocks. */
  public Path folder() {
    return folder.resolve("nodes");
  }

  /** Fills it to the last block. */
  public void fill() {
    try (OutputStream out = Files.newOutputStream(folder.resolve(BALLAST))) {
      byte[] chunk = new byte[CHUNK];
      while (true) {
        out.write(chunk);
      }
    } catch (IOException full) {
      // as was wanted
    }
  }

  /** Makes room again. */
  public void empty() {
    try {
      Files.deleteIfExists(folder.resolve(BALLAST));
    } catch (IOException e) {
      throw new FailedWorkException("not removed: " + e, folder.toString(), "remove it", e);
    }
  }

  @Override
  public void close() {
    if (run(List.of("umount", "-l", folder.toString()))) {
      try {
        Files.delete(folder);
      } catch (IOException e) {
        // an empty folder among temporary files
      }
    }
  }
}
