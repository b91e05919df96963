package org.calando.power.onoff;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;

/**
 * A Cassandra that its sidecar starts and stops, by the sidecar's lifecycle call; the machine stays
 * on. Thread safe.
 */
public final class SidecarSwitch implements PowerSwitch {
  private static final String PATH = "/api/v1/cassandra/lifecycle";
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String node;
  private final URI uri;
  private final HttpPeer peer;
  private final Duration askWithin;

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param uri such as {@code https://10.0.0.1:9043}
   * @param askWithin how long one question or order may take
   * @throws org.calando.core.BadRequestException if a file of the access cannot be used
   */
  public SidecarSwitch(String node, URI uri, HttpPeer.Access access, Duration askWithin) {
    this.node = node;
    this.uri = uri;
    this.peer = new HttpPeer(uri, access);
    this.askWithin = askWithin;
  }

  @Override
  public String describe() {
    return node + ", sidecar " + uri;
  }

  @Override
  public State read() throws InterruptedException {
    String answer = asked(peer.request(PATH, askWithin).build());
    try {
      return switch (JSON.readTree(answer).path("current_state").asText()) {
        case "RUNNING" -> State.ON;
        case "STOPPED" -> State.OFF;
        default -> State.UNKNOWN;
      };
    } catch (JsonProcessingException e) {
      throw new FailedWorkException(
          "does not report whether it runs", describe(), "is its lifecycle configured?", e);
    }
  }

  @Override
  public void on() throws InterruptedException {
    order("start");
  }

  @Override
  public void off() throws InterruptedException {
    order("stop");
  }

  @Override
  public boolean canForce() {
    return false;
  }

  @Override
  public void forceOff() {
    throw new UnsupportedOperationException(describe() + " cannot be turned off by force");
  }

  private void order(String state) throws InterruptedException {
    HttpRequest.BodyPublisher body =
        HttpRequest.BodyPublishers.ofString("{\"state\":\"" + state + "\"}");
    String unused =
        asked(
            peer.request(PATH, askWithin)
                .header("Content-Type", "application/json")
                .PUT(body)
                .build());
  }

  private String asked(HttpRequest request) throws InterruptedException {
    HttpResponse<String> answer;
    try {
      answer = peer.ask(request).get();
    } catch (ExecutionException e) {
      throw new FailedWorkException(
          "does not answer: " + e.getCause(), describe(), "see that the sidecar runs", e);
    }
    if (answer.statusCode() != OK && answer.statusCode() != ACCEPTED) {
      throw new FailedWorkException(
          "refuses (HTTP status " + answer.statusCode() + ")",
          describe(),
          "see its log; it needs a lifecycle provider, and whoever asks the permission for it");
    }
    return answer.body();
  }
}
