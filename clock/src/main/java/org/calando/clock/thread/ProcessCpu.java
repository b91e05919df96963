package org.calando.clock.thread;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.calando.core.ProcStat;

/**
 * CPU time of processes from {@code /proc/PID/stat}: one small file a process, whatever its
 * threads, in ticks of 10 ms; and of threads by name, in nanoseconds. Immutable and thread safe.
 */
public final class ProcessCpu implements NodeCpu {
  /** What the kernel tells user space, whatever its own tick is. */
  public static final long TICK_NANOS = 10_000_000;

  private final Path proc;

  /**
   * Processes of a folder.
   *
   * @param proc {@code /proc}, or one that looks like it
   */
  public ProcessCpu(Path proc) {
    this.proc = proc;
  }

  /**
   * CPU time of a process with all its threads, ended ones included, in nanoseconds.
   *
   * @param pid the process
   * @return empty if there is no such process, or it cannot be read
   */
  public OptionalLong nanos(long pid) {
    if (pid <= 0) {
      return OptionalLong.empty();
    }
    try {
      ProcStat stat = ProcStat.parse(text(proc.resolve(Long.toString(pid)).resolve("stat")));
      return OptionalLong.of((stat.userTicks() + stat.systemTicks()) * TICK_NANOS);
    } catch (IOException | IllegalArgumentException ended) {
      return OptionalLong.empty();
    }
  }

  /**
   * CPU time of those threads of a process that live, by the scheduler's count, in nanoseconds.
   *
   * @param pid the process
   * @param namePrefix what their names begin with
   * @return empty if there is no such process, or the kernel does not count; 0 without such threads
   */
  public OptionalLong nanos(long pid, String namePrefix) {
    if (pid <= 0) {
      return OptionalLong.empty();
    }
    Path folder = proc.resolve(Long.toString(pid)).resolve("task");
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(folder)) {
      for (Path thread : threads) {
        if (text(thread.resolve("comm")).startsWith(namePrefix)) {
          // "time on a core, time waiting for one, time slices"
          sum += Long.parseLong(text(thread.resolve("schedstat")).split(" ", 2)[0].strip());
        }
      }
      return OptionalLong.of(sum);
    } catch (IOException | DirectoryIteratorException | NumberFormatException ended) {
      return OptionalLong.empty();
    }
  }

  @Override
  public OptionalLong nanos(String node, long pid) {
    return nanos(pid);
  }

  @Override
  public OptionalLong nanos(String node, long pid, String namePrefix) {
    return nanos(pid, namePrefix);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
