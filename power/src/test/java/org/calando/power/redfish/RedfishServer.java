package org.calando.power.redfish;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLContext;
import org.calando.power.Daemon;

/** A tree of Redfish resources on loopback that a test writes, with or without logins. */
public final class RedfishServer implements AutoCloseable {
  /** The user who may read. */
  public static final String USER = "watcher";

  /** The user's password. */
  public static final String PASSWORD = "joules & watts";

  private static final String SESSIONS = "/redfish/v1/SessionService/Sessions";

  private final int port;
  private final Optional<SSLContext> tls;
  private final Map<String, String> resources = new ConcurrentHashMap<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final Map<String, String> redirects = new ConcurrentHashMap<>();
  private final List<String> openSessions = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger logins = new AtomicInteger();
  private final Map<String, ToIntFunction<String>> actions = new ConcurrentHashMap<>();
  private volatile boolean asksForLogin;
  private volatile boolean hasSessions = true;
  private HttpServer server;

  private RedfishServer(Optional<SSLContext> tls) throws IOException {
    this.tls = tls;
    port = Daemon.freePort();
    start();
  }

  /** A service without encryption. */
  public static RedfishServer plain() throws IOException {
    return new RedfishServer(Optional.empty());
  }

  /** A service with a certificate. */
  public static RedfishServer encrypted(SSLContext tls) throws IOException {
    return new RedfishServer(Optional.of(tls));
  }

  /** Runs again after {@link #stop}, having forgotten its sessions. */
  public void start() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    if (tls.isPresent()) {
      HttpsServer https = HttpsServer.create(address, 0);
      https.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
      server = https;
    } else {
      server = HttpServer.create(address, 0);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** Goes away. */
  public void stop() {
    server.stop(0);
    expireSessions();
  }

  /** Shows a resource from now on; a link is {@code @PATH}. */
  public RedfishServer show(String path, String json) {
    resources.put(path, json.replaceAll("\"@(/[^\"]+)\"", "{\"@odata.id\": \"$1\"}"));
    return this;
  }

  /** Shows a collection of links. */
  public RedfishServer collection(String path, String... members) {
    String links = String.join(", ", List.of(members).stream().map(m -> "\"@" + m + "\"").toList());
    return show(path, "{\"Members\": [" + links + "]}");
  }

  /** Asks for a login from now on. */
  public RedfishServer askForLogin(boolean withSessions) {
    asksForLogin = true;
    hasSessions = withSessions;
    return this;
  }

  /** Answers a path with a status, 200 to end that. */
  public void refuse(String path, int status) {
    refusals.put(path, status);
  }

  /** Sends who asks for a path elsewhere. */
  public void redirect(String path, String location) {
    redirects.put(path, location);
  }

  /**
   * Takes an action.
   *
   * @param path where it is posted
   * @param effect turns what is posted into the HTTP status
   */
  public RedfishServer act(String path, ToIntFunction<String> effect) {
    actions.put(path, effect);
    return this;
  }

  /** Forgets all sessions. */
  public void expireSessions() {
    openSessions.clear();
  }

  /** Sessions that are open. */
  public List<String> openSessions() {
    return List.copyOf(openSessions);
  }

  /** Paths that were asked for. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Its address. */
  public URI uri() {
    return URI.create((tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + port);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(path);
    if (exchange.getRequestMethod().equals("POST") && actions.containsKey(path)) {
      takeAction(exchange, actions.get(path));
    } else if (exchange.getRequestMethod().equals("POST")) {
      openSession(exchange);
    } else if (exchange.getRequestMethod().equals("DELETE")) {
      openSessions.remove(exchange.getRequestHeaders().getFirst("X-Auth-Token"));
      send(exchange, 204, "");
    } else if (redirects.containsKey(path)) {
      exchange.getResponseHeaders().set("Location", redirects.get(path));
      send(exchange, 308, "");
    } else if (refusals.getOrDefault(path, 200) != 200) {
      send(exchange, refusals.get(path), "{}");
    } else if (asksForLogin && !path.equals("/redfish/v1/") && !isKnown(exchange)) {
      send(exchange, 401, "{}");
    } else {
      String json = resources.get(path);
      send(exchange, json == null ? 404 : 200, json == null ? "{}" : json);
    }
  }

  private void takeAction(HttpExchange exchange, ToIntFunction<String> effect) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    int status = asksForLogin && !isKnown(exchange) ? 401 : effect.applyAsInt(body);
    String refusal =
        "{\"error\": {\"message\": \"See @Message.ExtendedInfo.\", \"@Message.ExtendedInfo\": ["
            + "{\"Message\": \"The action cannot be done in this state.\"}]}}";
    send(exchange, status, status == 204 ? "" : status < 300 ? "{}" : refusal);
  }

  private boolean isKnown(HttpExchange exchange) {
    String token = exchange.getRequestHeaders().getFirst("X-Auth-Token");
    String basic = exchange.getRequestHeaders().getFirst("Authorization");
    byte[] both = (USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return (token != null && openSessions.contains(token))
        || ("Basic " + Base64.getEncoder().encodeToString(both)).equals(basic);
  }

  private void openSession(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (!hasSessions || !exchange.getRequestURI().getPath().equals(SESSIONS)) {
      send(exchange, 405, "{}");
    } else if (body.contains("\"" + USER + "\"") && body.contains("\"" + PASSWORD + "\"")) {
      String token = "token" + logins.incrementAndGet();
      openSessions.add(token);
      exchange.getResponseHeaders().set("X-Auth-Token", token);
      exchange.getResponseHeaders().set("Location", "https://bmc.example" + SESSIONS + "/" + token);
      send(exchange, 201, "{}");
    } else {
      send(exchange, 401, "{}");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
