package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.session.Canary;

/*
 * Nothing but the write itself may bring a version to a replica, or a lag would be too short: no
 * read repair, no second read out of impatience. Rows end by themselves, so that clients that come
 * and go, each with keys of its own, leave nothing behind. Its id follows from its name: two clients
 * that make it at once through two nodes make the same table, where ids of the nodes' own would differ.
 */
/** The canary's own table: made if it is not there, refused if it is somebody else's. Immutable. */
final class CanaryTable {
  static final String NAME = Canary.TABLE;

  /** As on every table that Calando creates. */
  static final String MARK = "created by Calando";

  private static final int AGREEMENT_ATTEMPTS = 3;
  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(20);
  private static final int ROW_LIFE_SECONDS = 600;

  private final String keyspace;
  private final PreparedStatement write;
  private final PreparedStatement read;

  private CanaryTable(String keyspace, PreparedStatement write, PreparedStatement read) {
    this.keyspace = keyspace;
    this.write = write;
    this.read = read;
  }

  /**
   * Makes sure that the table is there; blocks.
   *
   * @param keyspace as the server spells it
   * @throws BadRequestException if there is no such keyspace, the table is somebody else's, or the
   *     role may not create or use it
   * @throws FailedWorkException if the cluster does not do it
   */
  static CanaryTable open(CqlSession session, String keyspace) {
    String name = CqlIdentifier.fromInternal(keyspace).asCql(true) + "." + NAME;
    try {
      if (isAbsent(session, keyspace, name)) {
        session.execute(
            SimpleStatement.newInstance(
                    "CREATE TABLE IF NOT EXISTS "
                        + name
                        + " (key bigint PRIMARY KEY, version bigint, filler blob) WITH id = "
                        + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
                        + " AND comment = '"
                        + MARK
                        + "' AND read_repair = 'NONE' AND speculative_retry = 'NEVER'"
                        + " AND additional_write_policy = 'NEVER' AND default_time_to_live = "
                        + ROW_LIFE_SECONDS)
                .setTimeout(SCHEMA_TIMEOUT));
        if (isAbsent(session, keyspace, name)) {
          throw new FailedWorkException("the table was not made", "table " + name, "try again");
        }
      }
      awaitAgreement(session);
      return new CanaryTable(
          keyspace,
          session.prepare("INSERT INTO " + name + " (key, version, filler) VALUES (?, ?, ?)"),
          session.prepare("SELECT version FROM " + name + " WHERE key = ?"));
    } catch (UnauthorizedException e) {
      throw new BadRequestException(
          String.valueOf(e.getMessage()),
          "table " + name,
          "let the role CREATE tables in the keyspace, and SELECT and MODIFY this one,"
              + " or create it for it");
    } catch (DriverException e) {
      throw new FailedWorkException(
          "the canary's table cannot be used: " + Failures.text(Failures.cause(e)),
          "table " + name,
          "look whether the nodes are up",
          e);
    }
  }

  /**
   * Waits until all nodes that are up have the same schema, as any of them may be asked for the
   * table next, which was made a moment ago by this session or by another. Gives up after a few
   * times the driver's own timeout: a node that lacks the table then says so itself.
   */
  private static void awaitAgreement(CqlSession session) {
    for (int i = 0; i < AGREEMENT_ATTEMPTS && !session.checkSchemaAgreement(); i++) {
      // the driver has waited for its timeout
    }
  }

  private static boolean isAbsent(CqlSession session, String keyspace, String name) {
    if (session
            .execute(
                SimpleStatement.newInstance(
                    "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
                    keyspace))
            .one()
        == null) {
      throw new BadRequestException(
          "there is no such keyspace", "keyspace " + keyspace, "name that of the tables watched");
    }
    Row row =
        session
            .execute(
                SimpleStatement.newInstance(
                    "SELECT comment FROM system_schema.tables"
                        + " WHERE keyspace_name = ? AND table_name = ?",
                    keyspace,
                    NAME))
            .one();
    if (row != null && !MARK.equals(row.getString(0))) {
      throw new BadRequestException(
          "the table exists and Calando did not create it; nothing was changed",
          "table " + name,
          "let the canary use another keyspace, or drop the table yourself if nobody needs it");
    }
    return row == null;
  }

  String keyspace() {
    return keyspace;
  }

  /** Variables: key, version, filler. */
  PreparedStatement write() {
    return write;
  }

  /** Variable: key. */
  PreparedStatement read() {
    return read;
  }
}
