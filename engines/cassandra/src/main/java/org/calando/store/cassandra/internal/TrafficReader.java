package org.calando.store.cassandra.internal;

import java.io.IOException;
import java.util.Optional;
import javax.management.JMException;
import org.calando.core.observe.NodeTraffic;
import org.calando.core.time.DaemonThread;
import org.calando.http.Credentials;
import org.calando.store.cassandra.Endpoint;

/** Reads one node's counters of bytes. Thread safe. */
public final class TrafficReader {
  private final JmxNode node;

  /** Connects with the first reading. */
  public TrafficReader(Endpoint endpoint, Optional<Credentials> credentials) {
    node = new JmxNode(endpoint, credentials);
  }

  /** What the node received and sent since its start. */
  public synchronized NodeTraffic.Bytes read() throws IOException, JMException {
    return new NodeTraffic.Bytes(node.bytesReceived(), node.bytesSent());
  }

  /** Ends the connection, without waiting for a node that does not answer. */
  public void close() {
    var unused = DaemonThread.start("calando-jmx-close", node::close);
  }
}
