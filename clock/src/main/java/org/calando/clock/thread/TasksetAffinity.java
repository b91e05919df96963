package org.calando.clock.thread;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.calando.core.CpuSet;

/** By the command of util-linux: a process for each thread that is moved. Thread safe. */
final class TasksetAffinity implements ThreadAffinity {
  private static final String COMMAND = "taskset";
  private static final long SECONDS = 5;

  @Override
  public void set(int tid, CpuSet cpus) throws IOException {
    Process process =
        new ProcessBuilder(COMMAND, "-pc", cpus.toString(), Integer.toString(tid))
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "thread %d cannot be moved to processors %s: %s".formatted(tid, cpus, said));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a thread was moved", e);
    } finally {
      process.destroyForcibly();
    }
  }

  @Override
  public String lack() {
    String path = System.getenv("PATH");
    return path != null
            && Arrays.stream(path.split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, COMMAND)))
        ? ""
        : "native code cannot be loaded, and there is no taskset: install util-linux, or let"
            + " jna.tmpdir name a folder that may hold programs";
  }
}
