package org.calando.http.server;

/**
 * An answer to a request. Immutable and thread safe.
 *
 * @param status such as 200
 * @param type of the body, such as {@code application/json}
 * @param body the text; left out where it was asked for by HEAD
 */
public record Answer(int status, String type, String body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** A text for people. */
  public static Answer text(int status, String body) {
    return new Answer(status, TEXT, body);
  }

  /** JSON. */
  public static Answer json(String body) {
    return new Answer(200, "application/json", body);
  }
}
