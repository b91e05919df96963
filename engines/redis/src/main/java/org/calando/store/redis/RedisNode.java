package org.calando.store.redis;

/**
 * A server by its name and where it is reached. Immutable.
 *
 * @param name what reports call it
 * @param host its name or address, not blank, as its peers know it
 * @param port 1 .. 65535
 */
public record RedisNode(String name, String host, int port) {
  public RedisNode {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host is blank");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not in 1 .. 65535");
    }
  }

  /** {@code host:port}. */
  public String address() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return name + " (" + address() + ")";
  }
}
