package org.calando.power.jmx;

import java.util.Optional;
import org.calando.power.Secret;

/**
 * Where a process of an agent's machine offers its JMX. Immutable and thread safe; the password is
 * named, never held.
 *
 * @param host an address of the loopback
 * @param port 1 to 65535
 * @param login who asks; empty if anybody may
 */
public record JmxSource(String host, int port, Optional<Login> login) {
  /** A user of a JMX. */
  public record Login(String user, Secret password) {}

  /** The place, for messages. */
  public String describe() {
    return "JMX " + host + ":" + port;
  }
}
