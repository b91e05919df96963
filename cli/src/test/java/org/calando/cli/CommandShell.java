package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/*
 * A JVM that has asked a cluster once asks it again in a tenth of the time that a new one needs. What a command leaves
 * behind in its process, threads and caches, meets the next one here: what is about the process itself, such as signals
 * and clusters that outlive it, is for CommandProcess.
 */
/**
 * A process that runs commands one after the other, each as {@link Main} runs it. Not thread safe.
 */
final class CommandShell implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Process process;
  private final Writer orders;
  private final BufferedReader exitCodes;

  private CommandShell(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.exitCodes = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Reads commands, a JSON array a line, and writes the exit code of each. */
  public static void main(String[] files) throws IOException {
    PrintStream exitCodes = System.out;
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      try (PrintStream stdout = new PrintStream(files[0], StandardCharsets.UTF_8);
          PrintStream stderr = new PrintStream(files[1], StandardCharsets.UTF_8)) {
        System.setOut(stdout);
        System.setErr(stderr);
        exitCodes.println(new Main().run(JSON.readValue(line, String[].class)));
      }
    }
    System.exit(0); // whatever threads a command has left
  }

  /** Starts one; commands run in a folder, with these variables. */
  static CommandShell start(Path folder, Map<String, String> environment) {
    try {
      String classes =
          CommandShell.class.getProtectionDomain().getCodeSource().getLocation().getPath();
      ProcessBuilder builder =
          CommandProcess.builder(
              folder, environment, File.pathSeparator + classes, CommandShell.class.getName());
      builder.command().add(folder.resolve("shell.out").toString());
      builder.command().add(folder.resolve("shell.err").toString());
      return new CommandShell(
          folder, builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end, within five minutes. */
  CommandAnswer run(String... arguments) {
    try {
      orders.write(JSON.writeValueAsString(arguments) + "\n");
      orders.flush();
      String exitCode =
          CompletableFuture.supplyAsync(this::exitCode).orTimeout(5, TimeUnit.MINUTES).join();
      return new CommandAnswer(
          Integer.parseInt(exitCode),
          Files.readString(folder.resolve("shell.out")),
          Files.readString(folder.resolve("shell.err")));
    } catch (IOException | CompletionException | NumberFormatException e) {
      process.destroyForcibly();
      throw new AssertionError("no exit code: " + String.join(" ", arguments), e);
    }
  }

  /** Empty if the process has ended. */
  private String exitCode() {
    try {
      String line = exitCodes.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
