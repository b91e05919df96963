package org.calando.store.cassandra.gear;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.gear.RackServers.Grace;
import org.calando.store.cassandra.internal.Connector;

/** How long a cluster's tables keep their deletions, by its schema. Thread safe. */
final class TableGraces {
  private static final List<String> SCHEMAS =
      List.of(
          "SELECT keyspace_name, table_name AS name, gc_grace_seconds FROM system_schema.tables",
          "SELECT keyspace_name, view_name AS name, gc_grace_seconds FROM system_schema.views");

  /** What adaptive sessions agree by: each row ends by itself, at the same moment on all nodes. */
  private static final String SIGNALS = "calando_signals";

  private final CassandraStoreConfig config;

  TableGraces(CassandraStoreConfig config) {
    this.config = config;
  }

  /** The shortest; empty if no node answers clients that come so, or they have no table. */
  Optional<Grace> shortest() {
    try (CqlSession session = Connector.connect(config)) {
      return SCHEMAS.stream()
          .flatMap(schema -> graces(session, schema))
          .min(Comparator.comparingLong(Grace::seconds).thenComparing(Grace::table));
    } catch (DriverException | CalandoException e) {
      return Optional.empty();
    }
  }

  private static Stream<Grace> graces(CqlSession session, String schema) {
    SimpleStatement all =
        SimpleStatement.newInstance(schema).setConsistencyLevel(ConsistencyLevel.ONE);
    List<Row> rows = session.execute(all).all();
    return rows.stream()
        .filter(row -> isOfClients(String.valueOf(row.getString("keyspace_name"))))
        .filter(row -> !SIGNALS.equals(row.getString("name")))
        .map(
            row ->
                new Grace(
                    row.getString("keyspace_name") + "." + row.getString("name"),
                    row.getInt("gc_grace_seconds")));
  }

  private static boolean isOfClients(String keyspace) {
    return !keyspace.startsWith("system") || keyspace.equals("system_auth");
  }
}
