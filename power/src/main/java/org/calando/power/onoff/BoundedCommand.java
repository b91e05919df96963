package org.calando.power.onoff;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;

/**
 * Runs a program without a shell, for a bounded time, and keeps a bounded part of what it writes.
 * Immutable and thread safe.
 *
 * @param where who runs it, for messages
 * @param deadline how long it may take
 */
record BoundedCommand(String where, Duration deadline) {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_QUOTED = 300;
  private static final Duration ENDING = Duration.ofSeconds(1);

  /** How long the rest of the output may take once the program has ended. */
  private static final Duration REST = Duration.ofSeconds(2);

  /**
   * What came of it.
   *
   * @param exitCode the program's
   * @param output what it wrote, errors included, at most 64 KiB
   */
  record Outcome(int exitCode, String output) {
    /** The end of the output in one line, for messages; empty if it wrote nothing. */
    String quoted() {
      String line = output.replaceAll("\\p{Cntrl}+", " ").strip();
      return line.length() <= MAX_QUOTED
          ? line
          : "..." + line.substring(line.length() - MAX_QUOTED);
    }
  }

  /**
   * Runs a program.
   *
   * @throws FailedWorkException if it cannot be started or does not end in time; then it is killed,
   *     with what it started
   */
  Outcome run(List<String> argv) throws InterruptedException {
    long endNanos = System.nanoTime() + deadline.toNanos();
    Process process = start(argv);
    Collector output = new Collector(process.getInputStream());
    output.start();
    boolean ended = false;
    try {
      ended = process.waitFor(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } finally {
      if (!ended) {
        kill(process);
      }
    }
    if (!ended) {
      throw new FailedWorkException(
          "'" + argv.get(0) + "' did not end within " + deadline.toMillis() + " ms and was killed",
          where,
          "run it by hand to see what it waits for; one that should stay must be started in the"
              + " background");
    }
    return new Outcome(process.exitValue(), output.text());
  }

  /**
   * As {@link #run}, for an order.
   *
   * @throws FailedWorkException also if the program ends with another code than 0
   */
  void order(List<String> argv) throws InterruptedException {
    Outcome outcome = run(argv);
    if (outcome.exitCode() != 0) {
      String said = outcome.quoted();
      throw new FailedWorkException(
          "'"
              + argv.get(0)
              + "' ended with exit code "
              + outcome.exitCode()
              + (said.isEmpty() ? "" : ": " + said),
          where,
          "run it by hand as this user: " + String.join(" ", argv));
    }
  }

  private Process start(List<String> argv) {
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // What programs say must be told apart whatever the user's language.
    builder.environment().put("LC_ALL", "C");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new FailedWorkException(
          "'" + argv.get(0) + "' cannot be started: " + e.getMessage(),
          where,
          "install it, or correct its path",
          e);
    }
  }

  /** Reads to the end, so that the program is never stopped by a full pipe. */
  private static final class Collector extends Thread {
    private final InputStream in;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    Collector(InputStream in) {
      super("switch output");
      this.in = in;
      setDaemon(true);
    }

    @Override
    public void run() {
      byte[] buffer = new byte[4096];
      try (in) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          kept.write(buffer, 0, Math.min(read, MAX_BYTES - kept.size()));
        }
      } catch (IOException e) {
        // It was killed while it wrote.
      }
    }

    /** What was written; what is still running may hold the pipe open for ever. */
    String text() throws InterruptedException {
      join(REST.toMillis());
      return kept.toString(StandardCharsets.UTF_8);
    }
  }

  private static void kill(Process process) {
    List<ProcessHandle> all = process.descendants().toList();
    all.forEach(ProcessHandle::destroy);
    process.destroy();
    boolean ended = false;
    try {
      ended = process.waitFor(ENDING.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      all.forEach(ProcessHandle::destroyForcibly);
      if (!ended) {
        process.destroyForcibly();
      }
    }
  }
}
