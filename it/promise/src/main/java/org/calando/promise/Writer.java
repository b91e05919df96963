package org.calando.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.calando.promise.Task.Form;
import org.jspecify.annotations.Nullable;

/*
 * It is the only writer of its keys, so its versions are in the order of its writes: the driver
 * stamps those of a session one after another. Conditional updates are stamped by the servers, so
 * they wait for each other.
 */
/** Writes rows as an application does, and keeps books. For one thread at a time. */
final class Writer {
  private static final int LIFE_SECONDS = 2;

  /** Servers count lives in whole seconds, so that one may end by so much sooner. */
  private static final long LEAST_LIFE_NANOS = TimeUnit.SECONDS.toNanos(LIFE_SECONDS - 1);

  private static final int DELETES_ONE_OF = 5;

  private final Task task;
  private final ProbeSpec spec;
  private final CqlSession session;
  private final PreparedStatement update;
  private final PreparedStatement other;
  private final Keys.Chooser keys;
  private final Books books;
  private final Outstanding outstanding;
  private final Set<Long> busy = ConcurrentHashMap.newKeySet();
  private long version;

  Writer(
      Task task,
      ProbeSpec spec,
      CqlSession session,
      Books books,
      Outstanding outstanding,
      long seed) {
    this.task = task;
    this.spec = spec;
    this.session = session;
    this.keys = new Keys.Chooser(task.keys(), seed);
    this.books = books;
    this.outstanding = outstanding;
    String set = " SET v = ? WHERE id = ?";
    this.update = session.prepare("UPDATE " + spec.table() + set);
    this.other =
        switch (task.form()) {
          case WRITE_TTL ->
              session.prepare("UPDATE " + spec.table() + " USING TTL " + LIFE_SECONDS + set);
          case WRITE_LWT -> session.prepare("UPDATE " + spec.table() + set + " IF EXISTS");
          case WRITE_DELETE -> session.prepare("DELETE FROM " + spec.table() + " WHERE id = ?");
          default -> update;
        };
  }

  /** One write more. */
  void write(double hottest) {
    switch (task.form()) {
      case WRITE_LOGGED -> batch(DefaultBatchType.LOGGED, hottest);
      case WRITE_UNLOGGED -> batch(DefaultBatchType.UNLOGGED, hottest);
      default -> single(keys.next(hottest));
    }
  }

  private void single(long key) {
    if (task.form() == Form.WRITE_LWT && !busy.add(key)) {
      return;
    }
    version++;
    boolean odd = version % 2 == 1;
    boolean delete = task.form() == Form.WRITE_DELETE && version % DELETES_ONE_OF == 0;
    Statement<?> statement =
        switch (task.form()) {
          case WRITE_TEXT ->
              withLevel(
                  SimpleStatement.newInstance(
                      "UPDATE " + spec.table() + " SET v = " + version + " WHERE id = " + key));
          case WRITE_LWT -> withLevel(other.bind(version, key));
          case WRITE_TTL -> withLevel((odd ? other : update).bind(version, key));
          default -> withLevel(delete ? other.bind(key) : update.bind(version, key));
        };
    long sent = System.nanoTime();
    long gone = WriteEntry.NEVER;
    if (delete) {
      gone = sent;
    } else if (task.form() == Form.WRITE_TTL && odd) {
      gone = sent + LEAST_LIFE_NANOS;
    }
    send(statement, List.of(new WriteEntry(key, version, sent, WriteEntry.NEVER, gone, "")));
  }

  private void batch(DefaultBatchType type, double hottest) {
    Set<Long> rows = new LinkedHashSet<>();
    while (rows.size() < task.rows()) {
      rows.add(keys.next(hottest));
    }
    BatchStatementBuilder batch = BatchStatement.builder(type);
    List<WriteEntry> entries = new ArrayList<>();
    long sent = System.nanoTime();
    for (long key : rows) {
      version++;
      batch.addStatement(update.bind(version, key));
      entries.add(new WriteEntry(key, version, sent, WriteEntry.NEVER, WriteEntry.NEVER, ""));
    }
    send(withLevel(batch.build()), entries);
  }

  private <T extends Statement<T>> T withLevel(T statement) {
    return task.level().isEmpty()
        ? statement
        : statement.setConsistencyLevel(DefaultConsistencyLevel.valueOf(task.level()));
  }

  private void send(Statement<?> statement, List<WriteEntry> entries) {
    outstanding.begun();
    session
        .executeAsync(statement)
        .whenComplete((answer, failure) -> answered(entries, answer, failure));
  }

  private void answered(
      List<WriteEntry> entries, @Nullable AsyncResultSet answer, @Nullable Throwable failure) {
    long now = System.nanoTime();
    boolean applied = answer != null && answer.wasApplied();
    String error = failure == null && !applied ? "NotApplied" : Outstanding.error(failure);
    for (WriteEntry entry : entries) {
      books.add(
          new WriteEntry(
              entry.key(),
              entry.version(),
              entry.sent(),
              applied ? now : WriteEntry.NEVER,
              entry.gone(),
              error));
      busy.remove(entry.key());
    }
    outstanding.ended();
  }
}
