package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.util.List;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.FirstErrors;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.internal.Slot.Kind;

/**
 * Operations on one table through the store's driver session. Different slots may be used from
 * different threads at once. Completions run on the driver's I/O threads and must not block.
 */
public final class CassandraSession implements Session {
  private final CqlSession driver;
  private final Statements statements;
  private final Slot[] slots;
  private final FirstErrors errors = new FirstErrors();
  private volatile boolean closed;

  /** Prepares the statements of the table; blocks. */
  public CassandraSession(CqlSession driver, String keyspace, TableSpec table, int slots) {
    this.driver = driver;
    this.statements = new Statements(driver, keyspace, table);
    this.slots = new Slot[slots];
    for (int i = 0; i < slots; i++) {
      this.slots[i] = new Slot(i, errors);
    }
  }

  @Override
  public int slots() {
    return slots.length;
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    Slot target = slots[slot];
    target.begin(Kind.READ, completion);
    BoundStatement statement;
    try {
      statement = statements.read(key, field, level);
    } catch (RuntimeException e) {
      target.end(Outcome.FAILED, NO_VERSION);
      return;
    }
    send(target, statement);
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    Slot target = slots[slot];
    target.begin(Kind.WRITE, completion);
    BoundStatement statement;
    try {
      statement = statements.write(key, field, valueBytes, version, level);
    } catch (RuntimeException e) {
      target.end(Outcome.FAILED, NO_VERSION);
      return;
    }
    send(target, statement);
  }

  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    Slot target = slots[slot];
    target.begin(Kind.SCAN, completion);
    BoundStatement statement;
    try {
      statement = statements.scan(key, count, field, level);
    } catch (RuntimeException e) {
      target.end(Outcome.FAILED, NO_VERSION);
      return;
    }
    send(target, statement);
  }

  private void send(Slot slot, BoundStatement statement) {
    if (closed) {
      slot.end(Outcome.REFUSED, NO_VERSION);
      return;
    }
    try {
      // The slot sees every end of the request, its errors too; the stage itself is of no use.
      var unused = driver.executeAsync(statement).whenComplete(slot);
    } catch (RuntimeException e) {
      slot.fail(e);
    }
  }

  @Override
  public List<String> errors() {
    return errors.texts();
  }

  /** Refuses further operations; those under way end by themselves within the request timeout. */
  @Override
  public void close() {
    closed = true;
  }
}
