package org.calando.http.server;

import java.net.BindException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.http.Listening;
import org.calando.http.TlsFiles;
import org.calando.http.Tokens;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/*
 *   connection  so many as the limits say, 10 s idle at most, 20 s a request at most
 *      |
 *   TLS, with the client's certificate where authorities of clients are given
 *      |
 *   Host        on the loopback without TLS: a name of it. A page of another site may have a browser ask for
 *      |        a name of its own that leads to 127.0.0.1
 *   token       where there are any, but for /healthz
 *      |
 *   body        64 KiB at most, its length said before
 *      |
 *   routes
 */
/** Answers requests over HTTP/1.1, within limits of time and memory. Thread safe. */
public final class HttpService implements AutoCloseable {
  private static final Limits USUAL = Limits.of(1024, 8);
  private static final int MOST_BODY_BYTES = 64 << 10;
  private static final String OPEN_PATH = "/healthz";

  private final Listening where;
  private final Server server;
  private final BoundedConnector connector;
  private final AtomicReference<Optional<Tokens>> tokens;
  private final Optional<SslContextFactory.Server> tls;

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

  private HttpService(
      Listening where,
      Limits limits,
      Function<Call, CompletionStage<Answer>> routes,
      LongSupplier nanos) {
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads(), 1);
    threads.setName("calando-http");
    threads.setDaemon(true);
    this.where = where;
    this.tokens = new AtomicReference<>(where.tokens().map(Tokens::new));
    this.tls = where.tls().map(HttpService::tls);
    this.server = new Server(threads);
    HttpConfiguration config = new HttpConfiguration();
    config.setSendServerVersion(false);
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
    server.setHandler(new Guard(where, tokens::get, routes));
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
    return start(where, limits, routes, System::nanoTime);
  }

  static HttpService listen(
      Listening where, Limits limits, Function<Call, Answer> routes, LongSupplier nanos) {
    return start(where, limits, routes.andThen(CompletableFuture::completedStage), nanos);
  }

  private static HttpService start(
      Listening where,
      Limits limits,
      Function<Call, CompletionStage<Answer>> routes,
      LongSupplier nanos) {
    if (!where.isLoopback() && !where.isGuarded()) {
      throw new BadRequestException(
          "is no address of the loopback, where connections are neither encrypted nor asked who"
              + " they are",
          "listen",
          "add tls and token-file, or tls with client-ca");
    }
    HttpService service = new HttpService(where, limits, routes, nanos);
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
    write(response, Answer.text(status, "refused\n"), false, callback);
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
    try {
      server.stop();
    } catch (Exception e) {
      // Its threads are daemons, and the process ends.
    }
  }

  private static void write(Response response, Answer answer, boolean head, Callback callback) {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.write(true, ByteBuffer.wrap(head ? new byte[0] : body), callback);
  }

  /** Who may ask, and how much. */
  private static final class Guard extends Handler.Abstract {
    private final boolean namesLoopback;
    private final Supplier<Optional<Tokens>> tokens;
    private final Function<Call, CompletionStage<Answer>> routes;

    Guard(
        Listening where,
        Supplier<Optional<Tokens>> tokens,
        Function<Call, CompletionStage<Answer>> routes) {
      this.namesLoopback = where.isLoopback() && where.tls().isEmpty();
      this.tokens = tokens;
      this.routes = routes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Optional<Answer> refusal = refusal(request, response);
      Callback answered =
          Callback.from(
              () ->
                  BoundedConnector.answered(
                      request.getConnectionMetaData().getConnection().getEndPoint()),
              callback);
      boolean head = request.getMethod().equals("HEAD");
      if (refusal.isPresent()) {
        write(response, refusal.get(), head, answered);
      } else {
        Content.Source.asByteArrayAsync(
            request,
            MOST_BODY_BYTES,
            Promise.Invocable.from(
                Invocable.InvocationType.BLOCKING,
                body ->
                    routed(request, body)
                        .thenAccept(answer -> write(response, answer, head, answered)),
                failed -> write(response, unread(response, failed), head, answered)));
      }
      return true;
    }

    /** A body that does not come is its client's fault; what may still come of it is no request. */
    private static Answer unread(Response response, Throwable failed) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      return failed instanceof TimeoutException
          ? Answer.text(408, "the body did not come in time\n")
          : Answer.text(400, "the body cannot be read\n");
    }

    /** What routes throw is a defect, of which the client hears no more than that. */
    private CompletionStage<Answer> routed(Request request, byte[] body) {
      Answer failed = Answer.text(500, "the service failed\n");
      try {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        return routes.apply(call(request, text)).exceptionally(error -> failed);
      } catch (CharacterCodingException e) {
        return CompletableFuture.completedStage(Answer.text(400, "the body is no UTF-8\n"));
      } catch (RuntimeException | Error e) {
        return CompletableFuture.completedStage(failed);
      }
    }

    private Optional<Answer> refusal(Request request, Response response) {
      if (namesLoopback && !namesLoopback(request)) {
        return Optional.of(Answer.text(403, "the Host header must name the loopback\n"));
      }
      // A page may have a browser send a body to any address, and its Host is right.
      if (request.getHeaders().contains(HttpHeader.ORIGIN)
          && !request.getMethod().equals("GET")
          && !request.getMethod().equals("HEAD")) {
        return Optional.of(Answer.text(403, "pages of browsers may only read\n"));
      }
      Optional<Tokens> admitted = tokens.get();
      if (admitted.isPresent()
          && !Request.getPathInContext(request).equals(OPEN_PATH)
          && !admitted.get().admits(header(request, HttpHeader.AUTHORIZATION))) {
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        return Optional.of(Answer.text(401, "show a token: Authorization: Bearer TOKEN\n"));
      }
      if (request.getLength() < 0 && request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
        return Optional.of(Answer.text(411, "say the length of the body before\n"));
      }
      return request.getLength() > MOST_BODY_BYTES
          ? Optional.of(Answer.text(413, "the body is too long\n"))
          : Optional.empty();
    }

    private static boolean namesLoopback(Request request) {
      String host = Request.getServerName(request);
      return host != null && Listening.isLoopback(host);
    }

    private static Call call(Request request, String body) {
      return new Call(
          request.getMethod(),
          Request.getPathInContext(request),
          header(request, HttpHeader.ACCEPT),
          body);
    }

    private static Optional<String> header(Request request, HttpHeader name) {
      return Optional.ofNullable(request.getHeaders().get(name));
    }
  }
}
