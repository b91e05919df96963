package org.calando.local.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * A child process with a log file, a readiness check with a deadline, an end by SIGTERM then
 * SIGKILL, and a notice when it exits unasked. Thread safe.
 *
 * <p>The child runs in a session of its own, so that the terminal's Ctrl-C does not reach it. A
 * tethered child has a pipe from this process as standard input (see {@link Tethered}).
 */
public final class SupervisedProcess {
  private static final long FIRST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(320);

  private final String name;
  private final Path logFile;
  private final Process process;
  private final ProcessIdentity identity;
  private volatile boolean endAsked;

  /**
   * What to start.
   *
   * @param name the name in messages, for example {@code n1}
   * @param command program and arguments
   * @param directory the working folder
   * @param logFile receives standard output and error, appended
   * @param tethered true if standard input is a pipe that lives as long as this process
   */
  public record Spec(
      String name, List<String> command, Path directory, Path logFile, boolean tethered) {
    /** Copies the list. */
    public Spec {
      command = List.copyOf(command);
    }
  }

  private SupervisedProcess(Spec spec, Process process, ProcessIdentity identity) {
    this.name = spec.name();
    this.logFile = spec.logFile();
    this.process = process;
    this.identity = identity;
  }

  /**
   * Starts a process.
   *
   * @param onUnexpectedExit called once, from a thread of the JDK, with the exit code if the
   *     process ends without {@link #stop} or {@link #kill}
   * @throws FailedWorkException if the process cannot be started
   */
  public static SupervisedProcess start(Spec spec, IntConsumer onUnexpectedExit) {
    List<String> command = new ArrayList<>();
    // A new child leads no process group, so setsid executes the program in place: same pid.
    command.add("setsid");
    command.addAll(spec.command());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(spec.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.logFile().toFile()));
    if (!spec.tethered()) {
      builder.redirectInput(new File("/dev/null"));
    }
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new FailedWorkException(
          spec.name() + " cannot be started: " + e.getMessage(),
          spec.command().get(0),
          "install the program, or free memory and process slots",
          e);
    }
    ProcessIdentity identity =
        ProcessIdentity.of(process.pid()).orElse(new ProcessIdentity(process.pid(), 0));
    SupervisedProcess supervised = new SupervisedProcess(spec, process, identity);
    var unused =
        process
            .onExit()
            .thenAccept(
                ended -> {
                  if (!supervised.endAsked) {
                    onUnexpectedExit.accept(ended.exitValue());
                  }
                });
    return supervised;
  }

  /** The process by number and start time. */
  public ProcessIdentity identity() {
    return identity;
  }

  /** True while it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits, with a growing pause between the questions, until the check is true.
   *
   * @throws FailedWorkException if the process ends first or the time is up; the message quotes the
   *     end of the log
   */
  public void awaitReady(BooleanSupplier check, Duration timeout) {
    if (!poll(() -> !process.isAlive() || check.getAsBoolean(), timeout)) {
      throw failure("is not ready after " + timeout.toSeconds() + " s");
    }
    if (!process.isAlive()) {
      throw failure("ended with code " + process.exitValue() + " while starting");
    }
  }

  /**
   * Asks with a growing pause (20 ms to 320 ms) until the answer is true.
   *
   * @return false if it was never true within the time, or this thread was interrupted
   */
  public static boolean poll(BooleanSupplier check, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    long pause = FIRST_POLL_NANOS;
    while (!check.getAsBoolean()) {
      if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_POLL_NANOS);
    }
    return true;
  }

  /** Sends SIGTERM, after the grace SIGKILL, and returns when the process is gone. */
  public void stop(Duration grace) {
    endAsked = true;
    process.destroy();
    if (!exited(grace)) {
      kill();
    }
  }

  /** Sends SIGKILL and returns when the process is gone. */
  public void kill() {
    requestKill();
    if (!exited(Duration.ofSeconds(10))) {
      throw failure("outlived SIGKILL");
    }
  }

  /** Sends SIGKILL and returns at once. */
  public void requestKill() {
    endAsked = true;
    process.destroyForcibly();
  }

  /** The failure of this process, with the end of its log. */
  public FailedWorkException failure(String what) {
    String tail = lastErrors();
    return new FailedWorkException(
        name + " " + what + (tail.isEmpty() ? "" : ":\n" + tail), logFile.toString(), "");
  }

  private boolean exited(Duration timeout) {
    try {
      return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      return identity.awaitExit(TimeUnit.SECONDS.toNanos(10));
    }
  }

  /** The last lines of the log that tell of an error, or the last lines of all. */
  private String lastErrors() {
    List<String> lines = readLog();
    if (lines == null) {
      return "";
    }
    List<String> errors = lines.stream().filter(SupervisedProcess::tellsOfAnError).toList();
    List<String> shown = errors.isEmpty() ? lines : errors;
    return String.join("\n", shown.subList(Math.max(0, shown.size() - 5), shown.size()));
  }

  /** The last is how Redis quotes a line of its file that it refuses. */
  private static boolean tellsOfAnError(String line) {
    return line.contains("ERROR") || line.contains("rror:") || line.startsWith(">>> ");
  }

  private @Nullable List<String> readLog() {
    try {
      return Files.readAllLines(logFile);
    } catch (IOException e) {
      return null;
    }
  }
}
