package org.calando.local.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;

/**
 * Has the kernel forget what it keeps in memory of the files of some folders, and looks afterwards
 * whether it has. Files that come or go meanwhile are passed over. Thread safe.
 *
 * <p>What lies below the kernel stays as it is: a disk's own memory, and that of the host of a
 * virtual machine.
 */
public final class ColdCache {
  /** Where pages are the only place of the data. */
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");

  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

  /** Clean pages; not the kernel's tables of names. */
  private static final String PAGES = "1\n";

  /** A hundredth in memory changes no measurement that anybody could repeat. */
  private static final int COLD_SHARE = 100;

  private ColdCache() {}

  /** By what the pages were dropped. */
  public enum Way {
    /** The kernel was told, file by file, that they are not needed. */
    FADVISE,
    /** That was not enough; all clean pages of the machine were dropped too. */
    DROP_CACHES,
    /** Nothing was dropped, see the reason. */
    NONE
  }

  /**
   * What came of it.
   *
   * @param way by what
   * @param bytes size of all files
   * @param cachedBefore bytes of them in memory before, to whole pages; -1 if not known
   * @param cachedAfter bytes of them in memory after, to whole pages; -1 if not known
   * @param reason why nothing was dropped, or not all; else empty
   */
  public record Outcome(Way way, long bytes, long cachedBefore, long cachedAfter, String reason) {
    /** Whether at most a hundredth is in memory. */
    public boolean isCold() {
      return cachedAfter >= 0 && cachedAfter <= bytes / COLD_SHARE;
    }

    /** For people: what was done, and how much is in memory. */
    public String describe() {
      String done =
          way == Way.NONE
              ? "cache not dropped"
              : "cache dropped by " + way.name().toLowerCase(Locale.ROOT);
      String sizes =
          cachedAfter < 0
              ? ""
              : ", %d of %d MB in memory, %d before"
                  .formatted(cachedAfter / 1_000_000, bytes / 1_000_000, cachedBefore / 1_000_000);
      return done + sizes + (reason.isEmpty() ? "" : ": " + reason);
    }
  }

  /**
   * Drops the pages of all files below the folders. Changed pages are written first.
   *
   * @param folders that are readable
   * @param machineWide whether all clean pages of the machine may be dropped where those of the
   *     files alone cannot be, for example because a process has them mapped
   * @throws FailedWorkException if a folder cannot be read
   */
  public static Outcome drop(List<Path> folders, boolean machineWide) {
    try {
      List<Path> files = files(folders);
      if (!PageCache.isAvailable()) {
        return withoutNativeCode(files, machineWide);
      }
      Sizes before = sizes(files);
      Set<String> inMemory = inMemory(folders);
      if (!inMemory.isEmpty()) {
        String reason = "the files are on " + String.join(", ", inMemory) + ": always in memory";
        return new Outcome(Way.NONE, before.bytes(), before.cached(), before.cached(), reason);
      }
      String failure = advise(files);
      Sizes after = sizes(files);
      Way way = failure.isEmpty() ? Way.FADVISE : Way.NONE;
      Outcome outcome = new Outcome(way, after.bytes(), before.cached(), after.cached(), failure);
      if (outcome.isCold() || !machineWide || !dropAll()) {
        return outcome;
      }
      after = sizes(files);
      return new Outcome(Way.DROP_CACHES, after.bytes(), before.cached(), after.cached(), "");
    } catch (IOException | UncheckedIOException e) {
      throw new FailedWorkException(
          "cached files cannot be looked at: " + e.getMessage(),
          folders.toString(),
          "run as the user whose files they are",
          e);
    }
  }

  private static Outcome withoutNativeCode(List<Path> files, boolean machineWide)
      throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.exists(file) ? Files.size(file) : 0;
    }
    String unknown = "native code cannot be loaded: what is in memory is not known";
    Way way = machineWide && dropAll() ? Way.DROP_CACHES : Way.NONE;
    return new Outcome(way, bytes, -1, -1, unknown);
  }

  private static List<Path> files(List<Path> folders) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    return files;
  }

  private static Set<String> inMemory(List<Path> folders) throws IOException {
    Set<String> kinds = new TreeSet<>();
    for (Path folder : folders) {
      String kind = Files.getFileStore(folder).type();
      if (IN_MEMORY.contains(kind)) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private record Sizes(long bytes, long cached) {}

  private static Sizes sizes(List<Path> files) throws IOException {
    long bytes = 0;
    long cached = 0;
    for (Path file : files) {
      try {
        long size = Files.size(file);
        cached += size == 0 ? 0 : PageCache.cachedBytes(file, size);
        bytes += size;
      } catch (NoSuchFileException gone) {
        // then nothing of it is needed either
      }
    }
    return new Sizes(bytes, cached);
  }

  /** Returns the first failure, or an empty text. */
  private static String advise(List<Path> files) {
    String failure = "";
    for (Path file : files) {
      try {
        PageCache.drop(file);
      } catch (NoSuchFileException gone) {
        // then nothing of it is in memory
      } catch (IOException e) {
        failure = failure.isEmpty() ? String.valueOf(e.getMessage()) : failure;
      }
    }
    return failure;
  }

  private static boolean dropAll() {
    try {
      Files.writeString(DROP_CACHES, PAGES);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
