package org.calando.session.internal;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hashes the partition keys of statements. Stateless. */
final class KeyHash {
  /** Stands for a statement without one whole partition key. */
  static final long NONE = 0;

  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private KeyHash() {}

  /** The hash of a statement's partition key. */
  static long of(BoundStatement statement, List<Integer> partitionKeyIndices) {
    if (partitionKeyIndices.isEmpty()) {
      return NONE;
    }
    // Of several columns the driver makes one key, with the length before each.
    @Nullable ByteBuffer key =
        partitionKeyIndices.size() == 1
            ? statement.getBytesUnsafe(partitionKeyIndices.get(0))
            : statement.getRoutingKey();
    return key == null ? NONE : of(key);
  }

  /** The hash of a routing key, from position to limit, which stay. */
  static long of(ByteBuffer bytes) {
    long hash = PRIME ^ bytes.remaining();
    int at = bytes.position();
    for (; at + Long.BYTES <= bytes.limit(); at += Long.BYTES) {
      hash = mixed(hash ^ bytes.getLong(at));
    }
    for (; at < bytes.limit(); at++) {
      hash = mixed(hash ^ bytes.get(at));
    }
    return hash == NONE ? PRIME : hash;
  }

  private static long mixed(long value) {
    long product = value * PRIME;
    return product ^ (product >>> 32);
  }
}
