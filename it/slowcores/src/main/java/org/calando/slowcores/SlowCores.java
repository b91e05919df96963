package org.calando.slowcores;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * dilate.c, preloaded into a server, makes its threads spin for k - 1 times the CPU time that they
 * used. Here k follows what is written into a tree of files that looks like cpufreq's: fastest clock
 * over the clock of the core that the thread is said to run on. So what sets clocks by sysfs is
 * tested with servers that do become slower, on machines without cpufreq and with fewer cores than
 * the tree has.
 */
/**
 * Slows servers to the clocks that a fake sysfs tree says. Linux with gcc only. Thread safe.
 *
 * <p>A server that is started by {@link #slowable} is at full speed until {@link #place} says which
 * of the tree's cores its threads run on; from then on it follows the tree, within about a
 * millisecond of each write.
 */
public final class SlowCores implements AutoCloseable {
  private static final long COMPILE_SECONDS = 60;

  private final Path folder;
  private final FakeCpufreq tree;
  private final WatchService watcher;
  private final Map<Long, Server> servers = new HashMap<>();
  private String trouble = "";

  private record Server(DilatePage page, EnumMap<ThreadKind, Integer> cores) {}

  private SlowCores(Path folder, Path cpufreq) throws IOException {
    this.folder = folder;
    this.tree = new FakeCpufreq(cpufreq);
    this.watcher = cpufreq.getFileSystem().newWatchService();
    for (Path policy : tree.policies()) {
      var unused = policy.register(watcher, StandardWatchEventKinds.ENTRY_MODIFY);
    }
  }

  /**
   * Compiles what servers are slowed by, and follows a tree.
   *
   * @param folder an empty folder for it; whoever made it removes it
   * @param cpufreq the tree, with a folder {@code policyN} for each policy, like {@code
   *     /sys/devices/system/cpu/cpufreq}. Files have to be written in place, not replaced
   * @throws FailedWorkException if gcc is missing, or the tree cannot be read
   */
  public static SlowCores start(Path folder, Path cpufreq) {
    try {
      Files.createDirectories(folder.resolve("pages"));
      compile(folder);
      SlowCores cores = new SlowCores(folder, cpufreq);
      var unused = DaemonThread.start("slow-cores", cores::follow);
      return cores;
    } catch (IOException e) {
      throw failed(e.toString(), folder, e);
    }
  }

  private static void compile(Path folder) throws IOException {
    Path source = folder.resolve("dilate.c");
    try (InputStream in = SlowCores.class.getResourceAsStream("dilate.c")) {
      if (in == null) {
        throw new IOException("dilate.c is not on the class path");
      }
      Files.write(source, in.readAllBytes());
    }
    Path log = folder.resolve("gcc.log");
    List<String> command =
        List.of("gcc", "-shared", "-fPIC", "-O2", "-o", library(folder), source.toString(), "-ldl");
    Process gcc =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!gcc.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || gcc.exitValue() != 0) {
        gcc.destroyForcibly();
        throw new IOException("gcc failed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      gcc.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while gcc ran", e);
    }
  }

  private static String library(Path folder) {
    return folder.resolve("dilate.so").toString();
  }

  /**
   * A program that starts another with the means to slow it, in the same process.
   *
   * @param program the server's program
   * @return a shell script in this object's folder
   * @throws FailedWorkException if it cannot be written
   */
  public Path slowable(Path program) {
    Path script = folder.resolve("slowable-" + program.getFileName());
    String text =
        "#!/bin/sh\nexec env LD_PRELOAD='%s' CALANDO_DILATE='%s' '%s' \"$@\"\n"
            .formatted(library(folder), pages(), program);
    try {
      Files.writeString(script, text);
      if (!script.toFile().setExecutable(true)) {
        throw new IOException("not executable");
      }
      return script;
    } catch (IOException e) {
      throw failed(e.toString(), script, e);
    }
  }

  /**
   * Says that threads of a server run on one of the tree's cores.
   *
   * @param pid the server's process
   * @param kind which of its threads; others stay where they are, at first on none, at full speed
   * @param core as in a policy's {@code related_cpus}
   * @throws FailedWorkException if the process was not started by {@link #slowable}
   */
  public synchronized void place(long pid, ThreadKind kind, int core) {
    server(pid).cores().put(kind, core);
    update();
  }

  /**
   * Reads the tree now, for those who do not want to wait until the change is noticed.
   *
   * @throws FailedWorkException if it cannot be read, or a core that somebody runs on is in no
   *     policy
   */
  public synchronized void update() {
    try {
      Map<Integer, Double> slowdowns = tree.slowdowns();
      for (Server server : servers.values()) {
        server
            .cores()
            .forEach(
                (kind, core) -> {
                  Double slowdown = slowdowns.get(core);
                  if (slowdown == null) {
                    throw failed("core " + core + " is in no policy", folder, null);
                  }
                  server.page().factor(kind, slowdown);
                });
      }
      trouble = "";
    } catch (IOException e) {
      trouble = e.toString();
      throw failed(trouble, folder, e);
    }
  }

  /** The slowdown in force for threads of a server, 1 or more. */
  public synchronized double slowdown(long pid, ThreadKind kind) {
    return server(pid).page().factor(kind);
  }

  /**
   * What threads of a server have used and spun since its start.
   *
   * @param usedNanos CPU time without spinning
   * @param spunNanos CPU time of spinning
   */
  public record Spent(long usedNanos, long spunNanos) {
    /** The slowdown that was reached between two readings; NaN if nothing was used. */
    public double slowdownSince(Spent before) {
      double used = usedNanos - before.usedNanos;
      return used > 0 ? (used + spunNanos - before.spunNanos) / used : Double.NaN;
    }
  }

  /** What threads of a server have used and spun, by the server's own count. */
  public synchronized Spent spent(long pid, ThreadKind kind) {
    DilatePage page = server(pid).page();
    return new Spent(page.usedNanos(kind), page.spunNanos(kind));
  }

  /** Slows threads whatever the tree says, until it is read again: to calibrate. */
  synchronized void force(long pid, ThreadKind kind, double slowdown) {
    server(pid).page().factor(kind, slowdown);
  }

  /** Why the tree could not be read when it last changed; empty if it could. */
  public synchronized String trouble() {
    return trouble;
  }

  /** Ends following. Servers keep the slowdown that they have. */
  @Override
  public void close() {
    try {
      watcher.close();
    } catch (IOException e) {
      throw failed(e.toString(), folder, e);
    }
  }

  /** Where each server that can be slowed makes a file of its process's number. */
  Path pages() {
    return folder.resolve("pages");
  }

  private Server server(long pid) {
    Server known = servers.get(pid);
    if (known != null) {
      return known;
    }
    Path file = pages().resolve(String.valueOf(pid));
    try {
      Optional<DilatePage> page = DilatePage.open(file);
      if (page.isEmpty()) {
        throw failed("process " + pid + " cannot be slowed", file, null);
      }
      Server server = new Server(page.get(), new EnumMap<>(ThreadKind.class));
      servers.put(pid, server);
      return server;
    } catch (IOException e) {
      throw failed(e.toString(), file, e);
    }
  }

  private void follow() {
    try {
      while (true) {
        WatchKey key = watcher.take();
        key.pollEvents();
        key.reset();
        noticed();
      }
    } catch (ClosedWatchServiceException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A file that is half written is read again when the rest is: that is another change. */
  private void noticed() {
    try {
      update();
    } catch (FailedWorkException e) {
      synchronized (this) {
        trouble = String.valueOf(e.getMessage());
      }
    }
  }

  private static FailedWorkException failed(String what, Path where, @Nullable Throwable cause) {
    String remedy = "gcc is needed, and a server started by slowable()";
    return cause == null
        ? new FailedWorkException("cores cannot be slowed: " + what, where.toString(), remedy)
        : new FailedWorkException(
            "cores cannot be slowed: " + what, where.toString(), remedy, cause);
  }
}
