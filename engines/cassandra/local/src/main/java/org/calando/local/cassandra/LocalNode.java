package org.calando.local.cassandra;

import java.nio.file.Path;
import java.util.List;
import org.calando.local.process.ProcessIdentity;

/**
 * One node of a local cluster as it is now; a restart changes its process.
 *
 * @param index 1 to N, the number that {@link LocalCassandra#stop} and its like take
 * @param name {@code n1} to {@code nN}
 * @param address where clients reach it
 * @param cqlPort the native transport's port
 * @param jmxPort the JMX port, on 127.0.0.1 whatever the node's address
 * @param dataCentre its data centre
 * @param rack its rack
 * @param tokens its tokens
 * @param process its process, or the last one if it is down
 * @param logFile what the server logs
 */
public record LocalNode(
    int index,
    String name,
    String address,
    int cqlPort,
    int jmxPort,
    String dataCentre,
    String rack,
    List<String> tokens,
    ProcessIdentity process,
    Path logFile) {
  /** Copies the list. */
  public LocalNode {
    tokens = List.copyOf(tokens);
  }

  /** The number of its process. */
  public long pid() {
    return process.pid();
  }
}
