package org.calando.store.redis.internal.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * A node says nothing, or an empty text, where it is to be reached at the address by which it was
 * asked: it does not know its own, or is told not to give it (cluster-preferred-endpoint-type).
 */
/**
 * Where a node of an answer to CLUSTER SLOTS is reached. Immutable.
 *
 * @param host its address or name, not empty
 * @param port 1 .. 65535
 */
public record Endpoint(String host, int port) {
  private static final int HIGHEST_PORT = 65_535;

  /**
   * Reads one node of an answer.
   *
   * @param asked the host that answered
   * @return empty if it is not of that form
   */
  public static Optional<Endpoint> of(Object told, String asked) {
    if (told instanceof List<?> node
        && node.size() >= 2
        && node.get(1) instanceof Long port
        && port >= 1
        && port <= HIGHEST_PORT) {
      String host = text(node.get(0));
      return Optional.of(new Endpoint(host.isEmpty() ? asked : host, port.intValue()));
    }
    return Optional.empty();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    return value == null ? "" : value.toString();
  }

  /** {@code host:port}. */
  public String address() {
    return host + ":" + port;
  }
}
