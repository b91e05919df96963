package org.calando.governor.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.governor.GovernorService;
import org.calando.studyfile.ServiceSpec;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/*
 * What is asked only reads a snapshot, so no request makes a decision wait. Who sends or reads
 * nothing for ten seconds is cut off, and there are few connections at once, so that memory is bounded.
 *
 * A page of another site may have a browser ask for a name of its own that leads to 127.0.0.1: Host has to be a name of
 * the loopback.
 */
/** Answers for a governor over HTTP, on the loopback; changes nothing. Thread safe. */
public final class GovernorHttp implements AutoCloseable {
  private static final int MOST_THREADS = 8;
  private static final int MOST_CONNECTIONS = 64;
  private static final int IDLE_MILLIS = 10_000;

  private final Server server;
  private final ServerConnector connector;

  private GovernorHttp(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /** What is answered. */
  record Answer(int status, String type, String body) {}

  /**
   * Listens.
   *
   * @throws BadRequestException if the port is taken
   * @throws FailedWorkException if it cannot listen for another reason
   */
  public static GovernorHttp listen(ServiceSpec.Listen where, GovernorService service) {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 1);
    threads.setName("calando-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration config = new HttpConfiguration();
    config.setSendServerVersion(false);
    ServerConnector connector =
        new ServerConnector(server, 1, 1, new HttpConnectionFactory(config));
    connector.setHost(where.address());
    connector.setPort(where.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    server.setHandler(new Routes(service));
    try {
      server.start();
    } catch (Exception e) {
      stop(server);
      throw refusal(where, e);
    }
    return new GovernorHttp(server, connector);
  }

  private static RuntimeException refusal(ServiceSpec.Listen where, Exception e) {
    String place = where.address() + ":" + where.port();
    boolean taken = e instanceof BindException || e.getCause() instanceof BindException;
    return taken
        ? new BadRequestException(
            "cannot listen on " + place + ", which is in use or is no address of this machine",
            "listen",
            "write another port, 0 for any that is free, or off")
        : new FailedWorkException(
            "cannot listen on " + place + ": " + e.getMessage(), "listen", "write listen: off", e);
  }

  /** Where it listens, as {@code http://127.0.0.1:7474}. */
  public String address() {
    return "http://" + connector.getHost() + ":" + connector.getLocalPort();
  }

  @Override
  public void close() {
    stop(server);
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (Exception e) {
      // Its threads are daemons, and the process ends.
    }
  }

  /** What is at which path. */
  private static final class Routes extends Handler.Abstract {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final GovernorService service;
    private final StateJson json;
    private final Metrics metrics;

    Routes(GovernorService service) {
      this.service = service;
      this.json = new StateJson(service);
      this.metrics = new Metrics(service);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Answer answer = answer(request);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      response.setStatus(answer.status());
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.getHeaders().put("X-Content-Type-Options", "nosniff");
      boolean bodyless = HttpMethod.HEAD.is(request.getMethod());
      response.write(true, ByteBuffer.wrap(bodyless ? new byte[0] : body), callback);
      return true;
    }

    private Answer answer(Request request) {
      if (!isLoopback(request)) {
        return new Answer(403, TEXT, "the Host header must name the loopback\n");
      }
      if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
        return new Answer(405, TEXT, "only GET and HEAD\n");
      }
      return switch (Request.getPathInContext(request)) {
        case "/metrics" -> metrics(request);
        case "/healthz" -> alive();
        case "/readyz" -> ready();
        case "/api/v1/clusters" -> new Answer(200, JSON, json.clusters());
        default -> named(Request.getPathInContext(request));
      };
    }

    private static boolean isLoopback(Request request) {
      String host = Request.getServerName(request);
      return host != null
          && (host.equals("localhost")
              || host.equals("[::1]")
              || host.equals("::1")
              || host.matches("127(\\.\\d{1,3}){3}"));
    }

    private Answer alive() {
      return service.isAlive()
          ? new Answer(200, TEXT, "ok\n")
          : new Answer(503, TEXT, "a cluster is not looked after any more\n");
    }

    private Answer ready() {
      String waits = json.notReady();
      return new Answer(waits.isEmpty() ? 200 : 503, TEXT, waits.isEmpty() ? "ok\n" : waits);
    }

    private Answer named(String path) {
      String begin = "/api/v1/clusters/";
      String end = "/decisions";
      Optional<String> found =
          path.startsWith(begin)
                  && path.endsWith(end)
                  && path.length() > begin.length() + end.length()
              ? json.decisions(path.substring(begin.length(), path.length() - end.length()))
              : path.startsWith(begin)
                  ? json.cluster(path.substring(begin.length()))
                  : Optional.empty();
      return found
          .map(text -> new Answer(200, JSON, text))
          .orElseGet(() -> new Answer(404, TEXT, "there is no such path, or no such cluster\n"));
    }

    private Answer metrics(Request request) {
      String accept = request.getHeaders().get(HttpHeader.ACCEPT);
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      try {
        String type = metrics.write(accept, body);
        return new Answer(200, type, body.toString(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new IllegalStateException("bytes in memory cannot be written", e);
      }
    }
  }
}
