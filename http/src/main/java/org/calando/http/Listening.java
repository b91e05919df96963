package org.calando.http;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a service listens, and what it asks of its clients. Immutable and thread safe.
 *
 * @param address a name or an address without brackets, such as {@code 127.0.0.1}
 * @param port 1 to 65535, or 0 for any that is free
 * @param tls how connections are encrypted; empty if they are not, which is for the loopback only
 * @param tokens the file of the tokens of which a client has to show one; empty if none is needed
 */
public record Listening(String address, int port, Optional<Tls> tls, Optional<Path> tokens) {
  /**
   * Files in PEM. Immutable and thread safe.
   *
   * @param certificate the server's certificate, followed by those of intermediate authorities
   * @param key its private key, PKCS #8 without a password
   * @param clientCa authorities of which a client's certificate has to be; empty if none is needed
   */
  public record Tls(Path certificate, Path key, Optional<Path> clientCa) {}

  /** Connections of this machine, neither encrypted nor asked for a token. */
  public static Listening plain(String address, int port) {
    return new Listening(address, port, Optional.empty(), Optional.empty());
  }

  /** Whether only this machine can connect. */
  public boolean isLoopback() {
    return isLoopback(address);
  }

  /** Whether a name or an address, with or without brackets, is one of the loopback's by itself. */
  public static boolean isLoopback(String host) {
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.equals("::1")
        || host.equals("[0:0:0:0:0:0:0:1]")
        || host.equals("0:0:0:0:0:0:0:1")
        || host.matches("127(\\.\\d{1,3}){3}");
  }

  /** Whether clients show who they are: without that only the loopback is safe. */
  public boolean isGuarded() {
    return tls.isPresent() && (tokens.isPresent() || tls.get().clientCa().isPresent());
  }
}
