package org.calando.cli.redis;

import java.util.List;
import java.util.Optional;
import org.calando.core.energy.PStates;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.RedisNode;

/**
 * What {@code redis lag} is asked for. Immutable.
 *
 * @param nodes one or more of the master and its replicas
 * @param credentials of all of them, if they ask for some
 * @param tls how connections are encrypted; empty: not at all
 * @param lookNanos for how long to look
 * @param pollNanos between two questions for offsets
 * @param states clocks to judge
 * @param statesFrom where they are from, in words
 * @param measuredGhz the clock at which the nodes run, one of {@code states}
 * @param busyLimit busy share up to which a replica keeps up with ease
 */
record RedisLagRequest(
    List<RedisNode> nodes,
    Optional<Credentials> credentials,
    Optional<TlsSettings> tls,
    long lookNanos,
    long pollNanos,
    PStates states,
    String statesFrom,
    double measuredGhz,
    double busyLimit) {
  RedisLagRequest {
    nodes = List.copyOf(nodes);
  }
}
