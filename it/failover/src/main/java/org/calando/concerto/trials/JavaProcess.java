package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.FailedWorkException;

/** A program of this class path in a process of its own. Used by one thread. */
final class JavaProcess implements AutoCloseable {
  /** Memory of a program of these trials. */
  static final List<String> SMALL =
      List.of(
          "-Xms8m",
          "-Xmx32m",
          "-Xss256k",
          "-XX:ReservedCodeCacheSize=24m",
          "-XX:MaxMetaspaceSize=64m");

  private static final int MOST_WORDS = 600;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path said;
  private final long before;

  private JavaProcess(Process process, Path said, long before) {
    this.process = process;
    this.said = said;
    this.before = before;
  }

  /**
   * Starts it.
   *
   * @param folder where what it says is appended to {@code said.txt}
   * @param memory options of its JVM
   * @param words its main class and arguments
   * @param environment beside that of this process
   */
  static JavaProcess start(
      Path folder, List<String> memory, List<String> words, Map<String, String> environment) {
    // Whoever runs the trials in the background has them ignore Ctrl-C, which a JVM would inherit.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(memory);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Dcalando.engines=" + System.getProperty("calando.engines"),
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(words);
    try {
      Path said = Files.createDirectories(folder).resolve("said.txt");
      long before = Files.exists(said) ? Files.size(said) : 0;
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()));
      builder.environment().putAll(environment);
      return new JavaProcess(builder.start(), said, before);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file for {@link #awaitFile}: it is there with all that is in it, or not at all. */
  static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** What it has written to a file, once it has. */
  String awaitFile(Path file) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(file)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new FailedWorkException("did not begin: " + said(), file.toString(), "look at it");
      }
      LockSupport.parkNanos(2_000_000);
    }
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that it has said. */
  String said() {
    try {
      byte[] all = Files.readAllBytes(said);
      int from = (int) Math.min(before, all.length);
      return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The end of what it has said, for a report. */
  String lastWords() {
    String said = said().strip();
    return said.substring(Math.max(0, said.length() - MOST_WORDS));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Its exit code, above 128 where a signal ended it; -1 if it does not end within a minute. */
  int exitCode() {
    return exitCode(PATIENCE);
  }

  /** The same of one that may take so long. */
  int exitCode(Duration most) {
    try {
      return process.waitFor(most.toSeconds(), TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Sends it a signal, such as {@code KILL}; whether it was there to be sent one. */
  boolean signal(String name) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      return new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** {@inheritDoc} It ends by the end of its standard input, or is killed after a minute. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  /** Kills it, if it still runs. */
  void kill() {
    process.destroyForcibly();
    int unused = exitCode();
  }
}
