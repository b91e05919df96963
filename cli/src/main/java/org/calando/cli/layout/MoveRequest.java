package org.calando.cli.layout;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.WarmShare;

/**
 * What {@code layout move} is asked for. Immutable.
 *
 * @param tokens the nodes' present tokens, of node 1, 2 and so on
 * @param share which share of the nodes is to be warm
 * @param arrangement in which order they are to stand
 * @param partitioner of the cluster
 * @param replicationFactor 1 to the number of nodes
 * @param racks 1 to the number of nodes; node i is in rack i modulo racks
 * @param dataBytes all keys with one replica each; empty if it is not known
 */
record MoveRequest(
    List<BigInteger> tokens,
    WarmShare share,
    Arrangement arrangement,
    Partitioner partitioner,
    int replicationFactor,
    int racks,
    OptionalLong dataBytes) {
  /** Copies the list. */
  MoveRequest {
    tokens = List.copyOf(tokens);
  }
}
