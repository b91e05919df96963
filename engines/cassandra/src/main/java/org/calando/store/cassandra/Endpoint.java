package org.calando.store.cassandra;

import java.net.InetSocketAddress;

/**
 * A host and a port of a node.
 *
 * @param host name or address, not blank
 * @param port 1 .. 65535
 */
public record Endpoint(String host, int port) {
  public Endpoint {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host is blank");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not in 1 .. 65535");
    }
  }

  /**
   * Reads {@code host:port}, {@code host}, or {@code [ipv6]:port}.
   *
   * @param defaultPort the port where the text names none
   * @throws IllegalArgumentException if the text has another form
   */
  public static Endpoint parse(String text, int defaultPort) {
    String trimmed = text.trim();
    if (trimmed.startsWith("[")) {
      int end = trimmed.indexOf(']');
      if (end < 0) {
        throw new IllegalArgumentException("'" + text + "' lacks a ']'");
      }
      String rest = trimmed.substring(end + 1);
      if (!rest.isEmpty() && !rest.startsWith(":")) {
        throw new IllegalArgumentException("'" + text + "' is not [address]:port");
      }
      int port = rest.isEmpty() ? defaultPort : port(rest.substring(1), text);
      return new Endpoint(trimmed.substring(1, end), port);
    }
    int colon = trimmed.indexOf(':');
    // Two colons and no brackets: an IPv6 address without a port.
    if (colon < 0 || colon != trimmed.lastIndexOf(':')) {
      return new Endpoint(trimmed, defaultPort);
    }
    return new Endpoint(trimmed.substring(0, colon), port(trimmed.substring(colon + 1), text));
  }

  private static int port(String digits, String text) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + digits + "' in '" + text + "' is not a port", e);
    }
  }

  /** The address, looked up by name once. */
  public InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
