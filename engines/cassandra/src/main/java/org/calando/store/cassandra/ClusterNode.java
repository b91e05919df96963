package org.calando.store.cassandra;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A node as the driver has discovered it. Immutable and thread safe.
 *
 * @param address where Calando reaches it
 * @param ownAddress where the node itself says that clients reach it; another one behind a tunnel
 *     or a translation of addresses
 * @param dataCentre its data centre, or {@code ?}
 * @param rack its rack, or {@code ?}
 * @param up whether the driver takes it for up
 */
public record ClusterNode(
    InetSocketAddress address,
    Optional<InetSocketAddress> ownAddress,
    String dataCentre,
    String rack,
    boolean up) {}
