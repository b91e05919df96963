package org.calando.http.server;

import java.util.Optional;

/**
 * A request whose client may ask. Immutable and thread safe.
 *
 * @param method such as {@code GET}
 * @param path decoded, without the query, such as {@code /metrics}
 * @param accept the header {@code Accept}
 * @param body the text; empty without one
 */
public record Call(String method, String path, Optional<String> accept, String body) {
  /** Whether it only reads: a GET, or a HEAD. */
  public boolean reads() {
    return method.equals("GET") || method.equals("HEAD");
  }
}
