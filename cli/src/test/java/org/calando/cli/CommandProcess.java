package org.calando.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a process of its own, as a user runs it. */
final class CommandProcess implements AutoCloseable {
  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private CommandProcess(Process process, Path stdout, Path stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  static CommandProcess start(Path folder, Map<String, String> environment, String... arguments) {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  // Who starts the tests in the background has them ignore Ctrl-C: a JVM honours
                  // that, and would pass it on.
                  "env",
                  "--default-signal=INT",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                  "-Dcalando.engines=" + System.getProperty("calando.engines"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "org.calando.cli.Main"));
      command.addAll(List.of(arguments));
      Files.createDirectories(folder.resolve("tmp"));
      Path stdout = Files.createTempFile(folder, "stdout", ".txt");
      Path stderr = Files.createTempFile(folder, "stderr", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(stdout.toFile())
              .redirectError(stderr.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      return new CommandProcess(process, stdout, stderr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs to the end, within five minutes. */
  static CommandProcess run(Path folder, Map<String, String> environment, String... arguments) {
    CommandProcess command = start(folder, environment, arguments);
    command.exitCode();
    return command;
  }

  /** Waits for the end, five minutes at most. */
  int exitCode() {
    try {
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("the command does not end:\n" + stdout() + stderr());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Sends a signal to the command and to nothing else. */
  void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String stdout() {
    return text(stdout);
  }

  String stderr() {
    return text(stderr);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    exitCode();
  }
}
