package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.Replication;
import org.jspecify.annotations.Nullable;

/*
 * Ownership is kept in the schema, which every node holds and which outlives truncation: a table is
 * Calando's if its comment is the mark, a keyspace if it holds the table `calando_owned` with that
 * mark (keyspaces have no comment). All checks come before the first change.
 *
 *   keyspace absent                  create it and its marker
 *   keyspace without marker          refuse, whatever it holds
 *   other replication than wanted    drop the table, alter the keyspace; refuse if it holds a
 *                                    table that is not marked, as that would change its replication
 *   table absent                     create
 *   table without mark               refuse
 *   table of another shape           drop and create
 *   table of the right shape         truncate
 */
/** Makes a table of Calando's own exist and be empty. Not thread safe. */
public final class OwnTable {
  // The server's own limit for a truncation is 60 s.
  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(65);

  private final CqlSession session;
  private final String keyspace;
  private final Replication replication;

  public OwnTable(CqlSession session, String keyspace, Replication replication) {
    this.session = session;
    this.keyspace = keyspace;
    this.replication = replication;
  }

  /**
   * Makes the table exist and be empty; blocks.
   *
   * @throws BadRequestException if the keyspace or the table is not Calando's, the cluster is too
   *     small for the replication, or the user may not do it
   * @throws FailedWorkException if the work fails, for example because a node is down
   */
  public void prepare(TableSpec table) {
    try {
      checkNodes();
      if (keyspaceExists()) {
        prepareInExisting(table);
      } else {
        execute(Cql.createKeyspace(keyspace, replication.options()));
        execute(Cql.createKeyspaceMarker(keyspace));
        execute(Cql.createTable(keyspace, table));
      }
    } catch (UnauthorizedException e) {
      throw new BadRequestException(
          "the user may not do this (" + e.getMessage() + ")",
          "keyspace " + keyspace,
          "grant it CREATE, ALTER, DROP, SELECT and MODIFY on keyspace " + keyspace);
    } catch (DriverException e) {
      throw failed(table, e);
    }
    if (!session.checkSchemaAgreement()) {
      throw new FailedWorkException(
          "the nodes do not agree on the schema",
          "keyspace " + keyspace,
          "check with 'nodetool describecluster' that all nodes see each other, then try again");
    }
  }

  private void prepareInExisting(TableSpec table) {
    Map<String, String> comments = tableComments();
    if (!Cql.MARK.equals(comments.get(Cql.KEYSPACE_MARKER))) {
      throw new BadRequestException(
          "the keyspace exists and Calando did not create it; nothing was changed",
          "keyspace " + keyspace,
          "name another keyspace, or drop this one yourself if nobody needs it");
    }
    String comment = comments.get(table.name());
    if (comment != null && !comment.equals(Cql.MARK)) {
      throw new BadRequestException(
          "the table exists and Calando did not create it; nothing was changed",
          "table " + keyspace + "." + table.name(),
          "name another table or keyspace, or drop this one yourself if nobody needs it");
    }
    boolean exists = comment != null;
    if (!currentReplication().equals(replication.options())) {
      refuseForeign(comments);
      if (exists) {
        execute(Cql.drop(keyspace, table.name()));
        exists = false;
      }
      execute(Cql.alterKeyspace(keyspace, replication.options()));
    }
    if (exists && !hasShape(table)) {
      execute(Cql.drop(keyspace, table.name()));
      exists = false;
    }
    execute(exists ? Cql.truncate(keyspace, table.name()) : Cql.createTable(keyspace, table));
  }

  private void refuseForeign(Map<String, String> comments) {
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
                "name another keyspace, or ask for its replication " + currentReplication());
          }
        });
  }

  private boolean keyspaceExists() {
    return query("SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?").size()
        > 0;
  }

  /** Comments by name of table. */
  private Map<String, String> tableComments() {
    Map<String, String> comments = new HashMap<>();
    for (Row row :
        query("SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?")) {
      comments.put(text(row, 0), text(row, 1));
    }
    return comments;
  }

  /** The keyspace's options, with the class's short name as {@link Replication#options}. */
  private Map<String, String> currentReplication() {
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

  private boolean hasShape(TableSpec table) {
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

  private void checkNodes() {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      sizes.merge(Objects.requireNonNullElse(node.getDatacenter(), "?"), 1, Integer::sum);
    }
    if (replication instanceof Replication.NetworkTopology topology) {
      topology
          .byDataCentre()
          .forEach((dc, n) -> checkSize(n, sizes.getOrDefault(dc, 0), "data centre " + dc));
    } else {
      int nodes = sizes.values().stream().mapToInt(Integer::intValue).sum();
      checkSize(replication.replicas(), nodes, "the cluster");
    }
  }

  private static void checkSize(int replicas, int nodes, String where) {
    if (replicas > nodes) {
      throw new BadRequestException(
          replicas + " replicas need as many nodes; " + where + " has " + nodes,
          "replication factor",
          "ask for at most " + nodes + ", or add nodes");
    }
  }

  private FailedWorkException failed(TableSpec table, DriverException error) {
    String down =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getState() != NodeState.UP)
            .map(node -> node.getEndPoint().toString())
            .sorted()
            .collect(Collectors.joining(", "));
    Throwable cause = error;
    if (error instanceof AllNodesFailedException e && !e.getAllErrors().isEmpty()) {
      cause = e.getAllErrors().values().iterator().next().get(0);
    }
    return new FailedWorkException(
        "the table cannot be emptied or created ("
            + cause.getMessage()
            + ")"
            + (down.isEmpty() ? "" : "; down: " + down),
        "table " + keyspace + "." + table.name(),
        "start the nodes that are down (truncating needs every node), then try again",
        error);
  }

  private List<Row> query(String text) {
    List<Row> rows = new ArrayList<>();
    session.execute(SimpleStatement.newInstance(text, keyspace)).forEach(rows::add);
    return rows;
  }

  private void execute(String text) {
    var unused = session.execute(SimpleStatement.newInstance(text).setTimeout(SCHEMA_TIMEOUT));
  }

  private static String text(Row row, int column) {
    @Nullable String value = row.getString(column);
    return value == null ? "" : value;
  }
}
