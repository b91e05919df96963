package org.calando.concerto;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.clock.thread.ProcessCpu;

/** Processes' CPU times as files of a folder like {@code /proc}. */
final class FakeStat {
  private final Path proc;

  FakeStat(Path proc) {
    this.proc = proc;
  }

  ProcessCpu cpu() {
    return new ProcessCpu(proc);
  }

  /** A process that has used so much, two thirds of it in the kernel. */
  FakeStat used(long pid, double seconds) {
    long ticks = Math.round(seconds * 100);
    long user = ticks / 3;
    return stat(
        pid,
        pid
            + " (a) S b) S 1 2 3 4 5 6 7 8 9 10 "
            + user
            + " "
            + (ticks - user)
            + " 77 78 0 0 0 0 0 0 0");
  }

  FakeStat stat(long pid, String text) {
    try {
      Path file = proc.resolve(Long.toString(pid)).resolve("stat");
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void end(long pid) {
    try {
      Files.delete(proc.resolve(Long.toString(pid)).resolve("stat"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
