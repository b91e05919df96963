package org.calando.store.cassandra.gear;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.core.CalandoException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.gear.RackServers.Compared;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.Refusals;

/*
 * A read at ALL asks one replica for the rows and the others for digests of theirs, and its trace says whether they differ.
 * They do for a moment with each write: rows that are younger than hints take tell nothing.
 */
/** Compares some keys of each table of clients on all their replicas. Thread safe. */
final class KeySample {
  private static final String COLUMNS =
      "SELECT keyspace_name, table_name, column_name, kind, position, type"
          + " FROM system_schema.columns";

  /** Of which WRITETIME is a number. */
  private static final Set<String> PLAIN =
      Set.of(
          "ascii",
          "bigint",
          "blob",
          "boolean",
          "date",
          "decimal",
          "double",
          "duration",
          "float",
          "inet",
          "int",
          "smallint",
          "text",
          "time",
          "timestamp",
          "timeuuid",
          "tinyint",
          "uuid",
          "varchar",
          "varint");

  private static final int PLACES = 20;
  private static final int KEYS = 5;
  private static final int ROWS = 20;
  private static final long YOUNG_MICROS = TimeUnit.MINUTES.toMicros(1);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int TRACE_ATTEMPTS = 40;
  private static final Duration TRACE_INTERVAL = Duration.ofMillis(50);
  private static final String MISMATCH = "Digest mismatch";

  private final CassandraStoreConfig config;

  KeySample(CassandraStoreConfig config) {
    this.config = config;
  }

  /** A column, as the schema has it. */
  private record Column(String name, String kind, int position, String type) {}

  /** A table's names in CQL. */
  private record Table(String name, List<String> keys, List<String> dated) {
    static Table of(String name, List<Column> columns) {
      List<String> keys =
          columns.stream()
              .filter(each -> each.kind().equals("partition_key"))
              .sorted(Comparator.comparingInt(Column::position))
              .map(each -> quoted(each.name()))
              .toList();
      List<String> dated =
          columns.stream()
              .filter(each -> each.kind().equals("regular") && PLAIN.contains(each.type()))
              .map(each -> "WRITETIME(" + quoted(each.name()) + ")")
              .toList();
      return new Table(name, keys, dated);
    }

    String select(String what) {
      return keys.stream()
          .map(key -> key + " = ?")
          .collect(
              Collectors.joining(
                  " AND ", "SELECT " + what + " FROM " + name + " WHERE ", " LIMIT " + ROWS));
    }

    String keysFrom(long token) {
      String all = String.join(", ", keys);
      return "SELECT DISTINCT %s FROM %s WHERE token(%s) >= %d LIMIT %d"
          .formatted(all, name, all, token, KEYS);
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Of some keys of each table, of as many tables as there is time for. */
  Compared compare() {
    int keys = 0;
    List<String> differing = new ArrayList<>();
    try (CqlSession session = Connector.connect(config)) {
      long begun = System.nanoTime();
      List<Table> tables = new ArrayList<>(tables(session));
      Collections.shuffle(tables, new Random());
      for (Table table : tables) {
        if (System.nanoTime() - begun < LONGEST_NANOS) {
          Sampled sampled = new Sampled(session, table);
          keys += sampled.compare();
          if (sampled.differing > 0) {
            differing.add(table.name());
          }
        }
      }
      return new Compared(keys, differing, Optional.empty());
    } catch (DriverException | CalandoException e) {
      String why = e instanceof CalandoException known ? known.problem() : Refusals.brief(e);
      return new Compared(keys, differing, Optional.of(why));
    }
  }

  private static List<Table> tables(CqlSession session) {
    Map<String, List<Column>> columns = new TreeMap<>();
    SimpleStatement all =
        SimpleStatement.newInstance(COLUMNS).setConsistencyLevel(ConsistencyLevel.ONE);
    for (Row row : session.execute(all)) {
      String keyspace = String.valueOf(row.getString("keyspace_name"));
      if (!keyspace.startsWith("system")) {
        columns
            .computeIfAbsent(
                quoted(keyspace) + "." + quoted(String.valueOf(row.getString("table_name"))),
                name -> new ArrayList<>())
            .add(
                new Column(
                    String.valueOf(row.getString("column_name")),
                    String.valueOf(row.getString("kind")),
                    row.getInt("position"),
                    String.valueOf(row.getString("type"))));
      }
    }
    return columns.entrySet().stream()
        .map(each -> Table.of(each.getKey(), each.getValue()))
        .filter(table -> !table.dated().isEmpty())
        .toList();
  }

  /** Keys of a table. Not thread safe. */
  private static final class Sampled {
    private final CqlSession session;
    private final Table table;
    private final PreparedStatement whole;
    private final PreparedStatement dates;
    private int differing;

    Sampled(CqlSession session, Table table) {
      this.session = session;
      this.table = table;
      this.whole = session.prepare(table.select("*"));
      this.dates = session.prepare(table.select(String.join(", ", table.dated())));
    }

    /** How many were compared. */
    int compare() {
      Random random = new Random();
      int compared = 0;
      for (int place = 0; place < PLACES; place++) {
        SimpleStatement from =
            SimpleStatement.newInstance(table.keysFrom(random.nextLong()))
                .setConsistencyLevel(ConsistencyLevel.ONE);
        for (Row key : session.execute(from).all()) {
          compared++;
          if (differs(key) && isOld(key)) {
            differing++;
          }
        }
      }
      return compared;
    }

    private static BoundStatement of(PreparedStatement statement, Row key) {
      BoundStatement bound = statement.bind();
      for (int i = 0; i < key.getColumnDefinitions().size(); i++) {
        bound = bound.setBytesUnsafe(i, key.getBytesUnsafe(i));
      }
      return bound.setConsistencyLevel(ConsistencyLevel.ALL).setIdempotent(true);
    }

    private boolean differs(Row key) {
      BoundStatement traced =
          of(whole, key)
              .setTracing(true)
              .setExecutionProfile(
                  session
                      .getContext()
                      .getConfig()
                      .getDefaultProfile()
                      .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, TRACE_ATTEMPTS)
                      .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, TRACE_INTERVAL));
      ResultSet read = session.execute(traced);
      try {
        return read.getExecutionInfo().getQueryTrace().getEvents().stream()
            .anyMatch(event -> String.valueOf(event.getActivity()).startsWith(MISMATCH));
      } catch (IllegalStateException | CompletionException e) {
        // Not written in time.
        return false;
      }
    }

    /** Whether nothing of a key was written just now; unknown is no. */
    private boolean isOld(Row key) {
      long newest = Long.MIN_VALUE;
      for (Row row : session.execute(of(dates, key)).all()) {
        for (int i = 0; i < row.getColumnDefinitions().size(); i++) {
          newest = row.isNull(i) ? newest : Math.max(newest, row.getLong(i));
        }
      }
      long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
      return newest != Long.MIN_VALUE && newest < now - YOUNG_MICROS;
    }
  }
}
