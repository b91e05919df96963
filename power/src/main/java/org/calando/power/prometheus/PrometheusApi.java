package org.calando.power.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.calando.power.internal.HttpClients;
import org.calando.power.internal.HttpPeer;

/**
 * Asks a Prometheus server, or one that speaks its HTTP interface (version 1), for the present
 * value of an expression. One thread asks at a time; {@link #close} may come from another.
 */
public final class PrometheusApi implements AutoCloseable {
  private static final long MAX_BYTES = 4 << 20;
  private static final int MOST_MESSAGE_CHARS = 300;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Endpoint server;
  private final URI target;
  private final HttpPeer peer;

  /**
   * A server, which is not asked yet.
   *
   * @param server its base address, without {@code api/v1}
   * @param ticker clock of the deadlines
   * @throws MeterException if the file of authorities cannot be read
   */
  public PrometheusApi(Endpoint server, Ticker ticker) throws MeterException {
    this.server = server;
    target = server.below("api/v1/query");
    peer = new HttpPeer(HttpClients.trusting(server.ca()), ticker, server.uri().toString());
  }

  /**
   * A value at a time.
   *
   * @param millis milliseconds since 1970, on the server's clock
   * @param value may be NaN or infinite
   */
  public record Point(long millis, double value) {}

  /**
   * One series of an answer.
   *
   * @param labels its labels, with {@code __name__} if it has a name
   * @param points oldest first; exactly one where no range was asked for
   */
  public record Series(Map<String, String> labels, List<Point> points) {}

  /**
   * An answer.
   *
   * @param series as the server ordered them
   * @param warnings what the server warns of
   * @param sentNanos just before the request, on the ticker
   * @param receivedNanos just after the answer
   */
  public record Answer(
      List<Series> series, List<String> warnings, long sentNanos, long receivedNanos) {}

  /**
   * Evaluates an expression now.
   *
   * @param query an expression whose value is a vector or a range vector
   * @param deadlineNanos when to give up, on the ticker
   */
  public Answer query(String query, long deadlineNanos)
      throws MeterException, InterruptedException {
    HttpRequest request =
        server
            .request(target)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)))
            .build();
    HttpPeer.Answer answer = peer.ask(request, deadlineNanos, MAX_BYTES);
    if (answer.status() != 200) {
      throw refusal(answer);
    }
    JsonNode root = parse(answer);
    List<Series> series = new ArrayList<>();
    for (JsonNode one : root.path("data").path("result")) {
      series.add(series(one));
    }
    List<String> warnings = new ArrayList<>();
    root.path("warnings").forEach(warning -> warnings.add(shorten(warning.asText())));
    return new Answer(series, warnings, answer.sentNanos(), answer.receivedNanos());
  }

  private JsonNode parse(HttpPeer.Answer answer) throws MeterException {
    try {
      JsonNode root = JSON.readTree(answer.body());
      String type = root.path("data").path("resultType").asText();
      if (root.path("status").asText().equals("success")
          && (type.equals("vector") || type.equals("matrix"))) {
        return root;
      }
    } catch (IOException e) {
      // The same answer as JSON of another kind; the parser's message would quote the page.
    }
    throw new MeterException(
        "the answer is not Prometheus's",
        target.toString(),
        "give the server's base address, without api/v1");
  }

  private static Series series(JsonNode node) {
    Map<String, String> labels = new TreeMap<>();
    node.path("metric")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    List<Point> points = new ArrayList<>();
    if (node.has("value")) {
      points.add(point(node.path("value")));
    }
    node.path("values").forEach(value -> points.add(point(value)));
    return new Series(labels, points);
  }

  private static Point point(JsonNode pair) {
    return new Point(Math.round(pair.path(0).asDouble() * 1000), number(pair.path(1).asText()));
  }

  /** A number as Prometheus writes it, NaN if it is none. */
  static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          yield Double.NaN;
        }
      }
    };
  }

  private MeterException refusal(HttpPeer.Answer answer) {
    String where = target.toString();
    String said = said(answer.body());
    int status = answer.status();
    if (status == 401 || status == 403) {
      return new MeterException(
          "the server refuses us (HTTP " + status + ")",
          where,
          server.login().isEmpty()
              ? "give user and password, or a token"
              : "check user and password, or the token, and what they may read");
    }
    if (status == 400 || status == 422) {
      return new MeterException("the query is refused: " + said, where, "correct the query");
    }
    if (status == 404 || status / 100 == 3) {
      return new MeterException(
          "no Prometheus answers here (HTTP " + status + ")",
          where,
          "give the server's base address, without api/v1, as it is after all redirects");
    }
    return new MeterException(
        "the server fails with HTTP " + status + (said.isEmpty() ? "" : ": " + said),
        where,
        "see the server's log");
  }

  private static String said(byte[] body) {
    try {
      return shorten(JSON.readTree(body).path("error").asText());
    } catch (IOException e) {
      return "";
    }
  }

  private static String shorten(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MOST_MESSAGE_CHARS ? line : line.substring(0, MOST_MESSAGE_CHARS);
  }

  @Override
  public void close() {
    peer.close();
  }
}
