package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command in a process of its own, as a user runs it; only that a JVM has its classes from an
 * archive, which is made once for all and halves the CPU time of a command that asks a cluster.
 */
final class CommandProcess implements AutoCloseable {
  private static final String MAIN = "org.calando.cli.Main";

  private static final Path CODE =
      Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  /** Whether the command is in a jar, as Maven's tests of it have it; archives hold no others. */
  private static final boolean PACKED = CODE.toString().endsWith(".jar");

  /** Of a command in a jar those beside it, as users have them: without those of tests. */
  private static final String CLASS_PATH =
      PACKED ? jars(CODE.resolveSibling("")) : System.getProperty("java.class.path");

  private static final String WITH_ARCHIVE =
      PACKED ? "-XX:SharedArchiveFile=" + archive() : "-Xshare:auto";

  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private CommandProcess(Process process, Path stdout, Path stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  private static String jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".jar"))
          .sorted()
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Classes of the command and of what asks a cluster: here of one that does not answer. */
  private static Path archive() {
    try {
      Path folder = Files.createTempDirectory("calando-archive");
      Path archive = folder.resolve("command.jsa");
      folder.toFile().deleteOnExit(); // after what it holds
      archive.toFile().deleteOnExit();
      Path inventory = folder.resolve("inventory.yaml");
      Files.writeString(
          inventory, "nodes:\n- {name: n1, address: 127.0.0.1, port: 1, profile: xeon-x3440}\n");
      List<String> command =
          new ArrayList<>(jvm("-XX:ArchiveClassesAtExit=" + archive, CLASS_PATH));
      command.addAll(List.of(MAIN, "predict", "stale", "--live", inventory.toString()));
      command.addAll(List.of("--table", "shop.carts"));
      Path told = folder.resolve("told.txt");
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(told.toFile())
          .start()
          .waitFor();
      assertThat(archive).as(Files.readString(told)).exists();
      Files.delete(told);
      Files.delete(inventory);
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static List<String> jvm(String archive, String classPath) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        archive,
        "-cp",
        classPath);
  }

  /**
   * A JVM in a folder, with the command's class path.
   *
   * @param classes appended to the class path; may be empty
   * @param main the class to run
   */
  static ProcessBuilder builder(
      Path folder, Map<String, String> environment, String classes, String main)
      throws IOException {
    // Who starts the tests in the background has them ignore Ctrl-C: a JVM honours that, and
    // would pass it on.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(jvm(WITH_ARCHIVE, CLASS_PATH + classes));
    command.add("-Djava.io.tmpdir=" + folder.resolve("tmp"));
    command.add("-Dcalando.engines=" + System.getProperty("calando.engines"));
    command.add(main);
    Files.createDirectories(folder.resolve("tmp"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    return builder;
  }

  /** Environment that has the command keep what it notes below a folder. */
  static Map<String, String> stateIn(Path folder) {
    return Map.of(
        "CALANDO_STATE",
        folder.resolve("state").toString(),
        "CALANDO_RUN",
        folder.resolve("run").toString());
  }

  static CommandProcess start(Path folder, Map<String, String> environment, String... arguments) {
    return start(folder, environment, List.of(WITH_ARCHIVE), arguments);
  }

  /** With other options of the JVM than an archive that is made for all. */
  static CommandProcess start(
      Path folder, Map<String, String> environment, List<String> options, String... arguments) {
    try {
      Path stdout = Files.createTempFile(folder, "stdout", ".txt");
      Path stderr = Files.createTempFile(folder, "stderr", ".txt");
      ProcessBuilder builder =
          builder(folder, environment, "", MAIN)
              .redirectOutput(stdout.toFile())
              .redirectError(stderr.toFile());
      int archive = builder.command().indexOf(WITH_ARCHIVE);
      builder.command().remove(archive);
      builder.command().addAll(archive, options);
      builder.command().addAll(List.of(arguments));
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

  /** Kills it, and before it the guard that would restore what it has set. */
  void killWithGuard() {
    ProcessHandle guard =
        process
            .descendants()
            .filter(each -> commandLine(each).contains("GuardMain"))
            .findFirst()
            .orElseThrow();
    signal("STOP"); // or it would start another guard
    guard.destroyForcibly();
    signal("KILL");
  }

  /** All of it: what a handle knows of it ends after a page. */
  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException ended) {
      return "";
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The process, and through it those that it started. */
  ProcessHandle handle() {
    return process.toHandle();
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
