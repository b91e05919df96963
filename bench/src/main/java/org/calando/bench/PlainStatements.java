package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.store.TableSpec;

/**
 * The statements of Calando's session, filled in the plain and cheap way: level from the prepared
 * statement, one builder a request, values as slices of random bytes that are made once. Thread
 * safe.
 */
final class PlainStatements {
  private static final int VALUE_BYTES = 100;
  // As much as Calando's session draws its values from.
  private static final int ALL_VALUES_BYTES = 1 << 20;

  private final PreparedStatement read;
  private final PreparedStatement[] updates;
  private final ByteBuffer values;
  private final int records;
  private final AtomicLong version = new AtomicLong(1);

  PlainStatements(CqlSession driver, String keyspace, TableSpec table, int records) {
    this.records = records;
    this.updates = new PreparedStatement[table.fields()];
    String name = keyspace + "." + table.name();
    StringBuilder columns = new StringBuilder("version");
    for (int i = 0; i < table.fields(); i++) {
      String field = table.fieldPrefix() + i;
      columns.append(", ").append(field);
      updates[i] =
          prepare(driver, "UPDATE " + name + " SET version = ?, " + field + " = ? WHERE key = ?");
    }
    read = prepare(driver, "SELECT " + columns + " FROM " + name + " WHERE key = ?");
    byte[] bytes = new byte[ALL_VALUES_BYTES];
    new Random(ALL_VALUES_BYTES).nextBytes(bytes);
    values = ByteBuffer.wrap(bytes);
  }

  /** A read of a whole record or an update of one of its fields, with even odds. */
  BoundStatement next(SplittableRandom random) {
    long key = random.nextInt(records);
    if (random.nextBoolean()) {
      return read.boundStatementBuilder().setLong(0, key).build();
    }
    // Increasing, so that every write wins at the store, as Calando's do.
    long written = version.incrementAndGet();
    return updates[random.nextInt(updates.length)]
        .boundStatementBuilder()
        .setLong(0, written)
        .setBytesUnsafe(
            1, values.slice(random.nextInt(ALL_VALUES_BYTES - VALUE_BYTES), VALUE_BYTES))
        .setLong(2, key)
        .setQueryTimestamp(written)
        .build();
  }

  private static PreparedStatement prepare(CqlSession driver, String query) {
    return driver.prepare(
        SimpleStatement.newInstance(query)
            .setConsistencyLevel(DefaultConsistencyLevel.valueOf(LoadgenBenchmark.LEVEL.name())));
  }
}
