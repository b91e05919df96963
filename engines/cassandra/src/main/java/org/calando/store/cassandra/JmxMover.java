package org.calando.store.cassandra;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.http.Credentials;
import org.calando.store.cassandra.internal.JmxOrder;

/** Orders moves over each node's JMX. A move goes on when the way to the node breaks. */
public final class JmxMover implements TokenMover {
  private final Optional<Credentials> credentials;
  private final List<String> keyspaces;

  /**
   * A mover.
   *
   * @param credentials of JMX, if it asks for any
   * @param keyspaces that cleanup is for
   */
  public JmxMover(Optional<Credentials> credentials, List<String> keyspaces) {
    this.credentials = credentials;
    this.keyspaces = List.copyOf(keyspaces);
  }

  @Override
  public CompletionStage<Ended> move(RingNode node, BigInteger token) {
    return JmxOrder.move(endpoint(node), credentials, token);
  }

  @Override
  public CompletionStage<Ended> cleanup(RingNode node) {
    return JmxOrder.cleanup(endpoint(node), credentials, keyspaces);
  }

  private static Endpoint endpoint(RingNode node) {
    return node.jmx().orElseThrow(() -> new IllegalArgumentException("no JMX of " + node.name()));
  }
}
