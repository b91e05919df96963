package org.calando.promise;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.control.ControlLoop;
import org.calando.core.FailedWorkException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.DaemonThread;
import org.calando.session.AdaptiveSession;
import org.jspecify.annotations.Nullable;

/**
 * A light JVM that runs {@link ProbeMain}; ends with this process, whose pipe it reads. On its
 * class path nothing of the project is but the session for applications and what that brings.
 */
final class ProbeProcess implements AutoCloseable {
  private static final Pattern OURS = Pattern.compile("calando-.*\\.jar|classes|test-classes");
  private static final int HEAP_MEBIBYTES = 96;
  private static final int MEBIBYTES_AN_INSTANCE = 8;

  /** No line comes any more. */
  private static final String END = "";

  private final String name;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private ProbeProcess(String name, Path errors, Process process) {
    this.name = name;
    this.errors = errors;
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    var unused = DaemonThread.start("answers of " + name, this::listen);
  }

  /** Starts a process, which connects; its files go to the folder. */
  static ProbeProcess start(ProbeSpec spec, Path folder) throws IOException {
    spec.write(folder);
    Path errors = folder.resolve(spec.name() + ".err");
    int heap = HEAP_MEBIBYTES + MEBIBYTES_AN_INSTANCE * (spec.instances() - 1);
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath(),
                ProbeMain.class.getName(),
                folder.resolve(spec.name() + ".json").toString())
            .redirectError(errors.toFile());
    return new ProbeProcess(spec.name(), errors, builder.start());
  }

  static String classPath() {
    Set<Path> allowed =
        Stream.of(ProbeMain.class, AdaptiveSession.class, ControlLoop.class, ConsistencyLevel.class)
            .map(ProbeProcess::place)
            .collect(Collectors.toSet());
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path path = Path.of(entry).toAbsolutePath().normalize();
      if (allowed.contains(path) || !OURS.matcher(path.getFileName().toString()).matches()) {
        entries.add(path.toString());
      }
    }
    return String.join(":", entries);
  }

  private static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void listen() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.add(line);
      }
    } catch (IOException e) {
      // as its end
    }
    answers.add(END);
  }

  /**
   * Waits until it is connected.
   *
   * @param started a time before its start: its clock must show a later one, and none in the future
   */
  void awaitConnected(long started, int seconds) {
    long at = Long.parseLong(await("connected ", seconds));
    long now = System.nanoTime();
    if (at - started < 0 || now - at < 0) {
      throw new FailedWorkException(
          "the clocks of two processes do not agree: %d is not from %d to %d"
              .formatted(at, started, now),
          name,
          "run on Linux, whose monotonic clock all processes share");
    }
  }

  /** Waits until it has begun, as {@code go} orders, and returns when it did so. */
  long awaitBegun(int seconds) {
    return Long.parseLong(await("begun ", seconds));
  }

  /** Sends a command that is not answered. */
  void send(String command) {
    try {
      commands.write(command + "\n");
      commands.flush();
    } catch (IOException e) {
      throw failure("has ended", e);
    }
  }

  /** Requests that its adaptive sessions have sent of their own. */
  long cost() {
    send("cost");
    return Long.parseLong(await("cost ", 10));
  }

  /** Ends its tasks and waits until its books are complete. */
  void end(int seconds) {
    send("stop");
    await("ended", seconds);
  }

  private String await(String prefix, int seconds) {
    try {
      String answer = answers.poll(seconds, TimeUnit.SECONDS);
      if (answer == null || !answer.startsWith(prefix)) {
        throw failure(
            answer == null
                ? "does not say '" + prefix + "' within " + seconds + " s"
                : answer.equals(END) ? "has ended" : "says '" + answer + "'",
            null);
      }
      return answer.substring(prefix.length());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was left", e);
    }
  }

  private FailedWorkException failure(String what, @Nullable Exception e) {
    String said = "";
    try {
      said = Files.readString(errors).strip();
    } catch (IOException unreadable) {
      // the message says enough
    }
    String text = name + " " + what + (said.isEmpty() ? "" : ":\n" + said);
    return e == null
        ? new FailedWorkException(text, errors.toString(), "")
        : new FailedWorkException(text, errors.toString(), "", e);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
