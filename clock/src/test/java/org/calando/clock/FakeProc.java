package org.calando.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.calando.clock.thread.ThreadAffinity;
import org.calando.core.CpuSet;

/** Processes as files in a folder; their threads move when they are told. */
public final class FakeProc implements ThreadAffinity {
  private final Path root;

  /** Threads that refuse to move. */
  public final Set<Integer> stuck = new HashSet<>();

  FakeProc(Path root) {
    this.root = root;
    boot("first");
    // who holds a lease must be seen to live
    int self = (int) ProcessHandle.current().pid();
    process(self, ProcFs.machine().startTicks(self).orElseThrow());
  }

  ProcFs files() {
    return new ProcFs(root);
  }

  /** The machine restarts. */
  FakeProc boot(String id) {
    put(Path.of("sys/kernel/random/boot_id"), id);
    return this;
  }

  FakeProc capabilities(String mask) {
    put(Path.of("self/status"), "Name:\tx\nCapEff:\t" + mask);
    return this;
  }

  /** Adds a process. */
  public FakeProc process(int pid, long startTicks) {
    put(
        Path.of(pid + "", "stat"),
        pid + " (redis (x) server) S 1" + " 0".repeat(17) + " " + startTicks + " 0 0");
    return this;
  }

  /** Adds a thread of one. */
  public FakeProc thread(int pid, int tid, String name, String cpus, long cpuNanos) {
    Path task = Path.of(pid + "", "task", tid + "");
    put(task.resolve("comm"), name);
    put(task.resolve("status"), "Name:\t" + name + "\nCpus_allowed_list:\t" + cpus);
    put(task.resolve("schedstat"), cpuNanos + " 17 3");
    return this;
  }

  /** Where a thread may run. */
  public String cpus(int pid, int tid) {
    try {
      return files().allowed(pid, tid).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends a process. */
  public void end(int pid) {
    try (Stream<Path> files = Files.walk(root.resolve(pid + ""))) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void set(int tid, CpuSet cpus) throws IOException {
    if (stuck.contains(tid)) {
      throw new IOException("thread " + tid + " cannot be moved");
    }
    try (Stream<Path> files = Files.find(root, 4, (path, is) -> path.endsWith("task/" + tid))) {
      Path task = files.findFirst().orElseThrow(() -> new IOException("it has ended"));
      Files.writeString(task.resolve("status"), "Cpus_allowed_list:\t" + cpus + "\n");
    }
  }

  @Override
  public String lack() {
    return "";
  }

  private void put(Path file, String text) {
    try {
      Path whole = root.resolve(file);
      Files.createDirectories(whole.getParent());
      Files.writeString(whole, text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
