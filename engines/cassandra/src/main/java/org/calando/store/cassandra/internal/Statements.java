package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Payload;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;

/*
 * The driver's statements are immutable, and each setter copies the whole statement. So a template
 * per kind, field and level is bound once; a request is one builder on its template, with values
 * set as bytes by index (no codec is looked up) and the timestamp as a field of the request (no
 * bound variable, no timestamp generator).
 */
/** The prepared statements of a table, ready to be filled in. Thread safe. */
final class Statements {
  private final TableSpec table;
  private final Payload payload = new Payload();
  // By field + 1 (0: all fields), then by level.
  private final List<Map<ConsistencyLevel, BoundStatement>> reads;
  private final List<Map<ConsistencyLevel, BoundStatement>> scans;
  private final List<Map<ConsistencyLevel, BoundStatement>> writes;

  /** Prepares all statements; blocks. */
  Statements(CqlSession session, String keyspace, TableSpec table) {
    this.table = table;
    int variants = table.fields() + 1;
    reads = new ArrayList<>(variants);
    scans = new ArrayList<>(variants);
    writes = new ArrayList<>(variants);
    for (int variant = 0; variant < variants; variant++) {
      int field = variant == 0 ? Session.ALL_FIELDS : variant - 1;
      reads.add(templates(session.prepare(Cql.read(keyspace, table, field))));
      scans.add(templates(session.prepare(Cql.scan(keyspace, table, field))));
      writes.add(templates(session.prepare(Cql.write(keyspace, table, field))));
    }
  }

  BoundStatement read(long key, int field, ConsistencyLevel level) {
    return builder(reads, field, level).setBytesUnsafe(0, bigint(key)).build();
  }

  /** A scan is one page, so that it is one request. */
  BoundStatement scan(long key, int count, int field, ConsistencyLevel level) {
    ByteBuffer keyBytes = bigint(key);
    return builder(scans, field, level)
        .setBytesUnsafe(0, keyBytes)
        .setInt(1, count)
        .setPageSize(count)
        .setRoutingKey(keyBytes)
        .build();
  }

  BoundStatement write(long key, int field, int valueBytes, long version, ConsistencyLevel level) {
    BoundStatementBuilder builder =
        builder(writes, field, level).setBytesUnsafe(0, bigint(version));
    int first = field == Session.ALL_FIELDS ? 0 : field;
    int last = field == Session.ALL_FIELDS ? table.fields() - 1 : field;
    int variable = 1;
    for (int i = first; i <= last; i++) {
      builder =
          builder.setBytesUnsafe(
              variable++,
              // Not read-only: Netty copies from an array at once, from other buffers twice.
              payload.piece(key, version, i, valueBytes, ByteBuffer::wrap));
    }
    return builder.setBytesUnsafe(variable, bigint(key)).setQueryTimestamp(version).build();
  }

  private static BoundStatementBuilder builder(
      List<Map<ConsistencyLevel, BoundStatement>> templates, int field, ConsistencyLevel level) {
    // Every level is in the map.
    return new BoundStatementBuilder(Objects.requireNonNull(templates.get(field + 1).get(level)));
  }

  private static Map<ConsistencyLevel, BoundStatement> templates(PreparedStatement prepared) {
    Map<ConsistencyLevel, BoundStatement> templates = new EnumMap<>(ConsistencyLevel.class);
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      templates.put(
          level,
          prepared
              .boundStatementBuilder()
              .setConsistencyLevel(DefaultConsistencyLevel.valueOf(level.name()))
              .build());
    }
    return templates;
  }

  private static ByteBuffer bigint(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
  }
}
