package org.calando.engine.cassandra;

import java.util.List;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.CassandraStoreConfig;

/**
 * A live cluster and how to reach it. Immutable.
 *
 * @param config how to connect; a contact point a node
 * @param names of the nodes, in the order of the contact points
 * @param onThisMachine whether all nodes are on this machine's loopback addresses
 */
public record ClusterAccess(
    CassandraStoreConfig config, List<String> names, boolean onThisMachine) {
  /** Copies the list. */
  public ClusterAccess {
    names = List.copyOf(names);
  }

  /** A cluster that {@code calando local start} left running. */
  public static ClusterAccess of(LocalCassandra cluster) {
    CassandraStoreConfig.Builder builder =
        CassandraStoreConfig.builder().localDataCentre(cluster.nodes().get(0).dataCentre());
    for (LocalNode node : cluster.nodes()) {
      builder.contactPoint(node.address(), node.cqlPort()).jmxEndpoint("127.0.0.1", node.jmxPort());
    }
    LocalAccess.apply(cluster, builder);
    return new ClusterAccess(
        builder.build(), cluster.nodes().stream().map(LocalNode::name).toList(), true);
  }
}
