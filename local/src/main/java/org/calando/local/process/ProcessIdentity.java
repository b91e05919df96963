package org.calando.local.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.ProcStat;

/**
 * One process of this machine, told apart from a later process of the same number by its start
 * time. Immutable.
 *
 * @param pid the process number
 * @param startTicks the start time in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 */
public record ProcessIdentity(long pid, long startTicks) {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * The process that has this number now, if any.
   *
   * <p>A zombie is no process, unless other threads of it still run: then only its first thread has
   * ended, and its files and ports are still open.
   */
  public static Optional<ProcessIdentity> of(long pid) {
    try {
      byte[] text = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat"));
      ProcStat stat = ProcStat.parse(new String(text, StandardCharsets.ISO_8859_1));
      return stat.ended() && stat.threads() <= 1
          ? Optional.empty()
          : Optional.of(new ProcessIdentity(pid, stat.startTicks()));
    } catch (IOException | IllegalArgumentException gone) {
      return Optional.empty();
    }
  }

  /** This process. */
  public static ProcessIdentity self() {
    return of(ProcessHandle.current().pid())
        .orElseThrow(() -> new IllegalStateException("/proc/self/stat cannot be read"));
  }

  /** True while the very same process runs; false once it is a zombie or its number is reused. */
  public boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /** When the very same process started; empty if it does not run. */
  public Optional<Instant> started() {
    return isAlive()
        ? ProcessHandle.of(pid).flatMap(handle -> handle.info().startInstant())
        : Optional.empty();
  }

  /** Sends SIGTERM if the very same process still runs. */
  public void terminate() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** Sends SIGKILL if the very same process still runs. */
  public void kill() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /**
   * Waits until the process is gone.
   *
   * @return false if it still runs after the time
   */
  public boolean awaitExit(long timeoutNanos) {
    long deadline = System.nanoTime() + timeoutNanos;
    while (isAlive()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /**
   * Ends processes together: SIGTERM, then SIGKILL for those that outlive the grace.
   *
   * @param graceNanos time between the two signals; 0 sends SIGKILL at once
   * @return true if all are gone, false if one outlived SIGKILL by ten seconds
   */
  public static boolean end(Collection<ProcessIdentity> processes, long graceNanos) {
    if (graceNanos > 0) {
      processes.forEach(ProcessIdentity::terminate);
      long deadline = System.nanoTime() + graceNanos;
      for (ProcessIdentity process : processes) {
        process.awaitExit(Math.max(0, deadline - System.nanoTime()));
      }
    }
    processes.forEach(ProcessIdentity::kill);
    boolean allGone = true;
    for (ProcessIdentity process : processes) {
      allGone &= process.awaitExit(TimeUnit.SECONDS.toNanos(10));
    }
    return allGone;
  }
}
