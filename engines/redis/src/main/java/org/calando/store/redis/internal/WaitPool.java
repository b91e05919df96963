package org.calando.store.redis.internal;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one master for writes that wait for replicas: a WAIT stalls its connection until
 * they have answered. Writes of one key share a connection. Opened when they are first used. Thread
 * safe.
 */
final class WaitPool {
  /** A connection costs the server some ten kilobytes. */
  static final int MOST = 256;

  /** Connections a slot, so that few writes queue behind another key's. */
  private static final int PER_SLOT = 4;

  private final LiveNodes nodes;
  private final int master;
  private final AtomicReferenceArray<
          @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>>>
      connections;

  WaitPool(LiveNodes nodes, int master, int slots) {
    this.nodes = nodes;
    this.master = master;
    this.connections = new AtomicReferenceArray<>(Math.min(MOST, PER_SLOT * slots));
  }

  /** The connection for a key, perhaps still being opened; one that failed is opened anew. */
  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(long key) {
    int index =
        (int) Math.floorMod((key * 0x9E3779B97F4A7C15L) >>> 16, (long) connections.length());
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> there = connections.get(index);
    if (there != null && !there.isCompletedExceptionally()) {
      return there;
    }
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> fresh = new CompletableFuture<>();
    if (!connections.compareAndSet(index, there, fresh)) {
      return connection(key);
    }
    var unused =
        nodes
            .links()
            .connectLater(nodes.nodes().get(master))
            .whenComplete(
                (connection, error) -> {
                  if (error != null) {
                    fresh.completeExceptionally(error);
                  } else {
                    fresh.complete(connection);
                  }
                });
    return fresh;
  }

  /** Closes all connections; requests on them end without an answer. */
  void close() {
    for (int i = 0; i < connections.length(); i++) {
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> there = connections.get(i);
      if (there != null) {
        var unused = there.thenCompose(StatefulRedisConnection::closeAsync);
      }
    }
  }
}
