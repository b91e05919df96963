package org.calando.http.server;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.http.Tokens;

/**
 * A request whose client may ask. Immutable and thread safe.
 *
 * @param method such as {@code GET}
 * @param path decoded, without the query, such as {@code /metrics}
 * @param query its parameters, the first of each name
 * @param headers by name in lower case, without those that hold secrets
 * @param body the text; empty without one
 * @param client who asks
 */
public record Call(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    String body,
    Client client) {
  /**
   * Who asks. Immutable and thread safe.
   *
   * @param holder whose token was shown; empty if none was, or none is needed
   * @param address from where, as {@code 127.0.0.1}
   * @param isEncrypted whether the connection is
   */
  public record Client(Optional<Tokens.Holder> holder, String address, boolean isEncrypted) {}

  /** Copies the maps. */
  public Call {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  /** Whether it only reads: a GET, or a HEAD. */
  public boolean reads() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** A header, by its name in lower case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /**
   * A parameter of the query that is a whole number.
   *
   * @return empty if there is none
   * @throws IllegalArgumentException in words if it is no number from the least to the most
   */
  public OptionalLong number(String name, long least, long most) {
    String text = query.get(name);
    if (text == null) {
      return OptionalLong.empty();
    }
    long number = text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          name + " must be a whole number of " + least + " at least, and " + most + " at most");
    }
    return OptionalLong.of(number);
  }

  /** The header {@code Accept}. */
  public Optional<String> accept() {
    return header("accept");
  }
}
