package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;

/**
 * Sends requests to the local data centre, named or inferred from the contact points, and keeps a
 * connection to every other node too: settling and the doctor ask each node for itself. A request
 * of the load never goes to another data centre, not even if the local one is down.
 */
public final class WholeClusterPolicy extends DcInferringLoadBalancingPolicy {
  /** Called by the driver. */
  public WholeClusterPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  protected NodeDistance computeNodeDistance(Node node) {
    NodeDistance distance = super.computeNodeDistance(node);
    return distance == NodeDistance.IGNORED ? NodeDistance.REMOTE : distance;
  }
}
