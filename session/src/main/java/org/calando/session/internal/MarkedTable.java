package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;

/*
 * Rows end by themselves, so that clients that come and go leave nothing behind. A table's id follows
 * from its name: two clients that make it at once through two nodes make the same table, where ids of
 * the nodes' own would differ.
 */
/**
 * A table of our own in a keyspace of the application: made if it is not there, refused if it is
 * somebody else's. Immutable.
 *
 * @param name without the keyspace
 * @param purpose what it is for, in messages
 * @param columns as CQL lists them, with the primary key
 * @param options further ones, each with {@code AND} before it
 * @param rowLifeSeconds after which rows end
 */
public record MarkedTable(
    String name, String purpose, String columns, String options, int rowLifeSeconds) {
  /** As on every table that Calando creates. */
  static final String MARK = "created by Calando";

  private static final int AGREEMENT_ATTEMPTS = 3;
  private static final int PREPARE_ATTEMPTS = 20;
  private static final Duration PREPARE_PAUSE = Duration.ofMillis(250);
  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(20);

  /**
   * Makes sure that the table is there; blocks, and an interrupt ends the long waits.
   *
   * @param keyspace as the server spells it
   * @param prepare makes of its full name in CQL what is needed to use it
   * @throws BadRequestException if there is no such keyspace, the table is somebody else's, or the
   *     role may not create or use it
   * @throws FailedWorkException if the cluster does not do it
   */
  public <T> T open(CqlSession session, String keyspace, Function<String, T> prepare) {
    String full = CqlIdentifier.fromInternal(keyspace).asCql(true) + "." + name;
    try {
      if (isAbsent(session, keyspace, full)) {
        Requests.answer(
            Requests.send(
                session,
                SimpleStatement.newInstance(
                        definition("IF NOT EXISTS " + full)
                            + " AND id = "
                            + UUID.nameUUIDFromBytes(full.getBytes(StandardCharsets.UTF_8)))
                    .setTimeout(SCHEMA_TIMEOUT)));
      }
      awaitAgreement(session);
      return prepared(() -> isAbsent(session, keyspace, full), prepare, full);
    } catch (UnauthorizedException e) {
      throw new BadRequestException(
          String.valueOf(e.getMessage()),
          "table " + full,
          "let the role CREATE tables in the keyspace, and SELECT and MODIFY this one; or make it"
              + " for the role, and grant it SELECT and MODIFY on it: "
              + definition(full));
    } catch (DriverException e) {
      throw new FailedWorkException(
          purpose + " cannot be used: " + Failures.text(Failures.cause(e)),
          "table " + full,
          "look whether the nodes are up",
          e);
    }
  }

  /** The statement that makes the table; a comment is what marks it. */
  String definition(String full) {
    return "CREATE TABLE "
        + full
        + " ("
        + columns
        + ") WITH comment = '"
        + MARK
        + "'"
        + options
        + " AND default_time_to_live = "
        + rowLifeSeconds;
  }

  /**
   * Prepares, and again for a while where a node does not have the table yet: one that another
   * instance made a moment ago is there before the nodes tell that their schemas differ.
   */
  private static <T> T prepared(BooleanSupplier absent, Function<String, T> prepare, String full) {
    for (int attempt = 1; attempt <= PREPARE_ATTEMPTS; attempt++) {
      try {
        if (!absent.getAsBoolean()) {
          return prepare.apply(full);
        }
      } catch (InvalidQueryException e) {
        if (attempt == PREPARE_ATTEMPTS) {
          throw e;
        }
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new FailedWorkException("interrupted", "table " + full, "try again");
      }
      LockSupport.parkNanos(PREPARE_PAUSE.toNanos());
    }
    throw new FailedWorkException("the table was not made", "table " + full, "try again");
  }

  /**
   * Waits until all nodes that are up have the same schema, as any of them may be asked for the
   * table next, which was made a moment ago by this session or by another. Gives up after a few
   * times the driver's own timeout: a node that lacks the table then says so itself.
   */
  private static void awaitAgreement(CqlSession session) {
    for (int i = 0; i < AGREEMENT_ATTEMPTS && !agreed(session); i++) {
      // the driver has waited for its timeout
    }
  }

  private static boolean agreed(CqlSession session) {
    return Requests.answer(session.checkSchemaAgreementAsync());
  }

  private boolean isAbsent(CqlSession session, String keyspace, String full) {
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
                    name))
            .one();
    if (row != null && !MARK.equals(row.getString(0))) {
      throw new BadRequestException(
          "the table exists and Calando did not create it; nothing was changed",
          "table " + full,
          "if you made it for Calando, mark it: ALTER TABLE "
              + full
              + " WITH comment = '"
              + MARK
              + "'; else watch tables of another keyspace, or drop it yourself if nobody needs it");
    }
    return row == null;
  }
}
