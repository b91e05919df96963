package org.calando.http.server;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Bytes that are no requests, or none that anybody should send. */
final class NoRequests {
  /** Of forms that a server of HTTP may take for a fault of its own. */
  static final List<String> ODD =
      List.of(
          "GET / HTTP/7.0\r\nHost: localhost\r\n\r\n",
          "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: rot13\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
          "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\n\r\n",
          "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET /%00%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: local host\r\n\r\n",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

  private NoRequests() {}

  /** Random bytes, or a request with too much in it. */
  static String next(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return random.nextBoolean()
        ? text + "\r\n\r\n"
        : "GET /"
            + "x".repeat(random.nextInt(20_000))
            + " HTTP/1.1\r\nHost: localhost\r\nA: "
            + text
            + "\r\n\r\n";
  }
}
