package org.calando.store.cassandra;

import java.io.IOException;
import java.util.List;
import javax.management.JMException;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.NodeTraffic;
import org.calando.store.cassandra.internal.TrafficReader;

/**
 * What each node of a cluster received and sent, by its own counters over JMX: messages between
 * nodes and with clients, without the headers of network and transport. One thread at a time for
 * each node.
 */
public final class CassandraTraffic implements NodeTraffic {
  private final List<TrafficReader> nodes;

  private CassandraTraffic(List<TrafficReader> nodes) {
    this.nodes = nodes;
  }

  /** Connects to nobody yet; without JMX endpoints in the configuration it knows no node. */
  public static CassandraTraffic of(CassandraStoreConfig config) {
    return new CassandraTraffic(
        config.jmxEndpoints().stream()
            .map(endpoint -> new TrafficReader(endpoint, config.jmxCredentials()))
            .toList());
  }

  @Override
  public int nodes() {
    return nodes.size();
  }

  /** {@inheritDoc} RMI sets no limit. */
  @Override
  public Bytes read(int node) {
    try {
      return nodes.get(node).read();
    } catch (IOException | JMException e) {
      throw new FailedWorkException(
          "no answer: " + e.getMessage(), "JMX of node " + (node + 1), "see that it runs", e);
    }
  }

  @Override
  public void close() {
    nodes.forEach(TrafficReader::close);
  }
}
