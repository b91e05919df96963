package org.calando.power.onoff;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.calando.core.FailedWorkException;

/**
 * Sees by itself whether a node answers, so that a switch need not be taken at its word. Thread
 * safe.
 */
@FunctionalInterface
public interface Lookout {
  /**
   * Whether the node answers now; bounded in time.
   *
   * @throws FailedWorkException if that cannot be told
   */
  boolean answers() throws InterruptedException;

  /**
   * Whether a port takes connections.
   *
   * @param host name or address, resolved each time
   * @param patience how long to wait for one, at least 1 ms
   */
  static Lookout port(String host, int port, Duration patience) {
    int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, patience.toMillis()));
    return () -> {
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw new FailedWorkException(
            "the host's name is not known, so its answer cannot be checked",
            host,
            "correct the node's address, or the resolver");
      }
      try (Socket socket = new Socket()) {
        socket.connect(address, millis);
        return true;
      } catch (IOException e) {
        // Refused, no route, no answer in time.
        return false;
      }
    };
  }
}
