package org.calando.http.server;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An answer to a request. Immutable and thread safe.
 *
 * @param status such as 200
 * @param type of the body, such as {@code application/json}
 * @param body the text; left out where it was asked for by HEAD
 * @param headers further ones, by name
 * @param goesOn takes what further text is written to, where the answer has no end yet
 */
public record Answer(
    int status,
    String type,
    String body,
    Map<String, String> headers,
    Optional<Consumer<AnswerSink>> goesOn) {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  /** Copies the map. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** A whole one. */
  public Answer(int status, String type, String body) {
    this(status, type, body, Map.of(), Optional.empty());
  }

  /** A text for people. */
  public static Answer text(int status, String body) {
    return new Answer(status, TEXT, body);
  }

  /** JSON. */
  public static Answer json(String body) {
    return json(200, body);
  }

  /** JSON. */
  public static Answer json(int status, String body) {
    return new Answer(status, JSON, body);
  }

  /**
   * One that goes on until its sink is closed, or the client is gone.
   *
   * @param begin the first text
   * @param goesOn is called once, and is not to block
   */
  public static Answer goingOn(String type, String begin, Consumer<AnswerSink> goesOn) {
    return new Answer(200, type, begin, Map.of(), Optional.of(goesOn));
  }
}
