package org.calando.power.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.core.BadRequestException;
import org.calando.http.HttpPeer;
import org.calando.power.MeterException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an agent tells of its machine. One thread asks at a time; {@link #close} may come from
 * another, and ends what is under way.
 */
public final class AgentQuestions implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OK = 200;

  private final AgentSource source;
  private final HttpPeer peer;
  private volatile @Nullable CompletableFuture<HttpResponse<String>> underWay;
  private volatile boolean closed;

  private AgentQuestions(AgentSource source, HttpPeer peer) {
    this.source = source;
    this.peer = peer;
  }

  /**
   * Asks nothing yet.
   *
   * @throws MeterException if a file that it takes cannot be read
   */
  public static AgentQuestions of(AgentSource source) throws MeterException {
    try {
      return new AgentQuestions(source, new HttpPeer(source.uri(), source.access()));
    } catch (BadRequestException e) {
      throw new MeterException(e.problem(), source.describe(), e.remedy(), e);
    }
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param path such as {@code /v1/energy}
   * @param nanos how long it may take
   * @throws MeterException if there is no answer in time, or it is a refusal
   */
  public String ask(String path, long nanos) throws MeterException, InterruptedException {
    return ask(path, Optional.empty(), nanos);
  }

  /**
   * Orders, and waits for the answer.
   *
   * @param order the body of a PUT
   * @throws MeterException as {@link #ask}
   */
  public String order(String path, String order, long nanos)
      throws MeterException, InterruptedException {
    return ask(path, Optional.of(order), nanos);
  }

  private String ask(String path, Optional<String> order, long nanos)
      throws MeterException, InterruptedException {
    if (closed || nanos <= 0) {
      throw new MeterException(
          closed ? "is closed" : "does not answer in time", source.describe(), "");
    }
    CompletableFuture<HttpResponse<String>> asked;
    try {
      HttpRequest.Builder request = peer.request(path, Duration.ofNanos(nanos));
      order.ifPresent(body -> request.PUT(HttpRequest.BodyPublishers.ofString(body)));
      asked = peer.ask(request.build());
    } catch (BadRequestException e) {
      throw new MeterException(e.problem(), source.describe(), e.remedy(), e);
    }
    underWay = asked;
    try {
      HttpResponse<String> response = asked.get(nanos, TimeUnit.NANOSECONDS);
      if (response.statusCode() != OK) {
        throw refusal(response);
      }
      return response.body();
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      boolean cancelled = asked.cancel(true);
      throw new MeterException(
          "does not answer" + (cancelled ? " in time" : ": " + e.getMessage()),
          source.describe(),
          "start it: ./calando agent FILE.yaml",
          e);
    }
  }

  private MeterException refusal(HttpResponse<String> response) {
    String status = "HTTP status " + response.statusCode();
    try {
      JsonNode words = JSON.readTree(response.body());
      return new MeterException(
          words.path("what").asText(status), source.describe(), words.path("remedy").asText());
    } catch (JsonProcessingException e) {
      return new MeterException(status, source.describe(), "is it an agent of this version?", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    CompletableFuture<HttpResponse<String>> asked = underWay;
    if (asked != null) {
      boolean unused = asked.cancel(true);
    }
  }
}
