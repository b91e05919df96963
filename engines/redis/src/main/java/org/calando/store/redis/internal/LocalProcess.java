package org.calando.store.redis.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.calando.core.ProcStat;

/**
 * A server's process on this machine. Immutable.
 *
 * @param pid its number
 */
record LocalProcess(long pid) {
  /** Linux tells times of processes in hundredths of a second on every architecture. */
  private static final double TICKS_PER_SECOND = 100;

  /** A server counts whole seconds, from some time after its start on. */
  private static final double TOLERANCE_SECONDS = 3;

  /**
   * The process that a server says it is, if it runs here: its host is this machine and the process
   * of that number is as old as the server. A server in a container tells a number that means
   * another process out here.
   *
   * @param uptimeSeconds of the server, in its own word
   */
  static Optional<LocalProcess> find(String host, long pid, long uptimeSeconds) {
    try {
      InetAddress address = InetAddress.getByName(host);
      boolean here =
          address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
      return here && pid > 0 && Math.abs(ageSeconds(pid) - uptimeSeconds) <= TOLERANCE_SECONDS
          ? Optional.of(new LocalProcess(pid))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException notHere) {
      return Optional.empty();
    }
  }

  private static double ageSeconds(long pid) throws IOException {
    ProcStat stat = ProcStat.parse(read(Path.of("/proc", Long.toString(pid), "stat")));
    double startSeconds = stat.startTicks() / TICKS_PER_SECOND;
    return Double.parseDouble(read(Path.of("/proc/uptime")).split(" ", -1)[0]) - startSeconds;
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  /**
   * Its main thread and those that read requests and write answers beside it; 0 if it has ended.
   */
  static int ioThreads(long pid) {
    int threads = 0;
    for (long tid : new LocalProcess(pid).threads().orElse(Set.of())) {
      try {
        Path name = Path.of("/proc", Long.toString(pid), "task", Long.toString(tid), "comm");
        threads += tid == pid || read(name).startsWith("io_thd_") ? 1 : 0;
      } catch (IOException ended) {
        // a thread that has just ended
      }
    }
    return threads;
  }

  /** Numbers of its threads; empty if it has ended. */
  Optional<Set<Long>> threads() {
    Set<Long> threads = new HashSet<>();
    Path folder = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
      for (Path task : tasks) {
        threads.add(Long.parseLong(task.getFileName().toString()));
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException ended) {
      return Optional.empty();
    }
    return threads.isEmpty() ? Optional.empty() : Optional.of(threads);
  }
}
