package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.util.Map;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.session.TableName;

/** What the schema says of somebody's table. Only reads; immutable. */
public final class LiveSchema {
  private final int replicas;
  private final boolean ours;

  private LiveSchema(int replicas, boolean ours) {
    this.replicas = replicas;
    this.ours = ours;
  }

  /**
   * Asks for it; blocks.
   *
   * @throws BadRequestException if there is no such table, or its replicas cannot be counted
   * @throws FailedWorkException if the cluster does not answer
   */
  public static LiveSchema of(CqlSession session, TableName table) {
    Ownership schema = new Ownership(session, table.keyspace());
    try {
      if (!schema.tableComments().containsKey(table.table())) {
        throw new BadRequestException(
            "there is no such table",
            "table " + table,
            "name one that there is, in double quotes where its name is not all lower case");
      }
      return new LiveSchema(replicas(table, schema.replication()), schema.isOurs());
    } catch (DriverException e) {
      throw new FailedWorkException(
          "the schema cannot be read: " + Refusals.brief(e),
          "table " + table,
          "look whether the nodes are up",
          e);
    }
  }

  /** Replicas of each key over all data centres, N. */
  public int replicas() {
    return replicas;
  }

  /** Whether Calando created the keyspace. */
  public boolean isOurs() {
    return ours;
  }

  static int replicas(TableName table, Map<String, String> options) {
    Function<String, BadRequestException> refusal =
        why ->
            new BadRequestException(
                "the replicas of its keyspace cannot be counted: " + why,
                "table " + table,
                "name a table of a keyspace with SimpleStrategy or NetworkTopologyStrategy");
    String strategy = options.getOrDefault("class", "");
    if (!strategy.equals("SimpleStrategy") && !strategy.equals("NetworkTopologyStrategy")) {
      throw refusal.apply(strategy);
    }
    try {
      int replicas =
          options.entrySet().stream()
              .filter(option -> !option.getKey().equals("class"))
              .mapToInt(option -> Integer.parseInt(option.getValue()))
              .sum();
      if (replicas < 1) {
        throw refusal.apply(options.toString());
      }
      return replicas;
    } catch (NumberFormatException e) {
      // Transient replicas, as 3/1.
      throw refusal.apply(options.toString());
    }
  }
}
