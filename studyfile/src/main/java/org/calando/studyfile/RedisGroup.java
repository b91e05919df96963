package org.calando.studyfile;

import java.util.Optional;

/**
 * A user's own Redis or Valkey master and its replicas. Immutable and thread safe.
 *
 * @param nodes the master and all replicas
 * @param sentinels who tells the master, if somebody does
 * @param credentials of the nodes, where they ask for some
 * @param tls how connections are encrypted; empty: not at all
 */
public record RedisGroup(
    InventorySpec nodes,
    Optional<SentinelSpec> sentinels,
    Optional<StoreSpec.Credentials> credentials,
    Optional<TlsSpec> tls) {}
