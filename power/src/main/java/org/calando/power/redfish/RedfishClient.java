package org.calando.power.redfish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.calando.power.internal.HttpClients;
import org.calando.power.internal.HttpPeer;

/**
 * Asks a Redfish service for resources, in a session if it has sessions, else with user and
 * password in each request. One thread asks at a time; {@link #close} may come from another.
 */
final class RedfishClient implements AutoCloseable {
  private static final String ROOT = "/redfish/v1/";
  private static final String USUAL_SESSIONS = "/redfish/v1/SessionService/Sessions";
  private static final long MAX_BYTES = 2 << 20;
  private static final int MAX_REDIRECTS = 3;
  private static final long LOGOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final RedfishSource source;
  private final Ticker ticker;
  private final HttpClient http;
  private final HttpPeer peer;
  private volatile Optional<String> token = Optional.empty();
  private volatile Optional<URI> session = Optional.empty();
  private volatile boolean basic;

  RedfishClient(RedfishSource source, Ticker ticker) throws MeterException {
    this.source = source;
    this.ticker = ticker;
    http = source.verify() ? HttpClients.trusting(source.ca()) : HttpClients.trustingAnyone();
    peer = new HttpPeer(http, ticker, source.describe());
  }

  /**
   * A resource.
   *
   * @param path its path on the service
   * @param json what it shows
   * @param atNanos the middle of the request, on the ticker
   */
  record Resource(String path, JsonNode json, long atNanos) {}

  /** The root of a service's tree. */
  static String root() {
    return ROOT;
  }

  /** Opens a session if there is a user; without sessions, logs in with each request. */
  void login(long deadlineNanos) throws MeterException, InterruptedException {
    if (source.login().isEmpty()) {
      return;
    }
    RedfishSource.Login login = source.login().get();
    URI sessions = target(sessionsPath(deadlineNanos));
    HttpPeer.Answer answer =
        peer.ask(
            HttpRequest.newBuilder(sessions)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(credentials(login)))
                .build(),
            deadlineNanos,
            MAX_BYTES);
    Optional<String> given = answer.headers().firstValue("X-Auth-Token");
    if (answer.status() / 100 == 2 && given.isPresent()) {
      token = given;
      session = answer.headers().firstValue("Location").flatMap(this::onThisService);
    } else if (answer.status() == 401 || answer.status() == 403 || answer.status() == 400) {
      throw RedfishProblems.refused(sessions, answer.status(), true);
    } else {
      // No sessions here, or none left.
      basic = true;
    }
  }

  private String sessionsPath(long deadlineNanos) throws MeterException, InterruptedException {
    HttpPeer.Answer answer = peer.ask(request(target(ROOT)).build(), deadlineNanos, MAX_BYTES);
    if (answer.status() != 200) {
      return USUAL_SESSIONS;
    }
    JsonNode link = parse(target(ROOT), answer.body()).at("/Links/Sessions/@odata.id");
    return link.isTextual() ? link.asText() : USUAL_SESSIONS;
  }

  private static String credentials(RedfishSource.Login login) throws MeterException {
    return write(Map.of("UserName", login.user(), "Password", login.password().read()));
  }

  private static String write(Map<String, String> texts) {
    try {
      return JSON.writeValueAsString(texts);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts can be written");
    }
  }

  /**
   * Asks for a resource; a session that has expired is opened again once.
   *
   * @throws MeterException if there is none, or the user may not read it
   */
  Resource get(String path, long deadlineNanos) throws MeterException, InterruptedException {
    HttpPeer.Answer answer = ask(path, deadlineNanos);
    if (answer.status() != 200) {
      throw RedfishProblems.refused(target(path), answer.status(), source.login().isPresent());
    }
    return new Resource(path, parse(target(path), answer.body()), answer.middleNanos());
  }

  /** As {@link #get}, empty if the service does not have what it links to. */
  Optional<Resource> find(String path, long deadlineNanos)
      throws MeterException, InterruptedException {
    HttpPeer.Answer answer = ask(path, deadlineNanos);
    if (answer.status() == 404 || answer.status() == 410) {
      return Optional.empty();
    }
    if (answer.status() != 200) {
      throw RedfishProblems.refused(target(path), answer.status(), source.login().isPresent());
    }
    return Optional.of(
        new Resource(path, parse(target(path), answer.body()), answer.middleNanos()));
  }

  /**
   * Posts an action. One that was taken may still be under way.
   *
   * @throws MeterException if the service does not take it
   */
  void post(String path, Map<String, String> arguments, long deadlineNanos)
      throws MeterException, InterruptedException {
    URI target = target(path);
    HttpRequest request =
        request(target)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(write(arguments)))
            .build();
    HttpPeer.Answer answer = peer.ask(request, deadlineNanos, MAX_BYTES);
    if (answer.status() / 100 != 2) {
      throw RedfishProblems.notTaken(target, answer.status(), reason(answer.body()));
    }
  }

  /** The first message of an error (DSP0266, "Error responses"); empty if there is none. */
  private static String reason(byte[] body) {
    try {
      JsonNode error = JSON.readTree(body).path("error");
      String extended = error.path("@Message.ExtendedInfo").path(0).path("Message").asText();
      return extended.isEmpty() ? error.path("message").asText() : extended;
    } catch (IOException e) {
      return "";
    }
  }

  private HttpPeer.Answer ask(String path, long deadlineNanos)
      throws MeterException, InterruptedException {
    HttpPeer.Answer answer = follow(target(path), deadlineNanos);
    if (answer.status() == 401 && token.isPresent()) {
      token = Optional.empty();
      session = Optional.empty();
      login(deadlineNanos);
      answer = follow(target(path), deadlineNanos);
    }
    return answer;
  }

  private HttpPeer.Answer follow(URI first, long deadlineNanos)
      throws MeterException, InterruptedException {
    URI target = first;
    HttpPeer.Answer answer = peer.ask(request(target).build(), deadlineNanos, MAX_BYTES);
    for (int i = 0; i < MAX_REDIRECTS && isRedirect(answer.status()); i++) {
      String location = answer.headers().firstValue("Location").orElse("");
      target = target(location);
      answer = peer.ask(request(target).build(), deadlineNanos, MAX_BYTES);
    }
    return answer;
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private HttpRequest.Builder request(URI target) throws MeterException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .header("Accept", "application/json")
            .header("OData-Version", "4.0");
    token.ifPresent(value -> request.header("X-Auth-Token", value));
    if (basic && source.login().isPresent()) {
      RedfishSource.Login login = source.login().get();
      String both = login.user() + ":" + login.password().read();
      byte[] bytes = both.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    return request;
  }

  /** Where a link leads; never to another server, which must not see the token. */
  private URI target(String link) throws MeterException {
    if (!isOurs(link)) {
      throw new MeterException(
          "the service sends us elsewhere: " + RedfishProblems.shorten(link),
          source.describe(),
          "give the address of the service itself as url");
    }
    return source.uri().resolve(link);
  }

  /** A session's address on the host that we know the service by. */
  private Optional<URI> onThisService(String location) {
    try {
      String path = URI.create(location).getRawPath();
      return path == null || !path.startsWith("/redfish/")
          ? Optional.empty()
          : Optional.of(source.uri().resolve(path));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean isOurs(String link) {
    try {
      URI base = source.uri();
      URI target = base.resolve(link);
      return !link.isEmpty()
          && base.getScheme().equalsIgnoreCase(target.getScheme())
          && base.getHost().equalsIgnoreCase(target.getHost())
          && port(base) == port(target);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static int port(URI uri) {
    int usual = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    return uri.getPort() < 0 ? usual : uri.getPort();
  }

  private static JsonNode parse(URI target, byte[] body) throws MeterException {
    try {
      JsonNode json = JSON.readTree(body);
      if (json != null && json.isObject()) {
        return json;
      }
    } catch (IOException e) {
      // The same answer as JSON of another kind; the parser's message would quote the page.
    }
    throw new MeterException(
        "the answer is not a Redfish resource",
        target.toString(),
        "give the address of a Redfish service as url");
  }

  @Override
  public void close() {
    peer.close();
    Optional<URI> open = session;
    Optional<String> known = token;
    session = Optional.empty();
    token = Optional.empty();
    if (open.isPresent() && known.isPresent()) {
      logout(open.get(), known.get());
    }
  }

  private void logout(URI open, String known) {
    HttpRequest request =
        HttpRequest.newBuilder(open).header("X-Auth-Token", known).DELETE().build();
    try (HttpPeer last = new HttpPeer(http, ticker, source.describe())) {
      last.ask(request, ticker.nanos() + LOGOUT_NANOS, MAX_BYTES);
    } catch (MeterException e) {
      // The service drops a session that is idle.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
