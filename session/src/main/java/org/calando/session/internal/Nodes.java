package org.calando.session.internal;

import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;

/** What the driver knows of nodes. Stateless. */
public final class Nodes {
  private Nodes() {}

  /**
   * Whether the session keeps connections to a node: not to those of other data centres, mostly.
   */
  public static boolean mayBeAsked(Node node) {
    return node.getDistance() != NodeDistance.IGNORED;
  }

  /** Whether a node is known to be down. */
  public static boolean isDown(Node node) {
    return node.getState() == NodeState.DOWN || node.getState() == NodeState.FORCED_DOWN;
  }

  /** The address that clients use, for messages. */
  static String address(Node node) {
    return node.getEndPoint().toString();
  }
}
