package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.Replication;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's schema says about a keyspace: whether it is there, whether Calando created it,
 * and what it holds. Only reads. Not thread safe.
 */
final class Ownership {
  private static final long NODES_KNOWN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long NODES_LOOK_MILLIS = 100;

  private final CqlSession session;
  private final String keyspace;

  Ownership(CqlSession session, String keyspace) {
    this.session = session;
    this.keyspace = keyspace;
  }

  boolean keyspaceExists() {
    return query("SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?").size()
        > 0;
  }

  /** Whether the keyspace bears Calando's mark. */
  boolean isOurs() {
    return Cql.MARK.equals(tableComments().get(Cql.KEYSPACE_MARKER));
  }

  /** Comments by name of table. */
  Map<String, String> tableComments() {
    Map<String, String> comments = new HashMap<>();
    for (Row row :
        query("SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?")) {
      comments.put(text(row, 0), text(row, 1));
    }
    return comments;
  }

  /**
   * Refuses a keyspace that Calando did not create, and a table in it that it did not.
   *
   * @param comments those of the keyspace's tables
   */
  void requireOurs(Map<String, String> comments, String table) {
    if (!Cql.MARK.equals(comments.get(Cql.KEYSPACE_MARKER))) {
      throw new BadRequestException(
          "the keyspace exists and Calando did not create it; nothing was changed",
          "keyspace " + keyspace,
          "name another keyspace, or drop this one yourself if nobody needs it");
    }
    for (String ours : List.of(table, Cql.CLAIMS)) {
      String comment = comments.get(ours);
      if (comment != null && !comment.equals(Cql.MARK)) {
        throw new BadRequestException(
            "the table exists and Calando did not create it; nothing was changed",
            "table " + keyspace + "." + ours,
            "name another table or keyspace, or drop this one yourself if nobody needs it");
      }
    }
  }

  /** Refuses to change the replication of tables that are not Calando's. */
  void requireNoGuest(Map<String, String> comments, Replication replication) {
    comments.forEach(
        (name, comment) -> {
          if (!comment.equals(Cql.MARK)) {
            throw new BadRequestException(
                "the replication would have to change to "
                    + new TreeMap<>(replication.options())
                    + ", but the keyspace also holds the table "
                    + name
                    + ", which Calando did not create; nothing was changed",
                "keyspace " + keyspace,
                "name another keyspace, or ask for its replication " + replication());
          }
        });
  }

  /** The keyspace's options, with the class's short name as {@link Replication#options}. */
  Map<String, String> replication() {
    Map<String, String> options = new TreeMap<>();
    for (Row row :
        query("SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?")) {
      Map<String, String> stored = row.getMap(0, String.class, String.class);
      if (stored != null) {
        options.putAll(stored);
      }
    }
    options.computeIfPresent("class", (k, name) -> name.substring(name.lastIndexOf('.') + 1));
    return options;
  }

  boolean hasShape(TableSpec table) {
    Map<String, String> wanted = new HashMap<>();
    wanted.put("key", "bigint partition_key");
    wanted.put("version", "bigint regular");
    for (int i = 0; i < table.fields(); i++) {
      wanted.put(table.fieldPrefix() + i, "blob regular");
    }
    Map<String, String> found = new HashMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance(
                "SELECT column_name, type, kind FROM system_schema.columns"
                    + " WHERE keyspace_name = ? AND table_name = ?",
                keyspace,
                table.name()))) {
      found.put(text(row, 0), text(row, 1) + " " + text(row, 2));
    }
    return found.equals(wanted) && hasOptions(table);
  }

  private boolean hasOptions(TableSpec table) {
    Row row =
        session
            .execute(
                SimpleStatement.newInstance(
                    "SELECT read_repair, speculative_retry, additional_write_policy"
                        + " FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                    keyspace,
                    table.name()))
            .one();
    return row != null
        && text(row, 0).equals("NONE")
        && text(row, 1).equals("NEVER")
        && text(row, 2).equals("NEVER");
  }

  /**
   * Refuses a replication that asks for more nodes than there are; blocks some seconds before that,
   * since a node that has just started is left out by those that have not heard of it yet.
   */
  void requireNodes(Replication replication) {
    long begunNanos = System.nanoTime();
    while (replication.replicas() > nodesByDataCentre().values().stream().mapToInt(n -> n).sum()
        && System.nanoTime() - begunNanos < NODES_KNOWN_NANOS) {
      Pause.ofMillis(NODES_LOOK_MILLIS);
    }
    Map<String, Integer> sizes = nodesByDataCentre();
    if (replication instanceof Replication.NetworkTopology topology) {
      topology
          .byDataCentre()
          .forEach((dc, n) -> checkSize(n, sizes.getOrDefault(dc, 0), "data centre " + dc));
    } else {
      int nodes = sizes.values().stream().mapToInt(Integer::intValue).sum();
      checkSize(replication.replicas(), nodes, "the cluster");
    }
  }

  private Map<String, Integer> nodesByDataCentre() {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      sizes.merge(Objects.requireNonNullElse(node.getDatacenter(), "?"), 1, Integer::sum);
    }
    return sizes;
  }

  private static void checkSize(int replicas, int nodes, String where) {
    if (replicas > nodes) {
      throw new BadRequestException(
          replicas + " replicas need as many nodes; " + where + " has " + nodes,
          "replication factor",
          "ask for at most " + nodes + ", or add nodes");
    }
  }

  private List<Row> query(String text) {
    List<Row> rows = new ArrayList<>();
    session.execute(SimpleStatement.newInstance(text, keyspace)).forEach(rows::add);
    return rows;
  }

  private static String text(Row row, int column) {
    @Nullable String value = row.getString(column);
    return value == null ? "" : value;
  }
}
