package org.calando.store.redis.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * CPU time of a server's threads by the kernel's scheduler, in nanoseconds; {@code /proc/PID/stat}
 * counts hundredths of a second only.
 *
 * @param mainNanos of the thread that carries out commands
 * @param ioNanos of all threads named {@code io_thd_...}
 */
record ThreadTimes(long mainNanos, long ioNanos) {
  /** Of a process; empty if it has ended, or the kernel does not count. */
  static Optional<ThreadTimes> of(LocalProcess process) {
    long main = -1;
    long io = 0;
    try {
      for (long thread : process.threads().orElseThrow(() -> new IOException("ended"))) {
        Path folder = Path.of("/proc", Long.toString(process.pid()), "task", Long.toString(thread));
        if (thread == process.pid()) {
          main = nanos(folder);
        } else if (read(folder.resolve("comm")).startsWith("io_thd_")) {
          io += nanos(folder);
        }
      }
    } catch (IOException | NumberFormatException ended) {
      return Optional.empty();
    }
    return main < 0 ? Optional.empty() : Optional.of(new ThreadTimes(main, io));
  }

  /** Of the thread that carries out commands alone, which takes one small file; -1 if unknown. */
  static long mainNanos(LocalProcess process) {
    String pid = Long.toString(process.pid());
    try {
      return nanos(Path.of("/proc", pid, "task", pid));
    } catch (IOException | NumberFormatException ended) {
      return -1;
    }
  }

  private static long nanos(Path thread) throws IOException {
    return Long.parseLong(read(thread.resolve("schedstat")).split(" ", 2)[0]);
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
