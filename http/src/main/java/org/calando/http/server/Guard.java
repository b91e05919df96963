package org.calando.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.http.Listening;
import org.calando.http.Tokens;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable;

/** Who may ask, and how much. */
final class Guard extends Handler.Abstract {
  private static final int MOST_BODY_BYTES = 64 << 10;
  private static final String OPEN_PATH = "/healthz";

  /** So long nothing may be taken of an answer that goes on. */
  private static final long GOES_ON_MILLIS = Duration.ofSeconds(60).toMillis();

  private static final Set<String> SECRETS =
      Set.of("authorization", "proxy-authorization", "cookie");

  private final boolean namesLoopback;
  private final Supplier<Optional<Tokens>> tokens;
  private final Function<Call, CompletionStage<Answer>> routes;
  private final HttpService.Fronts fronts;

  Guard(
      Listening where,
      Supplier<Optional<Tokens>> tokens,
      Function<Call, CompletionStage<Answer>> routes,
      HttpService.Fronts fronts) {
    this.namesLoopback = where.isLoopback() && where.tls().isEmpty();
    this.tokens = tokens;
    this.routes = routes;
    this.fronts = fronts;
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
      Answer answer = fronts.refused().apply(call(request, ""), refusal.get());
      write(response, answer, head, answered);
    } else {
      Content.Source.asByteArrayAsync(
          request,
          MOST_BODY_BYTES,
          Promise.Invocable.from(
              Invocable.InvocationType.BLOCKING,
              body ->
                  routed(request, body)
                      .thenAccept(
                          answer -> {
                            if (answer.goesOn().isPresent() && !head) {
                              goOn(request, response, answer, answered);
                            } else {
                              write(response, answer, head, answered);
                            }
                          }),
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
    if (!request.getMethod().equals("GET")
        && !request.getMethod().equals("HEAD")
        && !isOfOwnPage(request)) {
      return Optional.of(Answer.text(403, "pages of other sites may only read\n"));
    }
    Optional<Tokens> admitted = tokens.get();
    if (admitted.isPresent()
        && !isOpen(Request.getPathInContext(request))
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

  private boolean isOpen(String path) {
    return path.equals(OPEN_PATH) || fronts.open().contains(path);
  }

  /** Browsers say from which site a page comes; what says nothing is no page. */
  private static boolean isOfOwnPage(Request request) {
    boolean sameSite =
        Optional.ofNullable(request.getHeaders().get("Sec-Fetch-Site"))
            .map(site -> site.equals("same-origin") || site.equals("none"))
            .orElse(true);
    String own =
        (request.isSecure() ? "https" : "http") + "://" + request.getHeaders().get(HttpHeader.HOST);
    return sameSite && header(request, HttpHeader.ORIGIN).map(own::equals).orElse(true);
  }

  private static boolean namesLoopback(Request request) {
    String host = Request.getServerName(request);
    return host != null && Listening.isLoopback(host);
  }

  private Call call(Request request, String body) {
    Map<String, String> headers = new HashMap<>();
    request
        .getHeaders()
        .forEach(
            field -> {
              String name = field.getName().toLowerCase(Locale.ROOT);
              if (!SECRETS.contains(name)) {
                headers.putIfAbsent(name, String.valueOf(field.getValue()));
              }
            });
    return new Call(
        request.getMethod(),
        Request.getPathInContext(request),
        query(request),
        headers,
        body,
        new Call.Client(
            tokens.get().flatMap(all -> all.holder(header(request, HttpHeader.AUTHORIZATION))),
            Request.getRemoteAddr(request),
            request.isSecure()));
  }

  private static Map<String, String> query(Request request) {
    Map<String, String> query = new HashMap<>();
    try {
      Request.extractQueryParameters(request)
          .forEach(field -> query.put(field.getName(), field.getValue()));
    } catch (IllegalArgumentException e) {
      // What cannot be decoded is no parameter.
    }
    return query;
  }

  private static Optional<String> header(Request request, HttpHeader name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  static void write(Response response, Answer answer, boolean head, Callback callback) {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    head(response, answer);
    if (answer.goesOn().isEmpty()) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    }
    response.write(true, ByteBuffer.wrap(head ? new byte[0] : body), callback);
  }

  private static void head(Response response, Answer answer) {
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    answer.headers().forEach(response.getHeaders()::put);
  }

  /** From now on the connection is one that may be idle, and has no time to be answered in. */
  private void goOn(Request request, Response response, Answer answer, Callback callback) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    BoundedConnector.goesOn(end, GOES_ON_MILLIS);
    request.addIdleTimeoutListener(idle -> false);
    head(response, answer);
    Optional<String> shown = header(request, HttpHeader.AUTHORIZATION);
    AnswerSink sink =
        new AnswerSink(
            response, end, callback, () -> tokens.get().map(all -> all.admits(shown)).orElse(true));
    sink.write(
        answer.body(),
        taken -> {
          if (taken) {
            answer.goesOn().orElseThrow().accept(sink);
          }
        });
  }
}
