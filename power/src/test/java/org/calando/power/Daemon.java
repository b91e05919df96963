package org.calando.power;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A real server of a Debian package, run by a test on a loopback port of its own. */
public abstract class Daemon implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path binary;
  private final String debianPackage;
  private final Path log;
  private final int port;
  private Process process;

  /** A server that does not run yet. */
  protected Daemon(Path binary, String debianPackage, Path log) throws IOException {
    this.binary = binary;
    this.debianPackage = debianPackage;
    this.log = log;
    port = freePort();
  }

  /** A port that nothing listens on. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Its arguments. */
  protected abstract List<String> arguments();

  /** A page that answers 200 as soon as it is ready. */
  protected abstract String readyPath();

  /** Starts it and waits until it is ready. */
  public final void start() throws IOException {
    if (!Files.isExecutable(binary)) {
      throw new AssertionError(binary + " is missing: install the package " + debianPackage);
    }
    ProcessBuilder builder = new ProcessBuilder(binary.toString());
    builder.command().addAll(arguments());
    process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .failFast(() -> !process.isAlive())
        .until(this::isReady);
  }

  private boolean isReady() throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri().resolve(readyPath())).build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends it and waits until it has ended. */
  public final void stop() {
    if (process != null) {
      process.destroy();
      try {
        process.onExit().get(20, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        process.destroyForcibly();
        throw new AssertionError(binary + " does not end", e);
      }
    }
  }

  /** Its address. */
  public final URI uri() {
    return URI.create("http://127.0.0.1:" + port + "/");
  }

  /** Its host and port. */
  public final String hostAndPort() {
    return "127.0.0.1:" + port;
  }

  @Override
  public final void close() {
    stop();
  }
}
