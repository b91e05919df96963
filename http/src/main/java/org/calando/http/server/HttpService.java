package org.calando.http.server;

import java.net.BindException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.http.Listening;
import org.calando.http.TlsFiles;
import org.calando.http.Tokens;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/*
 *   connection  so many as the limits say, 10 s idle at most, 20 s a request at most
 *      |
 *   TLS, with the client's certificate where authorities of clients are given
 *      |
 *   Host        on the loopback without TLS: a name of it. A page of another site may have a browser ask for
 *      |        a name of its own that leads to 127.0.0.1
 *   Origin      of what does not only read: the service's own, if a browser says one
 *      |
 *   token       where there are any, but for /healthz
 *      |
 *   body        64 KiB at most, its length said before
 *      |
 *   routes
 */
/** Answers requests over HTTP/1.1, within limits of time and memory. Thread safe. */
public final class HttpService implements AutoCloseable {
  private static final Limits USUAL = Limits.of(1024, 8);

  private final Listening where;
  private final Server server;
  private final BoundedConnector connector;
  private final AtomicReference<Optional<Tokens>> tokens;
  private final Optional<SslContextFactory.Server> tls;
  private final Runnable closed;

  /**
   * How much is taken at once. Immutable and thread safe.
   *
   * @param connections each of which may bring a body of 64 KiB; more of them wait
   * @param threads two of which accept and read; the others answer
   * @param idle how long nothing may come of a connection
   */
  public record Limits(int connections, int threads, Duration idle) {
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** With ten idle seconds. */
    public static Limits of(int connections, int threads) {
      return new Limits(connections, threads, IDLE);
    }
  }

  /**
   * What is answered before any route is asked. Immutable and thread safe.
   *
   * @param open paths for which no token is needed, beside {@code /healthz}: nothing of the service
   *     is told there
   * @param refused takes requests that are refused, without their bodies, and the answer; returns
   *     what is answered. On several threads at once
   * @param closed is run when the service is closed
   */
  public record Fronts(
      Set<String> open, BiFunction<Call, Answer, Answer> refused, Runnable closed) {
    static final Fronts USUAL = new Fronts(Set.of(), (call, answer) -> answer, () -> {});

    /** Copies the set. */
    public Fronts {
      open = Set.copyOf(open);
    }
  }

  private HttpService(
      Listening where,
      Limits limits,
      Function<Call, CompletionStage<Answer>> routes,
      Fronts fronts,
      LongSupplier nanos) {
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads(), 1);
    threads.setName("calando-http");
    threads.setDaemon(true);
    this.where = where;
    this.closed = fronts.closed();
    this.tokens = new AtomicReference<>(where.tokens().map(Tokens::new));
    this.tls = where.tls().map(HttpService::tls);
    this.server = new Server(threads);
    HttpConfiguration config = new HttpConfiguration();
    config.setSendServerVersion(false);
    // A page sets its clock by it.
    config.setSendDateHeader(true);
    HttpConnectionFactory http = new HttpConnectionFactory(config);
    this.connector =
        tls.map(
                its ->
                    new BoundedConnector(
                        server, nanos, new SslConnectionFactory(its, http.getProtocol()), http))
            .orElseGet(() -> new BoundedConnector(server, nanos, http));
    connector.setHost(where.address());
    connector.setPort(where.port());
    connector.setIdleTimeout(limits.idle().toMillis());
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
    server.setHandler(new Guard(where, tokens::get, routes, fronts));
    server.setErrorHandler(HttpService::refused);
  }

  /**
   * Listens.
   *
   * @param where files of it are read at once
   * @param routes answers, on several threads at once; what it throws is answered by 500 and not
   *     repeated to the client
   * @throws BadRequestException if the port is taken, or a file is not what it should be
   * @throws FailedWorkException if it cannot listen for another reason
   */
  public static HttpService listen(Listening where, Function<Call, Answer> routes) {
    return listen(where, USUAL, routes, System::nanoTime);
  }

  /**
   * Listens; as the other, where an answer may come later, within ten seconds. No thread waits for
   * it.
   */
  public static HttpService listenLater(
      Listening where, Function<Call, CompletionStage<Answer>> routes) {
    return listenLater(where, USUAL, routes);
  }

  /** The same within other limits. */
  public static HttpService listenLater(
      Listening where, Limits limits, Function<Call, CompletionStage<Answer>> routes) {
    return start(where, limits, routes, Fronts.USUAL, System::nanoTime);
  }

  /**
   * The same within the usual limits.
   *
   * @param fronts what is answered without a token, and what those are answered that are refused
   */
  public static HttpService listenLater(
      Listening where, Function<Call, CompletionStage<Answer>> routes, Fronts fronts) {
    return start(where, USUAL, routes, fronts, System::nanoTime);
  }

  static HttpService listen(
      Listening where, Limits limits, Function<Call, Answer> routes, LongSupplier nanos) {
    return start(
        where, limits, routes.andThen(CompletableFuture::completedStage), Fronts.USUAL, nanos);
  }

  private static HttpService start(
      Listening where,
      Limits limits,
      Function<Call, CompletionStage<Answer>> routes,
      Fronts fronts,
      LongSupplier nanos) {
    if (!where.isLoopback() && !where.isGuarded()) {
      throw new BadRequestException(
          "is no address of the loopback, where connections are neither encrypted nor asked who"
              + " they are",
          "listen",
          "add tls and token-file, or tls with client-ca");
    }
    HttpService service = new HttpService(where, limits, routes, fronts, nanos);
    try {
      service.server.start();
    } catch (Exception e) {
      service.close();
      throw refusal(where, e);
    }
    return service;
  }

  private static SslContextFactory.Server tls(Listening.Tls files) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(TlsFiles.server(files));
    tls.setNeedClientAuth(files.clientCa().isPresent());
    return tls;
  }

  /** What Jetty itself refuses; nothing of the request is repeated, and its faults are not ours. */
  private static boolean refused(Request request, Response response, Callback callback) {
    boolean wrong = request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException;
    int status = wrong && response.getStatus() >= 500 ? 400 : response.getStatus();
    Guard.write(response, Answer.text(status, "refused\n"), false, callback);
    return true;
  }

  private static RuntimeException refusal(Listening where, Exception e) {
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

  /**
   * Reads tokens, keys and certificates again, for requests and connections from now on: all of
   * them or none.
   *
   * @throws BadRequestException if a file is not what it should be; what was read before stays in
   *     force
   * @throws FailedWorkException if what is read cannot be used; likewise
   */
  public void reload() {
    Optional<Tokens> read = where.tokens().map(Tokens::new);
    where.tls().map(TlsFiles::server).ifPresent(this::use);
    tokens.set(read);
  }

  private void use(SSLContext fresh) {
    SslContextFactory.Server factory = tls.orElseThrow();
    SSLContext former = factory.getSslContext();
    try {
      factory.reload(own -> own.setSslContext(fresh));
    } catch (Exception e) {
      FailedWorkException failed =
          new FailedWorkException(
              "the new files cannot be used: " + e.getMessage(),
              "tls",
              "fix the files that tls names; those before stay in force",
              e);
      try {
        factory.reload(own -> own.setSslContext(former));
      } catch (Exception again) {
        failed.addSuppressed(again);
      }
      throw failed;
    }
  }

  /** Where it listens, as {@code http://127.0.0.1:7474}. */
  public String address() {
    return (tls.isPresent() ? "https" : "http")
        + "://"
        + connector.getHost()
        + ":"
        + connector.getLocalPort();
  }

  @Override
  public void close() {
    closed.run();
    try {
      server.stop();
    } catch (Exception e) {
      // Its threads are daemons, and the process ends.
    }
  }
}
