package org.calando.store.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * CPU time of one thread of a server on this machine, as the scheduler counts it in nanoseconds.
 * Immutable and thread safe.
 *
 * @param pid number of the process
 * @param tid number of the thread
 * @param name of the thread: that of the program for the main thread, {@code io_thd_1} and so on
 *     for those that {@code io-threads} adds, {@code bio_...} for those in the background
 * @param cpuNanos time on a core since the thread's start
 * @param waitNanos time that it was ready to run and had no core
 */
public record ThreadCpu(long pid, long tid, String name, long cpuNanos, long waitNanos) {

  /** Whether it is one of those that read requests and write answers beside the main thread. */
  public boolean isIo() {
    return name.startsWith("io_thd_");
  }

  /**
   * The threads of a process, by number; those that end meanwhile are left out.
   *
   * @return empty if there is no such process, or the kernel does not count
   */
  public static List<ThreadCpu> of(long pid) {
    List<ThreadCpu> threads = new ArrayList<>();
    Path folder = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
      for (Path task : tasks) {
        addThread(pid, task, threads);
      }
    } catch (IOException | DirectoryIteratorException ended) {
      return List.of();
    }
    threads.sort((a, b) -> Long.compare(a.tid, b.tid));
    return List.copyOf(threads);
  }

  private static void addThread(long pid, Path task, List<ThreadCpu> threads) {
    try {
      // "time on a core, time waiting for one, time slices"
      String[] counts = read(task.resolve("schedstat")).split(" ", -1);
      threads.add(
          new ThreadCpu(
              pid,
              Long.parseLong(task.getFileName().toString()),
              read(task.resolve("comm")),
              Long.parseLong(counts[0]),
              counts.length > 1 ? Long.parseLong(counts[1]) : 0));
    } catch (IOException | NumberFormatException ended) {
      // a thread that has just ended
    }
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
  }
}
