package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import org.calando.session.Canary;

/*
 * Nothing but the write itself may bring a version to a replica, or a lag would be too short: no
 * read repair, no second read out of impatience.
 */
/**
 * The canary's own table. Immutable.
 *
 * @param write with variables: key, version, filler
 * @param read with a variable: key
 */
public record CanaryTable(PreparedStatement write, PreparedStatement read) {
  static final MarkedTable MARKED =
      new MarkedTable(
          Canary.TABLE,
          "the canary's table",
          "key bigint PRIMARY KEY, version bigint, filler blob",
          " AND read_repair = 'NONE' AND speculative_retry = 'NEVER'"
              + " AND additional_write_policy = 'NEVER'",
          600);

  /** Makes sure that the table is there; see {@link MarkedTable#open}. */
  public static CanaryTable open(CqlSession session, String keyspace) {
    return MARKED.open(
        session,
        keyspace,
        name ->
            new CanaryTable(
                session.prepare("INSERT INTO " + name + " (key, version, filler) VALUES (?, ?, ?)"),
                session.prepare("SELECT version FROM " + name + " WHERE key = ?")));
  }
}
