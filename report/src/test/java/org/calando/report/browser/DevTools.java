package org.calando.report.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The browser's end of the DevTools protocol: commands with answers, and events. Thread safe. */
final class DevTools implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final long ANSWER_DEADLINE_SECONDS = 60;

  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final Map<String, BiConsumer<String, JsonNode>> listeners = new ConcurrentHashMap<>();
  private volatile @Nullable WebSocket socket;

  private DevTools() {}

  static DevTools connect(URI uri) {
    DevTools devTools = new DevTools();
    devTools.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(uri, devTools.new Receiver())
            .join();
    return devTools;
  }

  /** Events of a session go to its listener: the method's name and its parameters. */
  void listen(String session, BiConsumer<String, JsonNode> listener) {
    listeners.put(session, listener);
  }

  /**
   * Carries out a command.
   *
   * @param session the page's, or empty for the browser's own commands
   * @throws AssertionError if the browser refuses, or does not answer within a minute
   */
  JsonNode call(String session, String method, ObjectNode parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    open.sendText(message.toString(), true).join();
    try {
      JsonNode told = answer.get(ANSWER_DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (told.has("error")) {
        throw new AssertionError(method + ": " + told.path("error"));
      }
      return told.path("result");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(method, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(method + " has no answer", e);
    }
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
  }

  private void received(String text) {
    try {
      JsonNode message = JSON.readTree(text);
      if (message.has("id")) {
        CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asInt());
        if (answer != null) {
          answer.complete(message);
        }
        return;
      }
      BiConsumer<String, JsonNode> listener = listeners.get(message.path("sessionId").asText(""));
      if (listener != null) {
        listener.accept(message.path("method").asText(), message.path("params"));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        String whole = text.toString();
        text.setLength(0);
        received(whole);
      }
      from.request(1);
      return null;
    }
  }
}
