package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** Who uses which table of a keyspace, by its claims. Only reads. Stateless. */
final class Claims {
  private Claims() {}

  /**
   * Who uses a table.
   *
   * @param owner user, machine and process
   * @param since when it was claimed
   * @param process the process's name for machines
   */
  record Holder(String owner, Instant since, String process) {}

  /** Who uses a table now; empty if nobody, or the keyspace holds no claims. */
  static Optional<Holder> holder(CqlSession session, String keyspace, String table) {
    try {
      return holder(read(session, Cql.readClaim(keyspace), table, DefaultConsistencyLevel.SERIAL));
    } catch (InvalidQueryException noSuchTable) {
      return Optional.empty();
    }
  }

  /**
   * In how many seconds a table's claim ends unless it is renewed; 0 if there is none. Disturbs no
   * renewal, as a serial read would.
   */
  static int secondsLeft(CqlSession session, String keyspace, String table) {
    @Nullable Row row =
        read(session, Cql.readClaimsEnd(keyspace), table, DefaultConsistencyLevel.QUORUM);
    return row == null ? 0 : row.getInt(0);
  }

  private static @Nullable Row read(
      CqlSession session, String text, String table, ConsistencyLevel level) {
    return session
        .execute(SimpleStatement.newInstance(text, table).setConsistencyLevel(level))
        .one();
  }

  /** The holder that a row names; empty if there is no row, or the answer has no such columns. */
  static Optional<Holder> holder(@Nullable Row row) {
    if (row == null || !row.getColumnDefinitions().contains("process")) {
      return Optional.empty();
    }
    String process = row.getString("process");
    Instant since = row.getInstant("since");
    return process == null
        ? Optional.empty()
        : Optional.of(
            new Holder(
                Objects.requireNonNullElse(row.getString("owner"), "?"),
                since == null ? Instant.EPOCH : since,
                process));
  }

  /**
   * Refuses to change a keyspace's replication under somebody else's table: its claim and its
   * figures are of the replicas that there were.
   *
   * @param table the table that is ours to use
   * @param process our own name, whose claims do not count; empty if we have none
   * @throws BadRequestException if a process that has not ended claims another table
   * @throws DriverException if too few replicas answer
   */
  static void requireNoOthers(CqlSession session, String keyspace, String table, String process) {
    SimpleStatement all =
        SimpleStatement.newInstance(Cql.readClaims(keyspace))
            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM);
    try {
      for (Row row : session.execute(all)) {
        String other = Objects.requireNonNullElse(row.getString("table_name"), "?");
        Optional<Holder> holder =
            holder(row)
                .filter(each -> !other.equals(table) && !each.process().equals(process))
                .filter(each -> !ThisProcess.hasEnded(each.process()));
        if (holder.isPresent()) {
          throw new BadRequestException(
              "the replication would have to change, but another study uses the table "
                  + other
                  + ": "
                  + holder.get().owner()
                  + ", since "
                  + holder.get().since(),
              "keyspace " + keyspace,
              "wait for its end, name another keyspace, or ask for the replication that there is");
        }
      }
    } catch (InvalidQueryException noSuchTable) {
      // nobody has ever claimed anything here
    }
  }
}
