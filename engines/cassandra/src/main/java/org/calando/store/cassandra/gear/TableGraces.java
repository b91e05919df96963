package org.calando.store.cassandra.gear;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.gear.RackServers.Grace;
import org.calando.store.cassandra.gear.RackServers.Graces;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.Refusals;

/** How long a cluster's tables keep their deletions, by its schema. Thread safe. */
final class TableGraces {
  private static final List<String> SCHEMAS =
      List.of(
          "SELECT keyspace_name, table_name AS name, id, gc_grace_seconds FROM system_schema.tables",
          "SELECT keyspace_name, view_name AS name, id, gc_grace_seconds FROM system_schema.views");

  /** Those of Cassandra that have nothing of clients; with logins they are clients' too. */
  private static final Set<String> OWN =
      Set.of(
          "system",
          "system_schema",
          "system_traces",
          "system_distributed",
          "system_views",
          "system_virtual_schema",
          "system_metrics",
          "system_cluster_metadata");

  private final CassandraStoreConfig config;

  TableGraces(CassandraStoreConfig config) {
    this.config = config;
  }

  /** Of all tables of clients, or why they are not known. */
  Graces all() {
    boolean isSecured = config.credentials().isPresent() || config.tls().isPresent();
    try (CqlSession session = Connector.connect(config)) {
      List<Grace> tables = SCHEMAS.stream().flatMap(schema -> graces(session, schema)).toList();
      return new Graces(tables, Optional.empty(), isSecured);
    } catch (DriverException | CalandoException e) {
      String why = e instanceof CalandoException known ? known.problem() : Refusals.brief(e);
      return new Graces(List.of(), Optional.of(why), isSecured);
    }
  }

  private static Stream<Grace> graces(CqlSession session, String schema) {
    SimpleStatement all =
        SimpleStatement.newInstance(schema).setConsistencyLevel(ConsistencyLevel.ONE);
    List<Row> rows = session.execute(all).all();
    return rows.stream()
        .filter(row -> isOfClients(String.valueOf(row.getString("keyspace_name"))))
        .map(
            row ->
                new Grace(
                    row.getString("keyspace_name") + "." + row.getString("name"),
                    String.valueOf(row.getUuid("id")),
                    row.getInt("gc_grace_seconds")));
  }

  static boolean isOfClients(String keyspace) {
    return !OWN.contains(keyspace);
  }
}
