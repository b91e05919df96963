package org.calando.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Collections;
import java.util.List;
import org.calando.promise.Task.Form;
import org.jspecify.annotations.Nullable;

/** Reads rows as an application does, and keeps books. For one thread at a time. */
final class Reader {
  private final Task task;
  private final ProbeSpec spec;
  private final List<CqlSession> sessions;
  private final List<PreparedStatement> prepared;
  private final Keys.Chooser keys;
  private final Books books;
  private final Outstanding outstanding;
  private int turn;

  /**
   * Reads.
   *
   * @param sessions used by turns
   */
  Reader(
      Task task,
      ProbeSpec spec,
      List<CqlSession> sessions,
      Books books,
      Outstanding outstanding,
      long seed) {
    this.task = task;
    this.spec = spec;
    this.sessions = List.copyOf(sessions);
    this.keys = new Keys.Chooser(task.keys(), seed);
    this.books = books;
    this.outstanding = outstanding;
    String marks = String.join(", ", Collections.nCopies(task.rows(), "?"));
    String where = task.form() == Form.READ_IN ? "id IN (" + marks + ")" : "id = ?";
    String text = "SELECT v FROM " + spec.table() + " WHERE " + where;
    this.prepared = this.sessions.stream().map(session -> session.prepare(text)).toList();
  }

  /** One read more. */
  void read(double hottest) {
    turn = (turn + 1) % sessions.size();
    long key = keys.next(hottest);
    Statement<?> statement = statement(key, hottest);
    outstanding.begun();
    long started = System.nanoTime();
    sessions
        .get(turn)
        .executeAsync(statement)
        .whenComplete((answer, failure) -> answered(key, started, answer, failure));
  }

  private Statement<?> statement(long key, double hottest) {
    if (task.form() == Form.READ_TEXT) {
      return withLevel(
          SimpleStatement.newInstance("SELECT v FROM " + spec.table() + " WHERE id = " + key));
    }
    BoundStatement bound = prepared.get(turn).bind().setLong(0, key);
    for (int i = 1; i < task.rows(); i++) {
      bound = bound.setLong(i, keys.next(hottest));
    }
    return withLevel(bound);
  }

  private <T extends Statement<T>> T withLevel(T statement) {
    return task.level().isEmpty()
        ? statement
        : statement.setConsistencyLevel(DefaultConsistencyLevel.valueOf(task.level()));
  }

  private void answered(
      long key, long started, @Nullable AsyncResultSet answer, @Nullable Throwable failure) {
    long ended = System.nanoTime();
    Row row = answer == null ? null : answer.one();
    long version = row == null || row.isNull(0) ? ReadEntry.NOTHING : row.getLong(0);
    var info =
        answer != null
            ? answer.getExecutionInfo()
            : failure == null ? null : Outstanding.info(failure);
    String level = Outstanding.level(info, spec.defaultLevel());
    books.add(
        new ReadEntry(
            task.name(), key, version, started, ended, level, Outstanding.error(failure)));
    outstanding.ended();
  }
}
