package org.calando.report.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A headless Chromium of its own, with a profile of its own, that ends with {@link #close}. Not
 * thread safe.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final long START_DEADLINE_SECONDS = 60;

  private final Process process;
  private final Path profile;
  private final DevTools devTools;

  private Browser(Process process, Path profile, DevTools devTools) {
    this.process = process;
    this.profile = profile;
    this.devTools = devTools;
  }

  /**
   * Starts a browser.
   *
   * @throws AssertionError if none is installed or it does not start
   */
  public static Browser start() {
    Path program =
        NAMES.stream()
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(
                () ->
                    new AssertionError(
                        "no Chromium: apt-get install chromium, or scripts/setup.sh"));
    try {
      Path profile = Files.createTempDirectory("calando-browser");
      Process process =
          new ProcessBuilder(command(program, profile))
              .redirectErrorStream(true)
              .redirectOutput(profile.resolve("browser.log").toFile())
              .start();
      return new Browser(process, profile, connect(process, profile));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(Path program, Path profile) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(
        List.of(
            "--headless",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--no-proxy-server",
            "--hide-scrollbars"));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--no-sandbox"); // the sandbox refuses root; the page is ours
    }
    command.add("about:blank");
    return command;
  }

  /** The browser writes its port and path to a file when it listens. */
  private static DevTools connect(Process process, Path profile) throws IOException {
    Path told = profile.resolve("DevToolsActivePort");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_DEADLINE_SECONDS);
    while (System.nanoTime() < deadline && process.isAlive()) {
      if (Files.isRegularFile(told)) {
        List<String> lines = Files.readAllLines(told);
        if (lines.size() >= 2) {
          return DevTools.connect(URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)));
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    process.destroyForcibly();
    String log = Files.readString(profile.resolve("browser.log"));
    throw new AssertionError("the browser does not start:\n" + log);
  }

  /** A new empty page. */
  public BrowserPage newPage() {
    return BrowserPage.open(devTools);
  }

  @Override
  public void close() {
    devTools.close();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    deleteProfile();
  }

  private void deleteProfile() {
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    } catch (IOException | UncheckedIOException e) {
      // A dying child may still write; the folder lies in the temporary folder.
    }
  }
}
