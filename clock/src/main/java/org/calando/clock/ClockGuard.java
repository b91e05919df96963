package org.calando.clock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.calando.control.LeaseGuard;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a lease from another process: a small Java process holds a pipe to this one, and at
 * its end of file, which comes even after kill -9, restores from the journal. One that dies is
 * started again. Thread safe.
 */
final class ClockGuard implements LeaseGuard {
  private static final long START_SECONDS = 30;
  private static final long END_SECONDS = 5;
  private static final int MAX_RESTARTS = 5;
  private static final long MAX_LOG_BYTES = 256 << 10;

  private final Path journal;
  private final Path owners;
  private final Consumer<String> told;
  private @Nullable Process process;
  private boolean closed;
  private int restarts;

  private ClockGuard(Path journal, Path owners, Consumer<String> told) {
    this.journal = journal;
    this.owners = owners;
    this.told = told;
  }

  /**
   * Starts a guard, and returns when it watches.
   *
   * @param journal what it restores from
   * @param owners where owners of knobs are noted
   * @param told takes a line when a guard dies
   * @throws FailedWorkException if it cannot be started
   */
  static ClockGuard over(Path journal, Path owners, Consumer<String> told) {
    ClockGuard guard = new ClockGuard(journal, owners, told);
    guard.start();
    return guard;
  }

  @Override
  public synchronized long pid() {
    Process now = process;
    return now != null && now.isAlive() ? now.pid() : -1;
  }

  @Override
  public void close() {
    end(GuardMain.DONE + "\n");
  }

  @Override
  public void restore() {
    end("");
  }

  /** It restores unless it is sent that this is done; a restoration is not cut off. */
  private void end(String word) {
    @Nullable Process last;
    synchronized (this) {
      closed = true;
      last = process;
    }
    if (last == null) {
      return;
    }
    try (OutputStream pipe = last.getOutputStream()) {
      pipe.write(word.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException gone) {
      // it has ended already
    }
    boolean ended = false;
    try {
      ended = last.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended && !word.isEmpty()) {
      last.destroyForcibly();
    }
  }

  private void start() {
    Process started = launch();
    boolean watches = false;
    try {
      watches = awaitReady(started);
    } finally {
      if (!watches) {
        started.destroyForcibly();
      }
    }
    synchronized (this) {
      process = started;
    }
    // Failures are told where they happen.
    CompletableFuture<Void> unused = started.onExit().thenRunAsync(() -> ended(started));
  }

  private void ended(Process dead) {
    synchronized (this) {
      if (closed || process != dead) {
        return;
      }
      restarts++;
      if (restarts > MAX_RESTARTS) {
        told.accept(
            "the guard died again: what is on lease is restored only if this process ends in"
                + " order, else by ./calando restore");
        return;
      }
    }
    told.accept("the guard of the lease died (exit " + dead.exitValue() + "); another is started");
    try {
      start();
      synchronized (this) {
        if (!closed) {
          return;
        }
      }
      close();
    } catch (FailedWorkException e) {
      told.accept("there is no guard of the lease: " + e.getMessage());
    }
  }

  private Process launch() {
    List<String> command =
        List.of(
            "setsid",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx16m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            // Java's own classes stay where they were archived, and are shared with its owner.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-cp",
            System.getProperty("java.class.path"),
            GuardMain.class.getName(),
            journal.toString(),
            owners.toString());
    try {
      return new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
          .start();
    } catch (IOException e) {
      throw new FailedWorkException(
          "the guard process cannot be started: " + e.getMessage(),
          "setsid, java",
          "install util-linux; nothing was changed",
          e);
    }
  }

  /** What guards did and could not do, for people; kept small. */
  private Path log() throws IOException {
    Path log = journal.resolveSibling("clock-guard.log");
    if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
      Files.delete(log);
    }
    return log;
  }

  private boolean awaitReady(Process started) {
    CompletableFuture<Boolean> ready =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                BufferedReader out =
                    new BufferedReader(
                        new InputStreamReader(started.getInputStream(), StandardCharsets.US_ASCII));
                return GuardMain.READY.equals(out.readLine());
              } catch (IOException e) {
                return false;
              }
            });
    try {
      if (ready.get(START_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // told below
    }
    throw new FailedWorkException(
        "the guard process did not come up in " + START_SECONDS + " s",
        journal.resolveSibling("clock-guard.log").toString(),
        "see what it says there; nothing was changed");
  }
}
