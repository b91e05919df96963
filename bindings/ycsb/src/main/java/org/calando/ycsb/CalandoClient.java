package org.calando.ycsb;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.Collectors;
import org.calando.core.CalandoException;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * YCSB's Cassandra with adaptive reads: {@code site.ycsb.Client -db
 * org.calando.ycsb.CalandoClient}.
 *
 * <p>The table is that of YCSB's own Cassandra binding, {@code (y_id varchar PRIMARY KEY, field0
 * varchar, ..)}, and must be there. An instance belongs to one of YCSB's threads, as YCSB has it;
 * all of them share a session.
 */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's interface has a Vector of HashMaps.
public final class CalandoClient extends DB {
  private static final String KEY = "y_id";
  private static final Object LOCK = new Object();

  // Guarded by LOCK.
  private static @Nullable Connection shared;
  private static int users;

  private @Nullable Connection mine;

  @Override
  public void init() throws DBException {
    synchronized (LOCK) {
      try {
        if (shared == null) {
          shared = Connection.open(ClientSettings.of(getProperties(), System.getenv()));
        }
      } catch (CalandoException | DriverException | IllegalStateException e) {
        // YCSB prints a failed thread's message and goes on without it.
        System.err.println("calando: " + e.getMessage());
        throw new DBException(e);
      }
      users++;
      mine = shared;
    }
  }

  @Override
  public void cleanup() {
    synchronized (LOCK) {
      if (mine == null) {
        return;
      }
      mine = null;
      users--;
      if (users == 0 && shared != null) {
        System.out.print(shared.report());
        shared.close();
        shared = null;
      }
    }
  }

  /** What {@link #cleanup} prints, as of now. */
  String report() {
    Connection connection = mine;
    return connection == null ? "" : connection.report();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return attempt(
        "read",
        connection -> {
          PreparedStatement statement =
              connection.prepare(
                  "SELECT " + columns(fields) + " FROM " + name(table) + " WHERE " + KEY + " = ?");
          ResultSet answer = read(connection, statement.bind(key));
          Row row = answer.one();
          if (row == null) {
            return Status.NOT_FOUND;
          }
          put(row, result);
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return attempt(
        "scan",
        connection -> {
          PreparedStatement statement =
              connection.prepare(
                  "SELECT "
                      + columns(fields)
                      + " FROM "
                      + name(table)
                      + " WHERE token("
                      + KEY
                      + ") >= token(?) LIMIT ?");
          for (Row row : read(connection, statement.bind(startKey, count))) {
            HashMap<String, ByteIterator> values = new HashMap<>();
            put(row, values);
            result.add(values);
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  /** An insert and an update are the same to Cassandra. */
  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return attempt(
        "insert",
        connection -> {
          List<String> names = new ArrayList<>(new TreeSet<>(values.keySet()));
          PreparedStatement statement =
              connection.prepare(
                  "INSERT INTO "
                      + name(table)
                      + " ("
                      + KEY
                      + names.stream().map(each -> ", " + each).collect(Collectors.joining())
                      + ") VALUES (?"
                      + ", ?".repeat(names.size())
                      + ")");
          List<Object> bound = new ArrayList<>();
          bound.add(key);
          names.forEach(each -> bound.add(String.valueOf(values.get(each))));
          connection.session().execute(statement.bind(bound.toArray()));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return attempt(
        "delete",
        connection -> {
          connection
              .session()
              .execute(
                  connection
                      .prepare("DELETE FROM " + name(table) + " WHERE " + KEY + " = ?")
                      .bind(key));
          return Status.OK;
        });
  }

  /** Something to do with the session. */
  private interface Work {
    Status with(Connection connection);
  }

  private Status attempt(String operation, Work work) {
    Connection connection = mine;
    if (connection == null) {
      return Status.SERVICE_UNAVAILABLE;
    }
    try {
      return work.with(connection);
    } catch (RuntimeException e) {
      // Of the driver, or of values that cannot be bound: an error of this operation alone.
      connection.errors().note(operation, e);
      return Status.ERROR;
    }
  }

  private static ResultSet read(Connection connection, BoundStatement statement) {
    BoundStatement read =
        connection
            .settings()
            .readLevel()
            .map(
                level ->
                    statement.setConsistencyLevel(DefaultConsistencyLevel.valueOf(level.name())))
            .orElse(statement);
    ResultSet answer = connection.session().execute(read);
    if (answer.getExecutionInfo().getRequest() instanceof Statement<?> sent) {
      connection.countRead(sent);
    }
    return answer;
  }

  private String name(String table) {
    Connection connection = mine;
    return (connection == null ? "" : connection.settings().keyspace() + ".") + table;
  }

  private static String columns(@Nullable Set<String> fields) {
    return fields == null ? "*" : String.join(", ", new TreeSet<>(fields));
  }

  private static void put(Row row, Map<String, ByteIterator> result) {
    for (int i = 0; i < row.size(); i++) {
      String column = row.getColumnDefinitions().get(i).getName().asInternal();
      String value = row.getString(i);
      if (value != null && !column.equals(KEY)) {
        result.put(column, new StringByteIterator(value));
      }
    }
  }
}
