package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KnobNotes;
import org.calando.core.store.TableSpec;
import org.calando.session.Canary;
import org.calando.store.cassandra.Replication;
import org.jspecify.annotations.Nullable;

/*
 * Ownership is kept in the schema, which every node holds and which outlives truncation: a table is
 * Calando's if its comment is the mark, a keyspace if it holds the table `calando_owned` with that
 * mark (keyspaces have no comment). All checks come before the first change.
 *
 *   keyspace absent                  create it and its marker
 *   keyspace without marker          refuse, whatever it holds
 *   table without mark               refuse
 *   table claimed by somebody else   refuse (TableClaim)
 *   other replication than wanted    drop the table, alter the keyspace; refuse if it holds a
 *                                    table that is not marked, as that would change its replication,
 *                                    or one that somebody else uses, as that would void the claim
 *   table absent                     create
 *   table of another shape           drop and create
 *   table of the right shape         truncate
 */
/** Makes a table of Calando's own exist, be empty, and be used by nobody else. Not thread safe. */
public final class OwnTable implements AutoCloseable {
  // The server's own limit for a truncation is 60 s.
  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(65);
  private static final Duration AGREEMENT_TIMEOUT = Duration.ofSeconds(30);

  /** What a governor claims; no table has this name. */
  private static final String CLUSTER = "cluster";

  private final CqlSession session;
  private final String keyspace;
  private final Replication replication;
  private final Ownership ownership;
  // One name for all attempts: a claim whose answer was lost is known again as our own.
  private final String process = ThisProcess.name();
  private @Nullable TableClaim claim;

  public OwnTable(CqlSession session, String keyspace, Replication replication) {
    this.session = session;
    this.keyspace = keyspace;
    this.replication = replication;
    this.ownership = new Ownership(session, keyspace);
  }

  /** Whether a table's name is one that Calando keeps for marks and claims. */
  public static boolean isReserved(String table) {
    return table.equals(Cql.KEYSPACE_MARKER)
        || table.equals(Cql.CLAIMS)
        || table.equals(Cql.KNOBS)
        || table.equals(Canary.TABLE);
  }

  /**
   * Makes the table exist and be empty, and claims it until the close; blocks.
   *
   * @throws BadRequestException if the keyspace or the table is not Calando's, somebody else uses
   *     it, the cluster is too small for the replication, or the user may not do it
   * @throws FailedWorkException if the work fails, for example because a node is down
   */
  public void prepare(TableSpec table) {
    try {
      ownership.requireNodes(replication);
      if (ownership.keyspaceExists()) {
        prepareInExisting(table);
      } else {
        createKeyspace();
        var unused = claim(table);
        change(Cql.createTable(keyspace, table));
      }
      requireAgreement();
      // Routing by token needs the replication of the keyspace as it is now.
      var unused = session.refreshSchema();
    } catch (UnauthorizedException e) {
      throw refused(e);
    } catch (DriverException e) {
      throw failed(table, e);
    }
  }

  private void createKeyspace() {
    change(Cql.createKeyspace(keyspace, replication.options()));
    change(Cql.createKeyspaceMarker(keyspace));
    change(Cql.createClaims(keyspace));
  }

  private BadRequestException refused(UnauthorizedException e) {
    return new BadRequestException(
        "the user may not do this (" + e.getMessage() + ")",
        "keyspace " + keyspace,
        "grant it CREATE ON ALL KEYSPACES, or make the keyspace for it (docs/operations.md)");
  }

  /**
   * Claims the cluster for what a governor sets, by a name in the keyspace, which is created if it
   * is absent; blocks. Nothing is emptied.
   *
   * @return the claim, which the caller closes
   * @throws BadRequestException if another governor has it, the keyspace is not Calando's, or the
   *     user may not do it
   * @throws FailedWorkException if the cluster cannot be asked
   */
  public TableClaim claimCluster() {
    try {
      if (ownership.keyspaceExists()) {
        Map<String, String> comments = ownership.tableComments();
        ownership.requireOurs(comments, CLUSTER);
        ownership.requireOurs(comments, Cql.KNOBS);
        if (!comments.containsKey(Cql.CLAIMS)) {
          change(Cql.createClaims(keyspace));
        }
      } else {
        ownership.requireNodes(replication);
        createKeyspace();
      }
      return withKnobs(TableClaim.await(session, keyspace, CLUSTER, "governor", process));
    } catch (UnauthorizedException e) {
      throw refused(e);
    } catch (DriverException e) {
      throw new FailedWorkException(
          "the cluster cannot be claimed (" + e.getMessage() + ")",
          "keyspace " + keyspace,
          "start the nodes that are down: a majority of the keyspace's replicas has to answer",
          e);
    }
  }

  /** Makes the table of knobs, which only the holder of the claim does. */
  private TableClaim withKnobs(TableClaim taken) {
    boolean made = false;
    try {
      if (!ownership.tableComments().containsKey(Cql.KNOBS)) {
        change(Cql.createKnobs(keyspace));
      }
      made = true;
      return taken;
    } finally {
      if (!made) {
        taken.close();
      }
    }
  }

  /** What is noted of the cluster's knobs; after {@link #claimCluster}. */
  public KnobNotes knobs() {
    return new NotedKnobs(session, keyspace, CLUSTER, process);
  }

  /**
   * Which governor has the cluster, and since when, in words; empty if none. Only reads.
   *
   * @throws FailedWorkException if the cluster cannot be asked
   */
  public static Optional<String> governor(CqlSession session, String keyspace) {
    try {
      return Claims.holder(session, keyspace, CLUSTER)
          .map(holder -> holder.owner() + ", since " + holder.since());
    } catch (DriverException e) {
      throw new FailedWorkException(
          "the cluster's claim cannot be read (" + e.getMessage() + ")",
          "keyspace " + keyspace,
          "start the nodes that are down: a majority of the keyspace's replicas has to answer",
          e);
    }
  }

  private void prepareInExisting(TableSpec table) {
    Map<String, String> comments = ownership.tableComments();
    ownership.requireOurs(comments, table.name());
    boolean replicated = ownership.replication().equals(replication.options());
    if (!replicated) {
      ownership.requireNoGuest(comments, replication);
    }
    if (!comments.containsKey(Cql.CLAIMS)) {
      change(Cql.createClaims(keyspace));
    }
    TableClaim held = claim(table);
    if (!replicated) {
      // After the claim, so that of two that come at once each sees the other's.
      Claims.requireNoOthers(session, keyspace, table.name(), process);
    }
    boolean exists = comments.containsKey(table.name());
    if (exists && (!replicated || !ownership.hasShape(table))) {
      change(Cql.drop(keyspace, table.name()));
      exists = false;
    }
    if (!replicated) {
      change(Cql.alterKeyspace(keyspace, replication.options()));
      // The new replicas know nothing of the claim yet.
      held.reaffirm();
    }
    if (exists) {
      execute(Cql.truncate(keyspace, table.name()));
    } else {
      change(Cql.createTable(keyspace, table));
    }
  }

  private TableClaim claim(TableSpec table) {
    TableClaim held = claim;
    if (held != null && held.table().equals(table.name())) {
      held.reaffirm();
      return held;
    }
    close();
    TableClaim taken = TableClaim.take(session, keyspace, table.name(), "study", process);
    claim = taken;
    return taken;
  }

  /**
   * Fails if the table was not ours alone since it was prepared; blocks.
   *
   * @throws FailedWorkException if somebody else has or may have used it
   * @throws IllegalStateException if none is prepared
   */
  public void requireHeld() {
    TableClaim held = claim;
    if (held == null) {
      throw new IllegalStateException("no table is prepared");
    }
    held.requireHeld();
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

  /** Changes the schema on every node: whichever is asked next knows of it. */
  private void change(String text) {
    execute(text);
    requireAgreement();
  }

  private void requireAgreement() {
    Optional<String> obstacle = SchemaAgreement.await(session, AGREEMENT_TIMEOUT);
    if (obstacle.isPresent()) {
      throw new FailedWorkException(
          "the nodes do not agree on the schema: " + obstacle.get(),
          "keyspace " + keyspace,
          "check with 'nodetool describecluster' that all nodes see each other, then try again");
    }
  }

  private void execute(String text) {
    var unused = session.execute(SimpleStatement.newInstance(text).setTimeout(SCHEMA_TIMEOUT));
  }

  /** Gives the table back to others. */
  @Override
  public void close() {
    TableClaim held = claim;
    claim = null;
    if (held != null) {
      held.close();
    }
  }
}
