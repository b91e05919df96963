package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.TableName;

/** What a session's configuration and metadata say. Immutable and thread safe. */
public final class SessionFacts {
  private final CqlSession session;
  private final DriverConfig config;
  private final ConsistencyLevel level;

  /**
   * Reads the configuration.
   *
   * @throws BadRequestException if the session's own level is ANY or a serial one
   */
  SessionFacts(CqlSession session) {
    this.session = session;
    this.config = session.getContext().getConfig();
    String name = config.getDefaultProfile().getString(DefaultDriverOption.REQUEST_CONSISTENCY);
    this.level =
        DriverLevels.parse(name)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "reads at " + name + " cannot be made weaker or stronger",
                        "the session's basic.request.consistency",
                        "set another level, and this one on the statements that need it"));
  }

  private SessionFacts(CqlSession session, ConsistencyLevel level) {
    this.session = session;
    this.config = session.getContext().getConfig();
    this.level = level;
  }

  /**
   * Those of applications' sessions, as one that is connected to the same nodes sees them.
   *
   * @param local whether they have LOCAL levels
   */
  public static SessionFacts of(CqlSession session, boolean local) {
    return new SessionFacts(session, local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
  }

  /** The level of statements that have none of their own. */
  ConsistencyLevel level() {
    return level;
  }

  /** Whether that is a LOCAL level. */
  public boolean isLocal() {
    return level == ConsistencyLevel.LOCAL_ONE || level == ConsistencyLevel.LOCAL_QUORUM;
  }

  /** The level that a statement's execution profile says, for what a write is sure of. */
  ConsistencyLevel profileLevel(Statement<?> statement) {
    DriverExecutionProfile own = statement.getExecutionProfile();
    String name = statement.getExecutionProfileName();
    DriverExecutionProfile profile =
        own != null
            ? own
            : name != null && config.getProfiles().containsKey(name)
                ? config.getProfile(name)
                : config.getDefaultProfile();
    return DriverLevels.ofWrite(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY));
  }

  /** The data centre of the nodes that the session prefers; empty unless there is one. */
  public Optional<String> localDataCentre() {
    List<String> names =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getDistance() == NodeDistance.LOCAL)
            .map(Node::getDatacenter)
            .filter(Objects::nonNull)
            .distinct()
            .toList();
    return names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty();
  }

  /** The replicas of a keyspace; empty if it is not there, or not known. */
  Optional<ReplicaPlacement> placement(String keyspace) {
    return keyspace(keyspace).flatMap(found -> TableLevels.placement(found, localDataCentre()));
  }

  /** The columns of a table's partition key; none if the driver does not know it. */
  Set<String> partitionKey(TableName name) {
    return keyspace(name.keyspace())
        .flatMap(keyspace -> keyspace.getTable(CqlIdentifier.fromInternal(name.table())))
        .map(
            table ->
                table.getPartitionKey().stream()
                    .map(column -> column.getName().asInternal())
                    .collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  private Optional<KeyspaceMetadata> keyspace(String name) {
    return session.getMetadata().getKeyspace(CqlIdentifier.fromInternal(name));
  }

  /** Whether reads of a table can be given a level: it is there, and holds no counters. */
  public boolean isUsable(TableName name) {
    try {
      require(name);
      return true;
    } catch (BadRequestException e) {
      return false;
    }
  }

  /**
   * Fails for a table whose reads cannot be given a level.
   *
   * @return its replicas
   * @throws BadRequestException if it is not there, holds counters, or its replicas are not known
   */
  ReplicaPlacement require(TableName name) {
    TableMetadata table =
        keyspace(name.keyspace())
            .flatMap(keyspace -> keyspace.getTable(CqlIdentifier.fromInternal(name.table())))
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the driver knows no such table",
                        "table " + name,
                        "create it first, correct its name, or switch the driver's schema metadata"
                            + " on for it"));
    if (table.getColumns().values().stream()
        .anyMatch(column -> column.getType().equals(DataTypes.COUNTER))) {
      throw new BadRequestException(
          "it holds counters, whose reads are left as they are",
          "table " + name,
          "name only tables without counters");
    }
    return placement(name.keyspace())
        .orElseThrow(
            () ->
                new BadRequestException(
                    "its keyspace is not replicated by SimpleStrategy or NetworkTopologyStrategy",
                    "table " + name,
                    "name tables of keyspaces that are"));
  }
}
