package org.calando.store.cassandra;

import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node with its place on the ring. Immutable and thread safe.
 *
 * @param name what the inventory calls it
 * @param hostId what the cluster calls it, whatever its address and token
 * @param address where clients reach it
 * @param dataCentre its data centre
 * @param rack its rack
 * @param tokens its own, as it tells them itself; in order
 * @param bytesByKeyspace what it has on disk
 * @param jmx where its JMX is reached, if it is
 */
public record RingNode(
    String name,
    String hostId,
    InetSocketAddress address,
    String dataCentre,
    String rack,
    List<BigInteger> tokens,
    Map<String, Long> bytesByKeyspace,
    Optional<Endpoint> jmx) {
  /** Copies the collections. */
  public RingNode {
    tokens = List.copyOf(tokens);
    bytesByKeyspace = Map.copyOf(bytesByKeyspace);
  }
}
