package org.calando.power.prometheus;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.calando.power.Daemon;

/** An exporter whose page the test writes; it can go away and come back on the same port. */
public final class PageServer implements AutoCloseable {
  private final int port;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile IntFunction<String> page = number -> "";
  private volatile int status = 200;
  private HttpServer server;

  /** A server that runs. */
  public PageServer() throws IOException {
    port = Daemon.freePort();
    start();
  }

  /** Runs again after {@link #stop}. */
  public void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = page.apply(requests.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Goes away. */
  public void stop() {
    server.stop(0);
  }

  /** Shows a page from now on. */
  public void show(String text) {
    page = number -> text;
  }

  /** Shows a page that is made for each request, by its number from 1. */
  public void show(IntFunction<String> newPage) {
    page = newPage;
  }

  /** Answers with a status from now on. */
  public void answer(int newStatus) {
    status = newStatus;
  }

  /** Its host and port. */
  public String hostAndPort() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    stop();
  }
}
