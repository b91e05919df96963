package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import org.calando.core.store.ConsistencyLevel;
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
  private static final ConsistencyLevel[] LEVELS = ConsistencyLevel.values();

  private final TableSpec table;
  private final Payload payload = new Payload();
  // By field + 1 (0: all fields) and level.
  private final BoundStatement[][] reads;
  private final BoundStatement[][] scans;
  private final BoundStatement[][] writes;

  /** Prepares all statements; blocks. */
  Statements(CqlSession session, String keyspace, TableSpec table) {
    this.table = table;
    int variants = table.fields() + 1;
    reads = new BoundStatement[variants][];
    scans = new BoundStatement[variants][];
    writes = new BoundStatement[variants][];
    for (int variant = 0; variant < variants; variant++) {
      int field = variant == 0 ? Session.ALL_FIELDS : variant - 1;
      reads[variant] = templates(session.prepare(Cql.read(keyspace, table, field)));
      scans[variant] = templates(session.prepare(Cql.scan(keyspace, table, field)));
      writes[variant] = templates(session.prepare(Cql.write(keyspace, table, field)));
    }
  }

  BoundStatement read(long key, int field, ConsistencyLevel level) {
    return new BoundStatementBuilder(reads[field + 1][level.ordinal()])
        .setBytesUnsafe(0, bigint(key))
        .build();
  }

  /** A scan is one page, so that it is one request. */
  BoundStatement scan(long key, int count, int field, ConsistencyLevel level) {
    ByteBuffer keyBytes = bigint(key);
    return new BoundStatementBuilder(scans[field + 1][level.ordinal()])
        .setBytesUnsafe(0, keyBytes)
        .setInt(1, count)
        .setPageSize(count)
        .setRoutingKey(keyBytes)
        .build();
  }

  BoundStatement write(long key, int field, int valueBytes, long version, ConsistencyLevel level) {
    BoundStatementBuilder builder =
        new BoundStatementBuilder(writes[field + 1][level.ordinal()])
            .setBytesUnsafe(0, bigint(version));
    int first = field == Session.ALL_FIELDS ? 0 : field;
    int last = field == Session.ALL_FIELDS ? table.fields() - 1 : field;
    int variable = 1;
    for (int i = first; i <= last; i++) {
      builder = builder.setBytesUnsafe(variable++, payload.slice(key, version, i, valueBytes));
    }
    return builder.setBytesUnsafe(variable, bigint(key)).setQueryTimestamp(version).build();
  }

  private static BoundStatement[] templates(PreparedStatement prepared) {
    BoundStatement[] templates = new BoundStatement[LEVELS.length];
    for (ConsistencyLevel level : LEVELS) {
      templates[level.ordinal()] =
          prepared
              .boundStatementBuilder()
              .setConsistencyLevel(DefaultConsistencyLevel.valueOf(level.name()))
              .build();
    }
    return templates;
  }

  private static ByteBuffer bigint(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
  }
}
