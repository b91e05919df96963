package org.calando.clock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.CpuSet;
import org.calando.core.ProcStat;

/** What the kernel tells of processes and their threads. Immutable and thread safe. */
public final class ProcFs {
  /** Bit of {@code CapEff} that lets a process move threads of other users' processes. */
  private static final int CAP_SYS_NICE = 23;

  private final Path root;

  /**
   * Processes.
   *
   * @param root {@code /proc}, but for tests
   */
  public ProcFs(Path root) {
    this.root = root;
  }

  /** This machine's. */
  public static ProcFs machine() {
    return new ProcFs(Path.of("/proc"));
  }

  /**
   * When a process started, in clock ticks since the machine did; with its number that tells it
   * from any other.
   *
   * @return nothing if it is not there, or has ended and only its parent has not asked
   */
  public OptionalLong startTicks(long pid) {
    try {
      ProcStat stat = ProcStat.parse(text(root.resolve(Long.toString(pid)).resolve("stat")));
      return stat.ended() ? OptionalLong.empty() : OptionalLong.of(stat.startTicks());
    } catch (IOException | IllegalArgumentException gone) {
      return OptionalLong.empty();
    }
  }

  /**
   * The threads of a process, by number; those that end meanwhile are left out.
   *
   * @throws IOException if there is no such process
   */
  public List<Integer> threads(long pid) throws IOException {
    List<Integer> threads = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasks(pid), "[0-9]*")) {
      folders.forEach(folder -> threads.add(Integer.valueOf(folder.getFileName().toString())));
    }
    threads.sort(Comparator.naturalOrder());
    return threads;
  }

  /**
   * A thread's name.
   *
   * @throws IOException if it has ended
   */
  public String name(long pid, int tid) throws IOException {
    return text(task(pid, tid).resolve("comm")).strip();
  }

  /**
   * The processors that a thread may run on.
   *
   * @throws IOException if it has ended
   */
  public CpuSet allowed(long pid, int tid) throws IOException {
    for (String line : text(task(pid, tid).resolve("status")).lines().toList()) {
      if (line.startsWith("Cpus_allowed_list:")) {
        return CpuSet.parse(line.substring(line.indexOf(':') + 1));
      }
    }
    throw new IOException("thread " + tid + " reports no processors");
  }

  /** Tells one start of the machine from another; empty where the kernel does not. */
  public String bootId() {
    try {
      return text(root.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException absent) {
      return "";
    }
  }

  /** Whether this process may move threads of other users' processes. */
  public boolean maySetAnyAffinity() {
    try {
      for (String line : text(root.resolve("self").resolve("status")).lines().toList()) {
        if (line.startsWith("CapEff:")) {
          long capabilities = Long.parseUnsignedLong(line.substring(7).strip(), 16);
          return (capabilities >>> CAP_SYS_NICE & 1) == 1;
        }
      }
    } catch (IOException | NumberFormatException unknown) {
      // then it may not, as far as can be told
    }
    return false;
  }

  private Path tasks(long pid) {
    return root.resolve(Long.toString(pid)).resolve("task");
  }

  private Path task(long pid, int tid) {
    return tasks(pid).resolve(Integer.toString(tid));
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
